#include "nn/step_state.hpp"

#include <cmath>

#include "device/launch.hpp"
#include "operations/copy.hpp"

namespace chord {

StepState::StepState(const std::shared_ptr<Context>& context, DataType type)
    : counters_(Tensor::create(context, DataType::int64, {kernels::step_counters})),
      rates_(Tensor::create(context, type, {kernels::adam_rates})) {
  fill(counters_, -1);
}

void StepState::set_count(std::int64_t count) {
  constexpr std::int64_t most = std::int64_t(1) << 53;  // below which a double counts on
  if (count < 0 || count >= most) fail(Status::invalid_argument, "step is ", count, "; expected 0 to ", most - 1);
  count_ = count;
}

namespace {

/// What the kernel calls Adam's numbers.
struct Rates {
  double rate, correction, beta1, beta2, epsilon;
};

Rates rates_of(const AdamSettings& s, double step) {
  if (s.optimizer == Optimizer::sgd) return {s.learning_rate / (1 - s.momentum), 0, s.momentum, 1, 1};
  return {s.learning_rate / (1 - std::pow(s.beta1, step)), 1 / std::sqrt(1 - std::pow(s.beta2, step)), s.beta1, s.beta2,
          s.epsilon};
}

}  // namespace

template <class T>
void StepState::begin(const AdamSettings& settings, const IndexChecks& checks) {
  const Rates rates = rates_of(settings, double(count_ + 1));
  launch<kernels::begin_step, T>(*context().submit(), {.counters = counters_.data<std::int64_t>(),
                                                       .rates = rates_.data<T>(),
                                                       .faults = checks.faults(),
                                                       .step = count_,
                                                       .rate = T(rates.rate),
                                                       .correction = T(rates.correction),
                                                       .decay1 = T(1 - rates.beta1),
                                                       .beta2 = T(rates.beta2),
                                                       .decay2 = T(1 - rates.beta2),
                                                       .epsilon = T(rates.epsilon),
                                                       .kept = T(1 - settings.learning_rate * settings.weight_decay),
                                                       .clip = T(settings.clip_norm)});
}

/// The counters, and whoever asked tells: the steps with faults are not counted any more. `own_only`: unless the last
/// step had none.
StepState::Counters StepState::read_and_forget(bool own_only) {
  Counters counters;
  counters.fill(-1);
  const Context::Submission queue = context().submit();  // no step may come between
  queue->copy(counters.data(), counters_.data<void>(), counters_.bytes());
  context().drain();
  if (counters[kernels::untold_fault] < 0 || (own_only && counters[kernels::step_fault] < 0)) return counters;
  fill(counters_.view({1}, {1}, kernels::untold_fault), -1);
  count_ -= counters[kernels::untold_steps];
  return counters;
}

void StepState::expect_no_fault(const IndexChecks& checks) {
  if (!checks.queued()) return;
  const Counters counters = read_and_forget(true);
  if (counters[kernels::step_fault] >= 0)
    IndexChecks::fail_fault(checks.subjects(), counters[kernels::step_fault], counters[kernels::step_place]);
}

void StepState::expect_no_fault_at_wait(const IndexChecks& checks) {
  if (!checks.queued()) return;
  // Whoever destroys the model does not want to know what became of it.
  const auto check = [weak = weak_from_this(), subjects = checks.subjects()] {
    const auto state = weak.lock();
    if (!state) return;
    state->check_at_wait_ = false;
    const Counters counters = state->read_and_forget(false);
    if (counters[kernels::untold_fault] >= 0)
      IndexChecks::fail_fault(subjects, counters[kernels::untold_fault], counters[kernels::untold_place]);
  };
  if (check_at_wait_.exchange(true)) return;
  try {
    context().check_at_wait(check);
  } catch (...) {
    check_at_wait_ = false;
    throw;
  }
}

template void StepState::begin<float>(const AdamSettings&, const IndexChecks&);
template void StepState::begin<double>(const AdamSettings&, const IndexChecks&);

}  // namespace chord
