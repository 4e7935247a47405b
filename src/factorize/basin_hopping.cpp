#include "factorize/basin_hopping.hpp"

#include "common/streams.hpp"

namespace chord {
namespace {

constexpr std::int64_t hop_iterations = 1000;
constexpr int hops_in_vain = 8;                    // hops that hardly help
constexpr double strongest = 0.3, weakest = 0.02;  // noise, relative to the parameters' size
constexpr double steep = 0.8;                      // so many iterations lower the objective to less than this share

}  // namespace

template <class T>
Stop BasinHopping<T>::run(const Scratch& parameters) {
  std::optional<Stop> stop = descend_while_steep(parameters);
  if (!stop) stop = hop_while_it_helps(parameters);
  if (stop) return *stop;
  fit_.renew_entries();
  fit_.copy_best(parameters);
  return *fit_.descend(parameters, Fit<T>::forever);
}

template <class T>
std::optional<Stop> BasinHopping<T>::descend_while_steep(const Scratch& parameters) {
  while (true) {
    const double before = fit_.best_value();
    const std::optional<Stop> stop = fit_.descend(parameters, hop_iterations);
    if (stop || !(fit_.best_value() < before * steep)) return stop;
  }
}

template <class T>
std::optional<Stop> BasinHopping<T>::hop_while_it_helps(const Scratch& parameters) {
  const Limits& limits = fit_.limits();
  const double share = 1 - fit_.options().improvement_tolerance;
  double strength = strongest, seconds = 0;
  int failures = 0;
  // A hop that there is no time to recover from is no use.
  for (std::uint64_t number = 0; strength >= weakest && fit_.best_value() > 0 && limits.allow(seconds, hop_iterations);
       ++number) {
    const double began = limits.seconds(), before = fit_.run().error_of(fit_.best_value());
    if (const auto stop = hop(parameters, strength, number)) return stop;
    seconds = limits.seconds() - began;
    failures = fit_.run().error_of(fit_.best_value()) < before * share ? 0 : failures + 1;
    if (failures == hops_in_vain) {
      strength /= 2;
      failures = 0;
    }
  }
  return {};
}

template <class T>
std::optional<Stop> BasinHopping<T>::hop(const Scratch& parameters, double strength, std::uint64_t number) {
  fit_.renew_entries();
  fit_.shake_best(parameters, strength, random_of(Stream::hops, fit_.options().seed, number));
  return fit_.descend(parameters, hop_iterations);
}

template class BasinHopping<float>;
template class BasinHopping<double>;

}  // namespace chord
