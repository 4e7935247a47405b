// Initialisation, devices, contexts, errors; and that all functions of the list are there.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "driver.hpp"
#include "host_access.hpp"
#include "options.hpp"

namespace chord::cuda {

using standin::options;
namespace code = standin::code;

// One that is declared but not written is missed here, by the linker.
#define CHORD_ADDRESS(name, ...) reinterpret_cast<void*>(name),
[[gnu::used]] void* const all_functions[] = {CHORD_CUDA_FUNCTIONS(CHORD_ADDRESS)};
#undef CHORD_ADDRESS

namespace {

/// Devices by CUDA_VISIBLE_DEVICES: numbers, up to the first that is none.
int visible_devices() {
  const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!list) return options().devices;
  std::istringstream in(list);
  int count = 0;
  for (std::string part; std::getline(in, part, ',');) {
    char* end = nullptr;
    const long number = std::strtol(part.c_str(), &end, 10);
    if (end == part.c_str() || number < 0 || number >= options().devices) break;
    ++count;
  }
  return count;
}

bool is_device(Device device) { return device >= 0 && std::size_t(device) < driver().contexts.size(); }

template <class Body>
Result with_device(const char* call, Device device, Body body) {
  return with_driver(call, [&]() -> Result {
    if (!is_device(device)) return misuse(invalid_device, format("%s: device %d", call, device));
    return body(*driver().contexts[std::size_t(device)]);
  });
}

struct ErrorText {
  Result error;
  const char *name, *sentence;
};
constexpr ErrorText errors[] = {
    {success, "CUDA_SUCCESS", "no error"},
    {invalid_value, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {not_initialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {deinitialized, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {no_device, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {invalid_device, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {invalid_image, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {invalid_ptx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain"},
    {invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {code::illegal_state, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {not_found, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {not_ready, "CUDA_ERROR_NOT_READY", "device not ready"},
    {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {code::launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {code::illegal_instruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {system_driver_mismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {capture_unsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {code::capture_unmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not initiated in this stream"},
    {code::capture_unjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
    {code::captured_event, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing stream"},
    {unknown_error, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

Result find_text(Result error, const char** text, const char* ErrorText::* part) {
  const auto* found =
      std::find_if(std::begin(errors), std::end(errors), [&](const ErrorText& e) { return e.error == error; });
  *text = found == std::end(errors) ? nullptr : found->*part;
  return *text ? success : invalid_value;
}

}  // namespace

DriverContext::DriverContext(Device of) : device(of), memory(options().memory) { default_stream.context = this; }

Driver& driver() {
  static Driver& all = *new Driver;  // clients may call while the process ends
  return all;
}

std::vector<DriverContext*>& context_stack() {
  static thread_local std::vector<DriverContext*> stack;
  return stack;
}

Result misuse(Result error, const std::string& message) {
  standin::report("MISUSE", message, message);
  return error;
}

void trace(const char* call) {
  if (options().trace) standin::say(call);
}

standin::Arena* arena_of(Address address) {
  for (const auto& context : driver().contexts)
    if (context->memory.holds(address)) return &context->memory;
  return nullptr;
}

Result cuInit(unsigned flags) {
  const Inside inside;
  const std::lock_guard lock(driver().mutex);
  trace("cuInit");
  if (flags) return invalid_value;
  if (options().init_error) return options().init_error;
  const int count = visible_devices();
  if (count == 0) return no_device;
  while (driver().contexts.size() < std::size_t(count))
    driver().contexts.push_back(std::make_unique<DriverContext>(Device(driver().contexts.size())));
  if (!driver().initialised) standin::explain_host_accesses();
  driver().initialised = true;
  return success;
}

Result cuDriverGetVersion(int* version) {
  *version = options().driver_version;
  return success;
}

Result cuGetErrorName(Result error, const char** name) { return find_text(error, name, &ErrorText::name); }

Result cuGetErrorString(Result error, const char** sentence) {
  return find_text(error, sentence, &ErrorText::sentence);
}

Result cuDeviceGetCount(int* count) {
  return with_driver("cuDeviceGetCount", [&] {
    *count = int(driver().contexts.size());
    return success;
  });
}

Result cuDeviceGet(Device* device, int index) {
  return with_device("cuDeviceGet", index, [&](DriverContext&) {
    *device = index;
    return success;
  });
}

Result cuDeviceGetName(char* name, int bytes, Device device) {
  return with_device("cuDeviceGetName", device, [&](DriverContext&) {
    std::snprintf(name, std::size_t(bytes), "Stand-in for an NVIDIA GPU (%s)", options().gpu.name);
    return success;
  });
}

Result cuDeviceTotalMem_v2(std::size_t* bytes, Device device) {
  return with_device("cuDeviceTotalMem", device, [&](DriverContext& context) {
    *bytes = context.memory.capacity();
    return success;
  });
}

Result cuDeviceGetAttribute(int* value, int attribute, Device device) {
  return with_device("cuDeviceGetAttribute", device, [&](DriverContext&) {
    const standin::Gpu& gpu = options().gpu;
    const std::map<int, int> attributes{{max_threads_per_block, 1024},
                                        {code::max_block_x, 1024},
                                        {code::max_block_y, 1024},
                                        {code::max_block_z, 64},
                                        {code::max_grid_x, 2147483647},
                                        {code::max_grid_y, 65535},
                                        {code::max_grid_z, 65535},
                                        {code::shared_per_block, standin::default_shared_limit},
                                        {code::shared_per_block_optin, gpu.shared_limit},
                                        {code::warp_size, 32},
                                        {code::unified_addressing, 1},
                                        {multiprocessors, gpu.multiprocessors},
                                        {compute_mode, 0},
                                        {compute_capability_major, gpu.major},
                                        {compute_capability_minor, gpu.minor}};
    const auto found = attributes.find(attribute);
    *value = found == attributes.end() ? 0 : found->second;
    return success;
  });
}

Result cuDevicePrimaryCtxRetain(DriverContext** context, Device device) {
  return with_device("cuDevicePrimaryCtxRetain", device, [&](DriverContext& primary) {
    ++primary.retained;
    *context = &primary;
    return success;
  });
}

Result cuDevicePrimaryCtxRelease_v2(Device device) {
  return with_device("cuDevicePrimaryCtxRelease", device, [&](DriverContext& primary) -> Result {
    if (!primary.retained) return misuse(invalid_context, "the primary context is released more often than retained");
    --primary.retained;
    return success;
  });
}

Result cuCtxPushCurrent_v2(DriverContext* context) {
  return with_driver("cuCtxPushCurrent", [&]() -> Result {
    const auto is_it = [&](const auto& known) { return known.get() == context; };
    if (std::none_of(driver().contexts.begin(), driver().contexts.end(), is_it) || !context->retained)
      return misuse(invalid_context, "cuCtxPushCurrent: no such context, or it is not retained");
    context_stack().push_back(context);
    return success;
  });
}

Result cuCtxPopCurrent_v2(DriverContext** context) {
  return with_driver("cuCtxPopCurrent", [&]() -> Result {
    if (context_stack().empty())
      return misuse(invalid_context, "cuCtxPopCurrent: no context is current in this thread");
    if (context) *context = context_stack().back();
    context_stack().pop_back();
    return success;
  });
}

}  // namespace chord::cuda
