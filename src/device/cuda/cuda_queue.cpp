#include "device/cuda/cuda_queue.hpp"

#include <utility>

#include "common/error.hpp"
#include "device/entry_table.hpp"

namespace chord::cuda {
namespace {

/// Pinned host memory counts as host memory; what the driver has never seen, too.
bool on_device(const void* memory) {
  unsigned type = 0;
  return driver().cuPointerGetAttribute(&type, pointer_memory_type, address_of(memory)) == success &&
         type == memory_device;
}

/// A graph. The driver keeps it until launches of it are done.
class CudaRecording final : public Recording {
 public:
  CudaRecording(Gpu& gpu, GraphExec* graph) : gpu_(gpu), graph_(graph) {}
  ~CudaRecording() override {
    try {
      const Gpu::Current current(gpu_);
      driver().cuGraphExecDestroy(graph_);
    } catch (...) {
      // The device is lost, and the graph with it.
    }
  }
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;
  GraphExec* graph() const { return graph_; }

 private:
  Gpu& gpu_;
  GraphExec* graph_;
};

}  // namespace

CudaQueue::CudaQueue(Gpu& gpu, DeviceDescription device)
    : gpu_(gpu), device_(std::move(device)), staging_(std::make_unique<Staging>(gpu_)), owns_stream_(true) {
  const Gpu::Current current(gpu_);
  gpu_.check(driver().cuStreamCreate(&stream_, stream_does_not_wait_for_default), "creating a stream");
}

CudaQueue::CudaQueue(Gpu& gpu, DeviceDescription device, Stream* stream)
    : gpu_(gpu), device_(std::move(device)), staging_(std::make_unique<Staging>(gpu_)), stream_(stream) {}

CudaQueue::~CudaQueue() {
  try {
    const Gpu::Current current(gpu_);
    staging_.reset();
    if (owns_stream_) driver().cuStreamDestroy_v2(stream_);
  } catch (...) {
    // A device that is lost has nothing to give back.
  }
}

void CudaQueue::expect_no_recording(const char* what) const {
  if (recording_) fail(Status::internal, "nothing can be ", what, " while work is recorded");
}

void* CudaQueue::allocate(std::size_t bytes) {
  expect_no_recording("allocated");
  const Gpu::Current current(gpu_);
  Address memory = 0;
  gpu_.check(driver().cuMemAlloc_v2(&memory, bytes), "allocating memory");
  return reinterpret_cast<void*>(memory);
}

void CudaQueue::release(void* memory) noexcept {
  try {
    const Gpu::Current current(gpu_);
    driver().cuMemFree_v2(address_of(memory));
  } catch (...) {
    // As above.
  }
}

void CudaQueue::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const Gpu::Current current(gpu_);
  if (!on_device(to)) {
    expect_no_recording("copied to the host");
    staging_->downloads.add(stream_, to, from, bytes);
  } else if (!on_device(from)) {
    upload(to, from, bytes);
  } else {
    gpu_.check(driver().cuMemcpyAsync(address_of(to), address_of(from), bytes, stream_), "copying on the device");
  }
}

void CudaQueue::upload(void* to, const void* from, std::size_t bytes) {
  expect_no_recording("uploaded");
  const Gpu::Current current(gpu_);
  staging_->uploads.add(stream_, to, from, bytes);
}

void CudaQueue::run(int entry, Grid grid, const void* const* leaves) {
  const Gpu::Current current(gpu_);
  const Gpu::Kernel& kernel = gpu_.kernel(entry);
  const EntryDescription& description = entry_table()[entry];
  expect_points(description, grid);
  kernels::GridForGpu item(grid);
  const std::size_t blocks = description.group ? item.points : kernels::divide_up(item.points, kernel.items);
  const auto items = description.group ? unsigned(grid.group_lanes) : kernel.items;
  std::vector<void*> parameters;
  if (!description.group) parameters = {&item.points, &item.shifts, &item.rows, &item.lanes};
  for (std::size_t i = 0; i < description.leaves.size(); ++i) parameters.push_back(const_cast<void*>(leaves[i]));
  gpu_.check(driver().cuLaunchKernel(kernel.function, unsigned(blocks), 1, 1, items, 1, 1, unsigned(grid.local_bytes),
                                     stream_, parameters.data(), nullptr),
             description.name.c_str());
}

void CudaQueue::order(Stream* first, Stream* second) {
  const Gpu::Current current(gpu_);
  Event* event = nullptr;
  gpu_.check(driver().cuEventCreate(&event, event_without_times), "creating an event");
  Result result = driver().cuEventRecord(event, first);
  if (result == success) result = driver().cuStreamWaitEvent(second, event, 0);
  driver().cuEventDestroy_v2(event);  // the driver keeps it as long as a stream waits for it
  gpu_.check(result, "ordering two streams");
}

void CudaQueue::make_wait(Stream* other) { order(stream_, other); }
void CudaQueue::wait_for(Stream* other) { order(other, stream_); }

// A caller may be recording his own stream himself.
bool CudaQueue::can_record() const { return owns_stream_; }

void CudaQueue::begin_recording() {
  expect_no_recording("recorded");
  const Gpu::Current current(gpu_);
  gpu_.check(driver().cuStreamBeginCapture_v2(stream_, capture_of_this_thread), "recording work");
  recording_ = true;
}

std::unique_ptr<Recording> CudaQueue::end_recording() {
  const Gpu::Current current(gpu_);
  recording_ = false;
  Graph* graph = nullptr;
  gpu_.check(driver().cuStreamEndCapture(stream_, &graph), "recording work");
  GraphExec* exec = nullptr;
  const Result result = driver().cuGraphInstantiateWithFlags(&exec, graph, 0);
  driver().cuGraphDestroy(graph);
  gpu_.check(result, "making a graph of recorded work");
  try {
    return std::make_unique<CudaRecording>(gpu_, exec);
  } catch (...) {
    driver().cuGraphExecDestroy(exec);  // which nobody has
    throw;
  }
}

void CudaQueue::replay(const Recording& recording) {
  const Gpu::Current current(gpu_);
  gpu_.check(driver().cuGraphLaunch(static_cast<const CudaRecording&>(recording).graph(), stream_), "replaying work");
}

void CudaQueue::wait() {
  expect_no_recording("waited for");
  const Gpu::Current current(gpu_);
  staging_->downloads.finish(stream_);
}

}  // namespace chord::cuda
