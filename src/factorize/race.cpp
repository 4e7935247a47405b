#include "factorize/race.hpp"

#include <algorithm>
#include <cmath>

#include "factorize/starts.hpp"

namespace chord {
namespace {

// A race should be over in seconds whatever the size, so larger problems race for fewer iterations.
constexpr std::int64_t most_iterations = 300, fewest_iterations = 10;
constexpr double affordable_work = 1.5e9;  // multiplications of all factors, in the first round of one start
constexpr std::int64_t share = 4;          // of an iteration limit, at most a quarter

std::int64_t first_round(const FitProblem& problem, const FitOptions& options) {
  const double work = double(problem.parameters()) * double(problem.pattern->n());
  const auto affordable = std::int64_t(affordable_work / std::max(work, 1.0));
  const std::int64_t rounds = 1 + std::int64_t(std::ceil(std::log2(double(options.starts))));
  const std::int64_t limit = options.iterations / share / (options.starts * rounds);
  return std::min(std::clamp(affordable, fewest_iterations, most_iterations), std::max<std::int64_t>(limit, 1));
}

}  // namespace

template <class T>
Race<T>::Race(Fit<T>& fit) : fit_(fit) {
  for (std::int64_t number = 0; number < fit.options().starts; ++number)
    racers_.push_back(
        {std::int32_t(number), fit.upload(start_parameters(fit.problem(), fit.options().seed, number)), 0});
}

template <class T>
std::optional<Stop> Race<T>::run() {
  std::optional<Stop> stop;
  for (std::int64_t round = first_round(fit_.problem(), fit_.options()); racers_.size() > 1 && !stop; round *= 2) {
    stop = run_round(round);
    std::stable_sort(racers_.begin(), racers_.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    racers_.resize((racers_.size() + 1) / 2);
  }
  fit_.show_start(racers_.front().number);
  return stop;
}

template <class T>
std::optional<Stop> Race<T>::run_round(std::int64_t iterations) {
  for (Racer& racer : racers_) {
    fit_.show_start(racer.number);
    if (const auto stop = fit_.descend(*racer.parameters, iterations)) return stop;
    racer.value = fit_.value();
  }
  return {};
}

template <class T>
typename Fit<T>::Parameters Race<T>::winner() {
  return std::move(racers_.front().parameters);
}

template class Race<float>;
template class Race<double>;

}  // namespace chord
