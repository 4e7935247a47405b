#include "capi/device_info.hpp"
#include "capi/handles.hpp"
#include "device/backends.hpp"
#include "device/cuda/interop.hpp"

using namespace chord;
using namespace chord::capi;

chord_status chord_context_create(const char* selector, chord_context** context) {
  return guarded(__func__, [&] {
    required(context, "context");
    *context = make_handle<chord_context>(Context::open(selector ? selector : "auto"));
  });
}

chord_status chord_context_create_on_cuda_stream(int32_t device, void* stream, chord_context** context) {
  return guarded(__func__, [&] {
    required(context, "context");
    *context = make_handle<chord_context>(Context::adopt("cuda", {.handle = stream, .device = device, .runtime = {}}));
  });
}

chord_status chord_context_create_on_sycl_queue(void* queue, const char* runtime, chord_context** context) {
  return guarded(__func__, [&] {
    required(context, "context");
    required(queue, "queue");
    required(runtime, "runtime");
    *context =
        make_handle<chord_context>(Context::adopt(sycl_backend(), {.handle = queue, .device = 0, .runtime = runtime}));
  });
}

chord_status chord_context_get_cuda_stream(chord_context* context, int32_t* device, void** stream) {
  return guarded(__func__, [&] {
    const CudaStream found = cuda_stream(*checked(context, "context").value);
    if (device) *device = found.device;
    *required(stream, "stream") = found.stream;
  });
}

chord_status chord_context_destroy(chord_context* context) {
  return guarded(__func__, [&] { destroy_handle(context, "context"); });
}

chord_status chord_context_close(chord_context* context) {
  return guarded(__func__, [&] {
    const std::shared_ptr<Context> closing = checked(context, "context").value;
    for_each_live_object([&](const void* handle, const Slot& slot) {
      if (slot.type->context(slot.object) == closing.get()) retire_if_live(handle);
    });
    closing->wait();
  });
}

chord_status chord_context_count_objects(const chord_context* context, int64_t* count) {
  return guarded(__func__, [&] {
    required(count, "count");
    const Context* const wanted = context ? checked(context, "context").value.get() : nullptr;
    int64_t found = 0;
    for_each_live_object([&](const void*, const Slot& slot) {
      found += !wanted || (slot.type->kind != HandleKind::context && slot.type->context(slot.object) == wanted);
    });
    *count = found;
  });
}

chord_status chord_context_get_device(const chord_context* context, chord_device_info* info) {
  return guarded(__func__, [&] { fill_info(info, device_info(checked(context, "context").value->device()), "info"); });
}

chord_status chord_context_wait(chord_context* context) {
  return guarded(__func__, [&] { checked(context, "context").value->wait(); });
}

chord_status chord_context_get_memory(const chord_context* context, chord_memory_info* info) {
  return guarded(__func__, [&] {
    const PoolStatistics pool = checked(context, "context").value->pool().statistics();
    chord_memory_info value{};
    value.bytes_in_use = pool.bytes_in_use;
    value.peak_bytes = pool.peak_bytes;
    value.reserved_bytes = pool.reserved_bytes;
    value.device_allocations = pool.device_allocations;
    fill_info(info, value, "info");
  });
}

chord_status chord_context_trim(chord_context* context) {
  return guarded(__func__, [&] { checked(context, "context").value->trim(); });
}
