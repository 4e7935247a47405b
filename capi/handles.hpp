// Handles: what the opaque pointers of chord.h point to, and the check that they are alive and of the right kind.
#pragma once

#include <chord/chord.h>

#include <memory>

#include "capi/boundary.hpp"
#include "data/batches.hpp"
#include "data/dataset.hpp"
#include "data/encoder.hpp"
#include "device/context.hpp"
#include "factorize/factorization.hpp"
#include "io/npy.hpp"
#include "matrix/matrix.hpp"
#include "nn/model.hpp"
#include "operations/chain.hpp"
#include "operations/pattern.hpp"
#include "operations/tensor.hpp"

namespace chord::capi {

enum class HandleKind {
  context,
  tensor,
  pattern,
  chain,
  matrix,
  factorization,
  model,
  dataset,
  batches,
  encoder,
  npy_writer
};

}  // namespace chord::capi

struct chord_context {
  static constexpr auto kind = chord::capi::HandleKind::context;
  std::shared_ptr<chord::Context> value;
};
struct chord_tensor {
  static constexpr auto kind = chord::capi::HandleKind::tensor;
  chord::Tensor value;
};
struct chord_pattern {
  static constexpr auto kind = chord::capi::HandleKind::pattern;
  std::shared_ptr<const chord::Pattern> value;
};
struct chord_chain {
  static constexpr auto kind = chord::capi::HandleKind::chain;
  chord::Chain value;
};
struct chord_matrix {
  static constexpr auto kind = chord::capi::HandleKind::matrix;
  std::shared_ptr<const chord::Matrix> value;
};
struct chord_factorization {
  static constexpr auto kind = chord::capi::HandleKind::factorization;
  chord::Factorization value;
};
struct chord_model {
  static constexpr auto kind = chord::capi::HandleKind::model;
  std::shared_ptr<chord::Model> value;
};
struct chord_dataset {
  static constexpr auto kind = chord::capi::HandleKind::dataset;
  std::shared_ptr<const chord::Dataset> value;
};
struct chord_batches {
  static constexpr auto kind = chord::capi::HandleKind::batches;
  std::unique_ptr<chord::Batches> value;
};
struct chord_encoder {
  static constexpr auto kind = chord::capi::HandleKind::encoder;
  std::unique_ptr<const chord::Encoder> value;
};
struct chord_npy_writer {
  static constexpr auto kind = chord::capi::HandleKind::npy_writer;
  std::unique_ptr<chord::NpyWriter> value;
};

namespace chord::capi {

/// All live handles of the process, so that a destroyed or foreign one is an error and not a crash.
void register_handle(const void* handle, HandleKind kind);
void check_handle(const void* handle, HandleKind kind, const char* name);
/// Checks and forgets in one step: of two threads that destroy a handle, one gets an error.
void unregister_handle(const void* handle, HandleKind kind, const char* name);

template <class Handle, class... Values>
Handle* make_handle(Values&&... values) {
  std::unique_ptr<Handle> handle(new Handle{std::forward<Values>(values)...});
  register_handle(handle.get(), Handle::kind);
  return handle.release();
}

inline Context& context_of(const chord_context& handle) { return *handle.value; }
inline Context& context_of(const chord_tensor& handle) { return handle.value.context(); }
inline Context& context_of(const chord_pattern& handle) { return *handle.value->context(); }
inline Context& context_of(const chord_chain& handle) { return *handle.value.pattern().context(); }
inline Context& context_of(const chord_factorization& handle) { return *handle.value.pattern()->context(); }
inline Context& context_of(const chord_model& handle) { return *handle.value->context(); }

template <class Handle>
void check_process(const Handle& handle) {
  context_of(handle).check_process();
}
/// A matrix, a dataset or an encoder is in no context: plain memory, which a forked child has, too.
inline void check_process(const chord_matrix&) {}
inline void check_process(const chord_dataset&) {}
inline void check_process(const chord_encoder&) {}
inline void check_process(const chord_npy_writer&) {}
/// Batches are in no context, either, but have a thread, which a forked child has not.
inline void check_process(const chord_batches& handle) { handle.value->check_process(); }

/// The handle, checked: alive, of its kind, and in the process its context belongs to.
template <class Handle>
Handle& checked(Handle* handle, const char* name) {
  check_handle(handle, Handle::kind, name);
  check_process(*handle);
  return *handle;
}

template <class Handle>
void destroy_handle(Handle* handle, const char* name) {
  if (!handle) return;
  unregister_handle(handle, Handle::kind, name);
  delete handle;
}

}  // namespace chord::capi
