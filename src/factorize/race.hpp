// Which start is the best? Every one gets some iterations, the better half twice as many, and so on until one is left
// (successive halving).
#pragma once

#include "factorize/fit.hpp"

namespace chord {

template <class T>
class Race {
 public:
  explicit Race(Fit<T>& fit);

  /// Why it had to end before one was left.
  std::optional<Stop> run();
  /// The parameters that the best start has come to.
  typename Fit<T>::Parameters winner();

 private:
  struct Racer {
    std::int32_t number;
    typename Fit<T>::Parameters parameters;
    double value;
  };
  std::optional<Stop> run_round(std::int64_t iterations);

  Fit<T>& fit_;
  std::vector<Racer> racers_;  // those that are left, the best first
};

}  // namespace chord
