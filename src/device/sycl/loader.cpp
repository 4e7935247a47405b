#include "device/sycl/loader.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/folders.hpp"
#include "common/log.hpp"
#include "device/sycl/kernel_source.hpp"
#include "device/sycl/module.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

#ifdef CHORD_SYCL_FROM_WHEELS

/// Loads the runtime from the first folder that has it, so that the module finds it under its name. The libraries
/// behind it are loaded first, by path: not all of them know where their neighbours are.
fs::path preload_runtime() {
  for (const fs::path& folder : oneapi_folders()) {
    std::error_code ignored;
    if (!fs::exists(folder / CHORD_SYCL_LIBRARY, ignored)) continue;
    if (fs::exists(folder / "libintelocl.so", ignored)) {
      // The CPU device is found only through this variable (the wheel's own .icd file points nowhere).
      setenv("OCL_ICD_FILENAMES", (folder / "libintelocl.so").c_str(), 0);
      // Kernels bring their own vectors; a device compiler that tries to weave work-items into more of them takes four
      // times as long for the same code.
      setenv("CL_CONFIG_CPU_VECTORIZER_MODE", "1", 0);
    }
    for (const char* name : {"libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so", CHORD_SYCL_LIBRARY})
      dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL);
    return folder;
  }
  return {};
}

std::string how_to_get_runtime() {
  return text("; put the SYCL runtime into a folder with\n"
              "  python3 -m venv FOLDER && FOLDER/bin/pip install intel-sycl-rt==" CHORD_ONEAPI_VERSION
              " intel-opencl-rt==" CHORD_ONEAPI_VERSION
              "\nand set CHORD_ONEAPI=FOLDER; for all users, without the variable, FOLDER is ",
              shared_oneapi().string());
}

#else

fs::path preload_runtime() { return {}; }
std::string how_to_get_runtime() { return "; the SYCL runtime it was compiled with must be installed"; }

#endif

/// For the module, which exceptions of this library should not enter.
std::string try_to_write_file(const std::string& path, const std::string& content) noexcept {
  try {
    write_atomically(path, {content});
    return "";
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

void expect_same_build(const fs::path& path, void* module) {
  const auto fingerprint = reinterpret_cast<SyclModuleFingerprint>(dlsym(module, sycl_module_fingerprint_name));
  const std::string found = fingerprint ? fingerprint() : "nothing: it is older than 0.2, or no module at all";
  if (found != module_fingerprint())
    fail(Status::device_failure, path.string(), " is not of the same build as this library; the module says ", found,
         "; expected ", module_fingerprint());
}

}  // namespace

std::unique_ptr<Backend> open_sycl_backend() {
  const fs::path runtime = preload_runtime();
  try {
    return open_sycl_module(own_folder() / "libchord_sycl.so",
                            {kernel_source(), cache_directory(), &log, &try_to_write_file, runtime.string()});
  } catch (const Error& error) {
    fail(error.status(), "SYCL devices cannot be used: ", error.what(),
         error.status() == Status::unsupported ? how_to_get_runtime() : "");
  }
}

std::unique_ptr<Backend> open_sycl_module(const fs::path& path, const ModuleServices& services) {
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char* reason = dlerror();
    fail(Status::unsupported, reason ? reason : "no reason given");
  }
  expect_same_build(path, module);
  const auto open = reinterpret_cast<OpenSyclModule>(dlsym(module, open_sycl_module_name));
  if (!open) fail(Status::device_failure, path.string(), " cannot be opened: it has no ", open_sycl_module_name);
  std::string problem;
  std::unique_ptr<Backend> backend(open(services, problem));
  if (!backend) fail(Status::device_failure, problem);
  return backend;
}

}  // namespace chord
