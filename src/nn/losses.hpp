// Losses of steps: from the parts that a device leaves of each sequence's loss to a step's result; and those of
// training steps that nobody has asked for yet, in the device's memory.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "kernels/indices.hpp"
#include "nn/batch_cut.hpp"
#include "operations/tensor.hpp"

namespace chord {

struct StepResult {
  double loss = 0;  ///< mean
  std::int64_t correct = 0, count = 0;
};

template <class T>
StepResult result_of(const ModelDescription& description, const BatchCut& cut, const T* parts);

/// The parts of the last steps' losses. Where there are more steps than places, the oldest are lost.
class KeptLosses {
 public:
  static constexpr std::int64_t places = 256;

  explicit KeptLosses(const ModelDescription& description) : description_(description) {}

  /// Queues the keeping of a step's.
  template <class T>
  void keep(const Tensor& parts, const BatchCut& cut, const kernels::Faults& faults);

  struct Taken {
    std::vector<StepResult> results;  ///< the oldest first
    std::int64_t lost = 0;            ///< older ones, since they were last taken
  };
  /// At most so many; waits for them.
  template <class T>
  Taken take(std::int64_t most);

  /// Memory that it takes for batches of so many sequences.
  static std::int64_t bytes(std::int64_t sequences, DataType type);

 private:
  void widen(const Tensor& parts);

  const ModelDescription& description_;
  std::optional<Tensor> memory_;  // [places, the most parts that a step had]
  std::deque<BatchCut> steps_;    // the oldest first
  std::int64_t first_ = 0;        // the place of the oldest
  std::int64_t lost_ = 0;
};

}  // namespace chord
