#include "device/cuda/driver.hpp"

#include <dlfcn.h>

#include <cerrno>

#include "common/error.hpp"

namespace chord::cuda {
namespace {

constexpr Result operating_system_error = 304;

const char* what_to_do(Result error) {
  switch (error) {
    case no_device: return "; there is none, or CUDA_VISIBLE_DEVICES hides it";
    case operating_system_error:
    case unknown_error: return "; may this user open the device files /dev/nvidia*, and is the kernel module loaded?";
    case system_driver_mismatch: return "; the kernel module is of another version, restart the machine";
    default: return "";
  }
}

Driver open_driver() {
  errno = 0;
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const bool scarce = errno == ENOMEM;
    const char* reason = dlerror();
    fail(scarce ? Status::out_of_memory : Status::unsupported, "there is no NVIDIA driver (",
         reason ? reason : "libcuda.so.1 cannot be opened", ")");
  }
  Driver driver;
  const char* missing = nullptr;
#define CHORD_LOOK_UP(name, ...)                                                \
  driver.name = reinterpret_cast<decltype(driver.name)>(dlsym(library, #name)); \
  if (!driver.name && !missing) missing = #name;
  CHORD_CUDA_FUNCTIONS(CHORD_LOOK_UP)
#undef CHORD_LOOK_UP
  if (driver.cuDriverGetVersion) driver.cuDriverGetVersion(&driver.version);
  if (missing || driver.version < oldest_driver)
    fail(Status::unsupported, "the NVIDIA driver is too old: it supports CUDA ", version_text(driver.version),
         missing ? text(" and has no ", missing) : "", "; expected ", version_text(oldest_driver), " or newer");
  return driver;
}

}  // namespace

const Driver& driver() {
  static const Driver opened = open_driver();
  static const Result started = opened.cuInit(0);
  if (started != success) {
    const char *name = nullptr, *sentence = nullptr;
    opened.cuGetErrorName(started, &name);
    opened.cuGetErrorString(started, &sentence);
    fail(Status::unsupported, "the NVIDIA driver does not start: ", name ? name : "error", ' ', started, " (",
         sentence ? sentence : "no reason given", ")", what_to_do(started));
  }
  return opened;
}

std::string describe(Result error) {
  const char *name = nullptr, *sentence = nullptr;
  driver().cuGetErrorName(error, &name);
  driver().cuGetErrorString(error, &sentence);
  return text(name ? name : "CUDA error", ' ', error, sentence ? text(" (", sentence, ")") : "");
}

std::string version_text(int version) { return text(version / 1000, '.', version % 1000 / 10); }

}  // namespace chord::cuda
