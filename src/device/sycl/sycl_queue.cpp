#include "device/sycl/sycl_queue.hpp"

#include "common/error.hpp"
#include "device/host/host_memory.hpp"

namespace chord {

void AsynchronousErrors::keep(const sycl::exception_list& errors) {
  const std::lock_guard lock(mutex_);
  for (const std::exception_ptr& error : errors)
    if (!first_) first_ = error;
}

std::exception_ptr AsynchronousErrors::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(first_, nullptr);
}

SyclQueue::SyclQueue(const sycl::device& device, const DeviceDescription& description, const ModuleServices& services)
    : description_(description),
      errors_(std::make_shared<AsynchronousErrors>()),
      queue_(
          device, [errors = errors_](const sycl::exception_list& list) { errors->keep(list); },
          sycl::property_list{sycl::property::queue::in_order()}),
      kernels_(make_sycl_kernels(queue_.get_context(), device, description_, services)) {}

SyclQueue::SyclQueue(const sycl::queue& queue, const DeviceDescription& description, const ModuleServices& services)
    : description_(description),
      errors_(std::make_shared<AsynchronousErrors>()),
      queue_(queue),
      kernels_(make_sycl_kernels(queue_.get_context(), queue_.get_device(), description_, services)) {}

template <class Action>
void SyclQueue::guarded(Action action) {
  try {
    action();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    fail(Status::device_failure, description_.name, " (", description_.selector, ") failed: ", error.what());
  }
}

void* SyclQueue::allocate(std::size_t bytes) {
  if (description_.host_readable) return allocate_host(bytes);
  void* memory = nullptr;
  guarded([&] { memory = sycl::malloc_device(bytes, queue_); });
  if (!memory)
    fail(Status::out_of_memory, "out of device memory: ", bytes, " bytes asked for on ", description_.name,
         ", which has ", description_.memory_bytes);
  return memory;
}

void SyclQueue::release(void* memory) noexcept {
  if (description_.host_readable) return release_host(memory);
  try {
    sycl::free(memory, queue_);
  } catch (...) {
    // A failing free leaves nothing to do.
  }
}

void SyclQueue::copy(void* to, const void* from, std::size_t bytes) {
  guarded([&] { queue_.memcpy(to, from, bytes); });
}

void SyclQueue::run(int kernel, Grid grid, const void* const* arguments) {
  guarded([&] { kernels_->run(queue_, kernel, grid, arguments); });
}

void SyclQueue::wait() {
  guarded([&] { queue_.wait_and_throw(); });
  if (const std::exception_ptr error = errors_->take()) guarded([&] { std::rethrow_exception(error); });
}

}  // namespace chord
