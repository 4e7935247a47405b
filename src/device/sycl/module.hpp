// The door between libchord and its SYCL module, a library of its own: libchord has no need of SYCL and works without
// it, and where the module cannot be loaded it can say why.
//
// Strings and virtual functions pass this door, which is safe only between two files of one build. So the module first
// shows a fingerprint, as plain C, and is used only where the library has the same.
#pragma once

#include <chord/chord.h>

#include <string>

#include "common/error.hpp"
#include "common/log.hpp"
#include "device/kernel_headers.hpp"
#include "device/queue.hpp"

namespace chord {

/// What the module needs from the library that loads it.
struct ModuleServices {
  std::string kernel_source;
  std::string cache_directory;  ///< for compiled kernels; empty where none are to be kept
  void (*log)(LogLevel level, const std::string& message);
  /// Replaces a file as a whole. Returns why it could not; empty if it did.
  std::string (*write_file)(const std::string& path, const std::string& content) noexcept = nullptr;
  std::string runtime_folder = {};  ///< where the SYCL runtime was found; empty where the system loads it
};

/// Grows whenever this header or queue.hpp changes.
inline constexpr int module_interface = 6;

/// FNV-1a: differs where the text does.
inline std::uint64_t text_hash(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return hash;
}

/// What this side of the door was compiled as (inline, so that each has its own). It does not have __GXX_ABI_VERSION,
/// in which compilers differ that go together (AdaptiveCpp's clang compiles the module, GCC the library); what they
/// must share is the standard library.
inline std::string module_fingerprint() {
#ifdef _GLIBCXX_USE_CXX11_ABI
  const std::string standard_library = text("libstdc++, string ABI ", _GLIBCXX_USE_CXX11_ABI);
#else
  const std::string standard_library = "another standard library than libstdc++";
#endif
  return text("SparseChord ", CHORD_VERSION_MAJOR, '.', CHORD_VERSION_MINOR, '.', CHORD_VERSION_PATCH,
              ", module interface ", module_interface, ", ", standard_library, ", sizes ", sizeof(std::string), ' ',
              sizeof(ModuleServices), ' ', sizeof(DeviceDescription), ' ', sizeof(Grid), ' ', sizeof(Error), ", ",
              "kernels ", text_hash(kernel_headers));
}

/// The module's two symbols. The first returns its fingerprint; the second a backend, or null and sets `problem` where
/// none can be had.
using SyclModuleFingerprint = const char* (*)();
using OpenSyclModule = Backend* (*)(const ModuleServices& services, std::string& problem);
inline constexpr const char* sycl_module_fingerprint_name = "chord_sycl_module_fingerprint";
inline constexpr const char* open_sycl_module_name = "chord_open_sycl_module";

}  // namespace chord
