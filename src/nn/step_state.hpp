// The state of training steps: how many were taken, and in the device's memory the number of the one under way, Adam's
// numbers and faults of batches. A step that was recorded reads them there, and nobody has to bring them to the host.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "kernels/step.hpp"
#include "nn/index_checks.hpp"

namespace chord {

/// SGD with momentum is Adam without second moments: its denominators are 1.
enum class Optimizer : std::int32_t { adam = 0, sgd = 1 };

struct AdamSettings {
  Optimizer optimizer = Optimizer::adam;
  double momentum = 0;  ///< of SGD, in place of beta1
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 0;  ///< of every parameter, beside the gradients (AdamW); 0: none
  double clip_norm = 0;     ///< what the norm of all gradients together is scaled down to; 0: nothing
  bool clips() const { return clip_norm > 0; }
};

class StepState : public std::enable_shared_from_this<StepState> {
 public:
  StepState(const std::shared_ptr<Context>& context, DataType type);

  /// Steps queued so far, but for those that were told to have had a fault.
  std::int64_t count() const { return count_; }
  /// Throws where it is no number of steps.
  void set_count(std::int64_t count);
  void count_step() { ++count_; }

  /// Queues the beginning of a step.
  template <class T>
  void begin(const AdamSettings& settings, const IndexChecks& checks);

  /// The steps before the one that began last.
  const std::int64_t* number() const { return counters_.data<std::int64_t>() + kernels::step_number; }
  template <class T>
  const T* rates() const {
    return rates_.data<T>();
  }
  /// Of the step that began last.
  kernels::Faults faults() const { return {counters_.data<std::int64_t>() + kernels::step_fault, 1}; }

  /// Waits for the step that began last, and throws where its batch had a fault.
  void expect_no_fault(const IndexChecks& checks);
  /// Leaves that to the context's next wait, for all steps until then.
  void expect_no_fault_at_wait(const IndexChecks& checks);

 private:
  using Counters = std::array<std::int64_t, kernels::step_counters>;
  Counters read_and_forget(bool own_only);

  Context& context() const { return counters_.context(); }

  Tensor counters_, rates_;
  std::atomic<std::int64_t> count_{0};
  std::atomic<bool> check_at_wait_{false};
};

}  // namespace chord
