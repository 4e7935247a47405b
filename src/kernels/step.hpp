// What changes from one training step to the next, in the device's memory: a step that was recorded once finds it there
// whenever it is run again.
#pragma once

#include "indices.hpp"

namespace chord::CHORD_KERNELS {

/// Places in the counters of a step: its number, the fault of its batch, and of the faults that nobody was told of yet
/// the first, and how many steps had one. A fault is the number of the piece of the batch it is in, or −1, and its
/// place in the batch.
constexpr int step_number = 0, step_fault = 1, step_place = 2;
constexpr int untold_fault = 3, untold_place = 4, untold_steps = 5, step_counters = 6;

/// Places in the numbers that Adam takes.
constexpr int adam_rate = 0;        ///< the learning rate over 1 − β1^step
constexpr int adam_correction = 1;  ///< 1 / √(1 − β2^step)
/// 1 − β1, β2 and 1 − β2, each rounded by itself: in float32, what is left of 1 − 0.999 would be off by 10⁻⁵ of it.
constexpr int adam_decay1 = 2, adam_beta2 = 3, adam_decay2 = 4;
constexpr int adam_epsilon = 5;
constexpr int adam_kept = 6;  ///< of every parameter: 1 − the learning rate · the weight decay
constexpr int adam_clip = 7;  ///< the largest norm that all gradients together may have, where they are clipped
constexpr int adam_rates = 8;

/// The beginning of a step: what it is given goes where its other kernels look for it.
struct begin_step : Everywhere {
  template <class T>
  struct Arguments {
    std::int64_t* counters;
    T* rates;
    Faults faults;  ///< of the batch
    std::int64_t step;
    T rate, correction, decay1, beta2, decay2, epsilon, kept, clip;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>&) {
    return {1};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(step_counters + a.faults.count) * sizeof(std::int64_t) + double(adam_rates) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t, std::size_t, const Arguments<T>& a) {
    std::int64_t fault = -1;
    for (std::int64_t i = a.faults.count; i > 0; --i)
      if (a.faults.places[i - 1] >= 0) fault = i - 1;
    a.counters[step_number] = a.step;
    a.counters[step_fault] = fault;
    a.counters[step_place] = fault < 0 ? -1 : a.faults.places[fault];
    if (fault >= 0 && a.counters[untold_fault] < 0) {
      a.counters[untold_fault] = fault;
      a.counters[untold_place] = a.counters[step_place];
      a.counters[untold_steps] = 0;
    }
    if (fault >= 0) ++a.counters[untold_steps];
    a.rates[adam_rate] = a.rate;
    a.rates[adam_correction] = a.correction;
    a.rates[adam_decay1] = a.decay1;
    a.rates[adam_beta2] = a.beta2;
    a.rates[adam_decay2] = a.decay2;
    a.rates[adam_epsilon] = a.epsilon;
    a.rates[adam_kept] = a.kept;
    a.rates[adam_clip] = a.clip;
  }
};

/// The end of a step: the parts of its loss go where they are kept; −1 instead where its batch had a fault.
struct keep_losses : Everywhere {
  template <class T>
  struct Arguments {
    const T* parts;
    T* to;
    Faults faults;
    std::int64_t count;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.count)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, 2 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t i, std::size_t, const Arguments<T>& a) {
    a.to[i] = a.faults.any() ? T(-1) : a.parts[i];
  }
};

}  // namespace chord::CHORD_KERNELS
