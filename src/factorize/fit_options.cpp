#include "factorize/fit_options.hpp"

#include <algorithm>
#include <limits>

#include "factorize/starts.hpp"

namespace chord {
namespace {

constexpr std::int64_t most_starts = 1000;

template <class Number>
void complete(Number& value, const char* name, Number otherwise) {
  if (!(value >= 0)) fail(Status::invalid_argument, name, " is ", value, "; expected 0 or more");
  if (value == 0) value = otherwise;
}

std::int64_t default_starts(const FitProblem& problem) {
  constexpr std::int64_t cheap = 1'000'000;  // multiplications in one pass through the factors
  return (problem.weights() < cheap / problem.pattern->n() ? 4 : 1) * kinds_of_starts;
}

}  // namespace

FitOptions FitOptions::completed(const FitProblem& problem) const {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  if (!problem.pattern->context()->device().has_float64)
    fail(Status::unsupported,
         "the device has no float64, in which a fit adds up, whatever its factors are stored as; use "
         "another device");
  FitOptions result = *this;
  result.whole_time = seconds > 0 && gradient_tolerance == 0 && improvement_tolerance == 0;
  complete(result.starts, "restarts", default_starts(problem));
  result.starts = std::min(result.starts, most_starts);
  complete(result.iterations, "iterations", std::numeric_limits<std::int64_t>::max());
  complete(result.seconds, "seconds", unlimited);
  complete(result.gradient_tolerance, "gradient_tolerance", type == DataType::float32 ? 1e-6 : 1e-10);
  complete(result.improvement_tolerance, "improvement_tolerance", 1e-4);
  complete(result.checkpoint_seconds, "checkpoint_seconds", 2.0);
  complete(result.callback_seconds, "callback_seconds", 0.1);
  return result;
}

}  // namespace chord
