// Version, log, backends and devices.
#include "capi/boundary.hpp"
#include "capi/device_info.hpp"
#include "common/folders.hpp"
#include "common/log.hpp"
#include "device/cuda/ptx.hpp"
#include "device/devices.hpp"
#include "device/sycl/kernel_source.hpp"

using namespace chord;
using namespace chord::capi;

chord_status chord_version(int32_t* major, int32_t* minor, int32_t* patch) {
  return guarded(__func__, [&] {
    if (major) *major = CHORD_VERSION_MAJOR;
    if (minor) *minor = CHORD_VERSION_MINOR;
    if (patch) *patch = CHORD_VERSION_PATCH;
  });
}

chord_status chord_abi_version(int32_t* version) {
  return guarded(__func__, [&] { *required(version, "version") = CHORD_ABI_VERSION; });
}

chord_status chord_set_log_callback(chord_log_callback callback, void* user) {
  return guarded(__func__, [&] { set_log_callback(callback, user); });
}

chord_status chord_cache_directory(const char** path) {
  return guarded(__func__, [&] {
    static const std::string directory = cache_directory();
    *required(path, "path") = directory.c_str();
  });
}

chord_status chord_kernel_source(const char** source) {
  return guarded(__func__, [&] {
    static const std::string text = kernel_source();
    *required(source, "source") = text.c_str();
  });
}

chord_status chord_kernel_ptx(const char** ptx) {
  return guarded(__func__, [&] { *required(ptx, "ptx") = cuda::kernels_ptx; });
}

chord_status chord_backend_count(int32_t* count) {
  return guarded(__func__, [&] { *required(count, "count") = static_cast<int32_t>(backends().size()); });
}

chord_status chord_backend_get_info(int32_t index, chord_backend_info* info) {
  return guarded(__func__, [&] {
    const BackendState& backend = item(backends(), index);
    chord_backend_info value{};
    value.available = backend.available;
    copy_text(value.name, backend.name);
    copy_text(value.detail, backend.detail);
    fill_info(info, value, "info");
  });
}

chord_status chord_device_count(int32_t* count) {
  return guarded(__func__, [&] { *required(count, "count") = static_cast<int32_t>(devices().size()); });
}

chord_status chord_device_get_info(int32_t index, chord_device_info* info) {
  return guarded(__func__, [&] { fill_info(info, device_info(item(devices(), index)), "info"); });
}
