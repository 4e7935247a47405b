// Whether tokens and labels are indices, without bringing them back from the device.
#pragma once

#include <memory>
#include <vector>

#include "kernels/indices.hpp"
#include "operations/tensor.hpp"

namespace chord {

/// The checks of one batch. What the host has copied to the device it knows already; the rest the device looks at.
/// Kernels clamp what is no index, and nothing is learnt from a batch with a fault.
class IndexChecks {
 public:
  /// All values should be in 0 … limit − 1; throws where they are known not to be.
  void add(const char* name, const Tensor& tensor, std::int64_t limit);
  /// The same for a batch that has none of these, so that its subjects are those of others; behind all that are there.
  void add_absent(const char* name, std::int64_t limit) { subjects_.push_back({name, limit}); }
  /// Whether that is known already.
  static bool known(const Tensor& tensor, std::int64_t limit);

  /// Queues the checks, where the device has to make them.
  void queue(const std::shared_ptr<Context>& context);
  bool queued() const { return bool(places_.storage); }

  /// What the device finds, for kernels; valid as long as this object.
  kernels::Faults faults() const;

  /// Waits, and throws where the device has found a fault.
  void expect_none() const;
  /// Leaves that to the context's next wait.
  void expect_none_at_wait() const;

  /// What is checked; the same for all batches of a model.
  struct Subject {
    const char* name;
    std::int64_t limit;
  };
  using Subjects = std::vector<Subject>;
  const Subjects& subjects() const { return subjects_; }
  /// Throws for the fault that the device has found in a piece.
  [[noreturn]] static void fail_fault(const Subjects& subjects, std::int64_t piece, std::int64_t place);

 private:
  /// What is found, on the host; in no context, so that nobody who keeps it keeps one alive.
  struct Found;

  Subjects subjects_;
  std::vector<Tensor> tensors_;
  bool unknown_ = false;
  std::shared_ptr<Found> fetch() const;
  Tensor places_;
};

}  // namespace chord
