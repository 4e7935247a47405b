#include "device/cuda/cuda_queue.hpp"

#include <utility>

#include "common/error.hpp"
#include "device/entry_table.hpp"

namespace chord::cuda {
namespace {

constexpr std::size_t largest_grid = (std::size_t(1) << 31) - 1;

Address address(const void* memory) { return reinterpret_cast<Address>(memory); }

/// Pinned host memory counts as host memory; what the driver has never seen, too.
bool on_device(const void* memory) {
  unsigned type = 0;
  return driver().cuPointerGetAttribute(&type, pointer_memory_type, address(memory)) == success &&
         type == memory_device;
}

}  // namespace

CudaQueue::CudaQueue(std::shared_ptr<Gpu> gpu, DeviceDescription device)
    : gpu_(std::move(gpu)), device_(std::move(device)), staging_(std::make_unique<Staging>(*gpu_)), owns_stream_(true) {
  const Gpu::Current current(*gpu_);
  gpu_->check(driver().cuStreamCreate(&stream_, stream_does_not_wait_for_default), "creating a stream");
}

CudaQueue::CudaQueue(std::shared_ptr<Gpu> gpu, DeviceDescription device, Stream* stream)
    : gpu_(std::move(gpu)), device_(std::move(device)), staging_(std::make_unique<Staging>(*gpu_)), stream_(stream) {}

CudaQueue::~CudaQueue() {
  try {
    const Gpu::Current current(*gpu_);
    staging_.reset();
    if (owns_stream_) driver().cuStreamDestroy_v2(stream_);
  } catch (...) {
    // A device that is lost has nothing to give back.
  }
}

void* CudaQueue::allocate(std::size_t bytes) {
  const Gpu::Current current(*gpu_);
  Address memory = 0;
  gpu_->check(driver().cuMemAlloc_v2(&memory, bytes), "allocating memory");
  return reinterpret_cast<void*>(memory);
}

void CudaQueue::release(void* memory) noexcept {
  try {
    const Gpu::Current current(*gpu_);
    driver().cuMemFree_v2(address(memory));
  } catch (...) {
    // As above.
  }
}

void CudaQueue::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const Gpu::Current current(*gpu_);
  if (!on_device(to))
    staging_->downloads.add(stream_, to, from, bytes);
  else if (!on_device(from))
    staging_->uploads.add(stream_, to, from, bytes);
  else
    gpu_->check(driver().cuMemcpyAsync(address(to), address(from), bytes, stream_), "copying on the device");
}

void CudaQueue::run(int entry, Grid grid, const void* const* leaves) {
  const Gpu::Current current(*gpu_);
  const Gpu::Kernel& kernel = gpu_->kernel(entry);
  std::size_t points = grid.points(), run = 1;
  const std::size_t blocks = (points + kernel.items - 1) / kernel.items;
  if (blocks > largest_grid)
    fail(Status::too_large, entry_table()[entry].name, " would need ", blocks, " blocks; a GPU runs up to ",
         largest_grid);
  std::vector<void*> parameters{&points, &run, &grid.rows, &grid.lanes};
  for (std::size_t i = 0; i < entry_table()[entry].leaves.size(); ++i)
    parameters.push_back(const_cast<void*>(leaves[i]));
  gpu_->check(driver().cuLaunchKernel(kernel.function, unsigned(blocks), 1, 1, kernel.items, 1, 1, 0, stream_,
                                      parameters.data(), nullptr),
              entry_table()[entry].name.c_str());
}

void CudaQueue::order(Stream* first, Stream* second) {
  const Gpu::Current current(*gpu_);
  Event* event = nullptr;
  gpu_->check(driver().cuEventCreate(&event, event_without_times), "creating an event");
  Result result = driver().cuEventRecord(event, first);
  if (result == success) result = driver().cuStreamWaitEvent(second, event, 0);
  driver().cuEventDestroy_v2(event);  // the driver keeps it as long as a stream waits for it
  gpu_->check(result, "ordering two streams");
}

void CudaQueue::make_wait(Stream* other) { order(stream_, other); }
void CudaQueue::wait_for(Stream* other) { order(other, stream_); }

void CudaQueue::wait() {
  const Gpu::Current current(*gpu_);
  staging_->downloads.finish(stream_);
}

}  // namespace chord::cuda
