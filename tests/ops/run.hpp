// One launch of an operation: with what its case puts there, or with what is given instead.
#pragma once

#include <chrono>

#include "case.hpp"
#include "device/launch.hpp"

namespace ops {

/// What the arrays hold after a launch in double precision.
template <class Op>
Arrays run(chord::Queue& queue, const Variant& variant, const Arrays& given = {}) {
  Memory memory(queue, 0, given);
  chord::launch<Op, double>(queue, Case<Op>::template arguments<double>(variant, memory));
  return memory.fetch();
}

struct Outcome {
  double error = 0, allowed = 0;  ///< relative to the largest value expected
  std::string problem;            ///< empty where all is well
  std::size_t bits = 0;           ///< a hash of all arrays afterwards
};

/// Every array against the reference; values that the reference leaves as they were must be the very same.
template <class T>
Outcome compare(const Arrays& before, const Arrays& expected, const Arrays& found, double terms) {
  Outcome outcome;
  outcome.allowed = 32 * double(std::numeric_limits<std::conditional_t<std::is_integral_v<T>, double, T>>::epsilon()) *
                    std::sqrt(std::max(terms, 1.0));
  for (const auto& [name, values] : expected) {
    double scale = 0;
    for (const double each : values) scale = std::max(scale, std::abs(each));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double was = before.at(name)[i], is = found.at(name)[i];
      if (values[i] == was && is != was) {
        outcome.problem = name + "[" + std::to_string(i) + "] should not have changed";
        return outcome;
      }
      const double error = values[i] == is ? 0 : std::abs(values[i] - is) / scale;
      if (!(error <= outcome.error)) outcome.error = std::isfinite(error) ? error : INFINITY;
      if (error <= outcome.allowed) continue;
      outcome.problem =
          name + "[" + std::to_string(i) + "] is " + std::to_string(is) + " instead of " + std::to_string(values[i]);
      return outcome;
    }
  }
  return outcome;
}

inline std::size_t hash_of(const Arrays& arrays) {
  std::size_t hash = 0;
  for (const auto& [name, values] : arrays)
    for (const double each : values) hash = hash * 0x100000001b3 ^ std::hash<double>()(each);
  return hash;
}

template <class Op, class T>
Outcome test(chord::Queue& queue, const Variant& variant, std::size_t guard) {
  try {
    Memory memory(queue, guard);
    const auto arguments = Case<Op>::template arguments<T>(variant, memory);
    Arrays expected = memory.arrays();
    Case<Op>::reference(variant, expected);
    chord::launch<Op, T>(queue, arguments);
    const Arrays found = memory.fetch();
    Outcome outcome = compare<T>(memory.arrays(), expected, found, Case<Op>::terms(variant));
    outcome.bits = hash_of(found);
    return outcome;
  } catch (const std::exception& error) {
    return {INFINITY, 0, error.what(), 0};
  }
}

/// With arrays that are aligned to their values only and, on GPUs, which take 16 bytes at a time where they can, with
/// aligned ones.
template <class Op, class T>
Outcome test(chord::Queue& queue, const Variant& variant) {
  constexpr std::size_t odd_guard = 33;
  Outcome outcome = test<Op, T>(queue, variant, odd_guard);
  if (queue.device().cpu_like() || !outcome.problem.empty()) return outcome;
  Outcome aligned = test<Op, T>(queue, variant, aligned_guard);
  outcome.bits = aligned.bits = outcome.bits * 3 + aligned.bits;
  return aligned.problem.empty() && aligned.error < outcome.error ? outcome : aligned;
}

/// For who counts, not times; who is told from which arrays values are gathered.
using Gathers = std::function<void(const void* data, std::size_t bytes)>;
template <class Op, class T>
void once(chord::Queue& queue, const Variant& variant, const Gathers& gathers) {
  Memory memory(queue, aligned_guard);
  const auto arguments = Case<Op>::template arguments<T>(variant, memory);
  if constexpr (requires { Case<Op>::gathered(); })
    for (const std::string& name : Case<Op>::gathered()) {
      const Memory::Place place = memory.place(name);
      gathers(place.data, place.bytes);
    }
  chord::launch<Op, T>(queue, arguments);
  queue.wait();
}

struct Timing {
  double seconds = 0;
  kernels::Work work;
};

/// The best of as many launches as fit in half a second.
template <class Op, class T>
Timing time(chord::Queue& queue, const Variant& variant) {
  using Clock = std::chrono::steady_clock;
  Memory memory(queue, aligned_guard);
  const auto arguments = Case<Op>::template arguments<T>(variant, memory);
  const auto once = [&] {
    const auto start = Clock::now();
    chord::launch<Op, T>(queue, arguments);
    queue.wait();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  queue.wait();
  once();
  Timing timing{once(), Op::work(arguments)};
  for (double spent = 0; spent < 0.5;) {
    const double seconds = once();
    timing.seconds = std::min(timing.seconds, seconds);
    spent += seconds;
  }
  return timing;
}

}  // namespace ops
