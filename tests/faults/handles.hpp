// Handles of the C interface that go by themselves. Destroying never fails, whatever else does.
#pragma once

#include <chord/chord.h>

#include "faults.hpp"

namespace faults {

inline int destructions_failed = 0;

template <class Type, chord_status (*destroy)(Type*)>
class Handle {
 public:
  Handle() = default;
  ~Handle() { reset(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator Type*() const { return value_; }
  /// For a function that makes one.
  Type** operator&() {
    reset();
    return &value_;
  }
  /// Closed with its context.
  void gone() { value_ = nullptr; }
  void reset() {
    if (value_ && destroy(value_) != CHORD_SUCCESS) ++destructions_failed;
    value_ = nullptr;
  }

 private:
  Type* value_ = nullptr;
};

using Context = Handle<chord_context, chord_context_destroy>;
using Tensor = Handle<chord_tensor, chord_tensor_destroy>;
using Pattern = Handle<chord_pattern, chord_pattern_destroy>;
using Chain = Handle<chord_chain, chord_chain_destroy>;
using Matrix = Handle<chord_matrix, chord_matrix_destroy>;
using Factorization = Handle<chord_factorization, chord_factorization_destroy>;
using Job = Handle<chord_job, chord_job_destroy>;
using Model = Handle<chord_model, chord_model_destroy>;
using Dataset = Handle<chord_dataset, chord_dataset_destroy>;
using Batches = Handle<chord_batches, chord_batches_destroy>;
using Encoder = Handle<chord_encoder, chord_encoder_destroy>;
using NpyWriter = Handle<chord_npy_writer, chord_npy_writer_destroy>;

}  // namespace faults

/// Leaves a scenario with the first status that is no success.
#define TRY(call) \
  if (const chord_status status_ = (call)) return status_
