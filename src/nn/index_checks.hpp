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

  /// Queues the checks that the device has to make.
  void queue(const std::shared_ptr<Context>& context);

  /// What the device finds, for kernels; valid as long as this object.
  kernels::Faults faults() const;

  /// Throws where the device has found a fault; its work must be done.
  void expect_none() const;

  /// Leaves that to the context's next wait.
  void expect_none_at_wait(Context& context) const;

 private:
  struct Unknown {
    const char* name;
    Tensor tensor;
    std::int64_t limit;
  };
  /// What is found, on the host; in no context, so that nobody who keeps it keeps one alive.
  struct Found;

  std::vector<Unknown> unknown_;
  Tensor places_;
  std::shared_ptr<Found> found_;
};

}  // namespace chord
