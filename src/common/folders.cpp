#include "common/folders.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace chord {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

fs::path user_cache() {
  const std::string cache = environment("XDG_CACHE_HOME"), home = environment("HOME");
  if (!cache.empty()) return fs::path(cache) / "sparsechord";
  return home.empty() ? fs::path() : fs::path(home) / ".cache/sparsechord";
}

std::string cache_directory() {
  if (std::string given = environment("CHORD_CACHE_DIR"); !given.empty()) return given;
  return user_cache().empty() ? "" : (user_cache() / "kernels").string();
}

fs::path dataset_cache() { return user_cache().empty() ? fs::path() : user_cache() / "datasets"; }

fs::path own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&oneapi_folders), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  return fs::weakly_canonical(info.dli_fname, ignored).parent_path();
}

fs::path shared_oneapi() { return own_folder() / "sparsechord" / "oneapi"; }

std::vector<fs::path> oneapi_folders() {
  std::vector<fs::path> folders;
  if (const std::string given = environment("CHORD_ONEAPI"); !given.empty()) {
    folders.push_back(fs::path(given) / "lib");
    folders.push_back(given);
  }
  folders.push_back(shared_oneapi() / "lib");
#ifdef CHORD_SYCL_FROM_WHEELS
  if (!user_cache().empty()) folders.push_back(user_cache() / "oneapi-" CHORD_ONEAPI_VERSION / "lib");
#endif
  return folders;
}

}  // namespace chord
