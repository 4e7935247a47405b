#include "capi/handles.hpp"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace chord::capi {
namespace {

struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<const void*, HandleKind> kinds;
};

Registry& registry() {
  // Never destroyed: handles may be destroyed while the process exits.
  static Registry& instance = *new Registry;
  return instance;
}

const char* name_of(HandleKind kind) {
  switch (kind) {
    case HandleKind::context: return "context";
    case HandleKind::tensor: return "tensor";
    case HandleKind::pattern: return "pattern";
    case HandleKind::chain: return "chain";
    case HandleKind::matrix: return "matrix";
    case HandleKind::factorization: return "factorization";
    case HandleKind::model: return "model";
    case HandleKind::dataset: return "dataset";
    case HandleKind::batches: return "pass over a dataset";
    case HandleKind::encoder: return "encoder";
    case HandleKind::npy_writer: return "writer of an npy file";
  }
  return "handle";
}

}  // namespace

void register_handle(const void* handle, HandleKind kind) {
  const std::lock_guard lock(registry().mutex);
  registry().kinds.emplace(handle, kind);
}

namespace {

/// The handle's entry; the registry is locked.
auto live_handle(const void* handle, HandleKind kind, const char* name) {
  const auto found = registry().kinds.find(handle);
  if (found == registry().kinds.end())
    fail(Status::invalid_handle, name, " is not a live ", name_of(kind), "; it was destroyed, or never created");
  if (found->second != kind)
    fail(Status::invalid_handle, name, " is a ", name_of(found->second), "; expected a ", name_of(kind));
  return found;
}

}  // namespace

void check_handle(const void* handle, HandleKind kind, const char* name) {
  if (!handle) fail(Status::invalid_handle, name, " is NULL; expected a ", name_of(kind));
  const std::shared_lock lock(registry().mutex);
  live_handle(handle, kind, name);
}

void unregister_handle(const void* handle, HandleKind kind, const char* name) {
  const std::lock_guard lock(registry().mutex);
  registry().kinds.erase(live_handle(handle, kind, name));
}

}  // namespace chord::capi
