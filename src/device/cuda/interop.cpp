#include "device/cuda/interop.hpp"

#include "common/error.hpp"
#include "device/cuda/cuda_queue.hpp"

namespace chord {
namespace {

template <class Action>
auto with_queue(Context& context, const Action& action) {
  auto submission = context.submit();
  if (!is_cuda(context))
    fail(Status::unsupported, context.device().name, " (", context.device().selector,
         ") has no CUDA stream; expected a context of the backend cuda");
  return action(static_cast<cuda::CudaQueue&>(submission.queue));
}

}  // namespace

bool is_cuda(const Context& context) { return context.device().backend == "cuda"; }

CudaStream cuda_stream(Context& context) {
  return with_queue(context, [](cuda::CudaQueue& queue) { return CudaStream{queue.number(), queue.stream()}; });
}

void let_cuda_stream_wait(Context& context, void* other) {
  with_queue(context, [&](cuda::CudaQueue& queue) { queue.make_wait(static_cast<cuda::Stream*>(other)); });
}

void wait_for_cuda_stream(Context& context, void* other) {
  with_queue(context, [&](cuda::CudaQueue& queue) { queue.wait_for(static_cast<cuda::Stream*>(other)); });
}

}  // namespace chord
