#include "capi/handles.hpp"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace chord::capi {
namespace {

struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<const void*, const char*> kinds;
};

Registry& registry() {
  // Never destroyed: handles may be destroyed while the process exits.
  static Registry& instance = *new Registry;
  return instance;
}

}  // namespace

void register_handle(const void* handle, const char* kind) {
  const std::lock_guard lock(registry().mutex);
  registry().kinds.emplace(handle, kind);
}

void unregister_handle(const void* handle) noexcept {
  const std::lock_guard lock(registry().mutex);
  registry().kinds.erase(handle);
}

void check_handle(const void* handle, const char* kind, const char* name) {
  if (!handle) fail(Status::invalid_handle, name, " is NULL; expected a ", kind);
  const std::shared_lock lock(registry().mutex);
  const auto found = registry().kinds.find(handle);
  if (found == registry().kinds.end())
    fail(Status::invalid_handle, name, " is not a live ", kind, "; it was destroyed, or never created");
  if (found->second != kind) fail(Status::invalid_handle, name, " is a ", found->second, "; expected a ", kind);
}

}  // namespace chord::capi
