#include "device/sycl/loader.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "common/error.hpp"
#include "common/folders.hpp"
#include "common/log.hpp"
#include "device/process.hpp"
#include "device/sycl/kernel_source.hpp"
#include "device/sycl/module.hpp"

namespace chord {
namespace {

#ifdef CHORD_WITH_SYCL
namespace fs = std::filesystem;
#endif

#ifdef CHORD_SYCL_FROM_WHEELS

/// Loads the runtime from the first folder that has it, so that the module finds it under its name. The libraries
/// behind it are loaded first, by path: not all of them know where their neighbours are.
fs::path preload_runtime() {
  for (const fs::path& folder : oneapi_folders()) {
    std::error_code ignored;
    if (!fs::exists(folder / "libsycl.so.9", ignored)) continue;
    if (fs::exists(folder / "libintelocl.so", ignored)) {
      // The CPU device is found only through this variable (the wheel's own .icd file points nowhere).
      setenv("OCL_ICD_FILENAMES", (folder / "libintelocl.so").c_str(), 0);
      // Kernels bring their own vectors; a device compiler that tries to weave work-items into more of them takes four
      // times as long for the same code.
      setenv("CL_CONFIG_CPU_VECTORIZER_MODE", "1", 0);
    }
    for (const char* name : {"libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so", "libsycl.so.9"})
      dlopen((folder / name).c_str(), RTLD_NOW | RTLD_GLOBAL);
    return folder;
  }
  return {};
}

constexpr const char* how_to_get_runtime =
    "; put the SYCL runtime into a folder with\n"
    "  python3 -m venv FOLDER && FOLDER/bin/pip install intel-sycl-rt==" CHORD_ONEAPI_VERSION
    " intel-opencl-rt==" CHORD_ONEAPI_VERSION "\nand set CHORD_ONEAPI=FOLDER";

#elif defined(CHORD_WITH_SYCL)

fs::path preload_runtime() { return {}; }
constexpr const char* how_to_get_runtime = "; the SYCL runtime it was compiled with must be installed";

#endif

#ifdef CHORD_WITH_SYCL

SyclModule load() {
  const fs::path runtime = preload_runtime();
  const fs::path path = own_folder() / "libchord_sycl.so";
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char* reason = dlerror();
    return {nullptr, text("SYCL devices cannot be used: ", reason ? reason : "no reason given", how_to_get_runtime)};
  }
  const auto open = reinterpret_cast<OpenSyclModule>(dlsym(module, open_sycl_module_name));
  if (!open) return {nullptr, text("SYCL devices cannot be used: ", path.string(), " is not a module of this library")};
  std::string problem;
  Backend* backend = open({kernel_source(), cache_directory(), &log}, problem);
  if (!backend) return {nullptr, text("SYCL devices cannot be used: ", problem)};
  // Left to the end of the process: queues of any thread may still use it then.
  std::shared_ptr<Backend> kept(backend, [](Backend*) {});
  return {kept, runtime.empty() ? kept->description() : text(kept->description(), " in ", runtime.string())};
}

#else

SyclModule load() { return {nullptr, "this library was built without SYCL"}; }

#endif

}  // namespace

const SyclModule& sycl_module() {
  static const SyclModule module = [] {
    claim_process();
    return load();
  }();
  return module;
}

std::string cache_directory() {
  if (const char* given = std::getenv("CHORD_CACHE_DIR"); given && *given) return given;
  return user_cache().empty() ? "" : (user_cache() / "kernels").string();
}

}  // namespace chord
