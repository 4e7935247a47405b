#include "device/sycl/sycl_queue.hpp"

#include "common/error.hpp"
#include "device/host/host_memory.hpp"

namespace chord {
namespace {

// More than this is not copied aside but waited for.
constexpr std::size_t most_staged_bytes = 1 << 20, most_staged = 64;

bool done(const sycl::event& event) {
  return event.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete;
}

}  // namespace

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

void SyclQueue::upload(void* to, const void* from, std::size_t bytes) {
  guarded([&] {
    while (!staged_.empty() && done(staged_.front().arrived)) staged_.pop_front();
    if (bytes > most_staged_bytes || staged_.size() == most_staged) return Queue::upload(to, from, bytes);
    const auto* begin = static_cast<const char*>(from);
    staged_.push_back({std::vector<char>(begin, begin + bytes), {}});
    staged_.back().arrived = queue_.memcpy(to, staged_.back().bytes.data(), bytes);
  });
}

void SyclQueue::run(int kernel, Grid grid, const void* const* arguments) {
  guarded([&] { kernels_->run(queue_, kernel, grid, arguments); });
}

void SyclQueue::wait() {
  guarded([&] { queue_.wait_and_throw(); });
  if (const std::exception_ptr error = errors_->take()) guarded([&] { std::rethrow_exception(error); });
}

}  // namespace chord
