// Handles: what the opaque pointers of chord.h stand for, and the check that they are alive and of the right kind.
#pragma once

#include <chord/chord.h>

#include <memory>

#include "capi/boundary.hpp"
#include "data/batches.hpp"
#include "data/dataset.hpp"
#include "data/encoder.hpp"
#include "device/context.hpp"
#include "factorize/factorization.hpp"
#include "factorize/job.hpp"
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
  job,
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
struct chord_job {
  static constexpr auto kind = chord::capi::HandleKind::job;
  std::shared_ptr<chord::FitJob> value;
  std::shared_ptr<chord::Context> context;
  ~chord_job() { value->cancel(); }
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

inline Context& context_of(const chord_context& handle) { return *handle.value; }
inline Context& context_of(const chord_tensor& handle) { return handle.value.context(); }
inline Context& context_of(const chord_pattern& handle) { return *handle.value->context(); }
inline Context& context_of(const chord_chain& handle) { return *handle.value.pattern().context(); }
inline Context& context_of(const chord_factorization& handle) { return *handle.value.pattern()->context(); }
inline Context& context_of(const chord_job& handle) { return *handle.context; }
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

/// Of an object that may be in none.
template <class Handle>
const Context* context_or_null(const void* object) {
  if constexpr (requires(const Handle& handle) { context_of(handle); })
    return &context_of(*static_cast<const Handle*>(object));
  else
    return nullptr;
}

template <class Handle>
inline constexpr HandleType handle_type{Handle::kind, [](void* object) { delete static_cast<Handle*>(object); },
                                        context_or_null<Handle>};

template <class Handle, class... Values>
Handle* make_handle(Values&&... values) {
  std::unique_ptr<Handle> object(new Handle{std::forward<Values>(values)...});
  void* const handle = issue_handle(object.get(), handle_type<Handle>);
  object.release();
  return static_cast<Handle*>(handle);
}

/// What the handle stands for, checked: alive, of its kind, and in the process its context belongs to. It lives until
/// the call ends.
template <class Handle>
Handle& checked(Handle* handle, const char* name) {
  Handle& object = *static_cast<Handle*>(Call::use(handle, Handle::kind, name));
  check_process(object);
  return object;
}

/// A handle that goes again where the call fails before it is given away.
struct Retire {
  template <class Handle>
  void operator()(Handle* handle) const {
    retire_handle(handle, Handle::kind, "handle");
  }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, Retire>;

template <class Handle>
void destroy_handle(Handle* handle, const char* name) {
  if (handle) retire_handle(handle, Handle::kind, name);
}

}  // namespace chord::capi
