#include "capi/handles.hpp"

namespace chord::capi {

const char* name_of(HandleKind kind) {
  switch (kind) {
    case HandleKind::context: return "context";
    case HandleKind::tensor: return "tensor";
    case HandleKind::pattern: return "pattern";
    case HandleKind::chain: return "chain";
    case HandleKind::matrix: return "matrix";
    case HandleKind::factorization: return "factorization";
    case HandleKind::job: return "job";
    case HandleKind::model: return "model";
    case HandleKind::dataset: return "dataset";
    case HandleKind::batches: return "pass over a dataset";
    case HandleKind::encoder: return "encoder";
    case HandleKind::npy_writer: return "writer of an npy file";
  }
  return "handle";
}

constinit thread_local Call* Call::current_ = nullptr;

void* Call::use(const void* handle, HandleKind kind, const char* name) {
  Call* const call = current_;
  if (!call || call->count_ == most) fail(Status::internal, "there is no room for ", name, " in a call");
  Slot& slot = pin_handle(handle, kind, name);
  call->pinned_[call->count_++] = &slot;
  return slot.object;
}

}  // namespace chord::capi
