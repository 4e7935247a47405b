// What a run of the fit is asked for, and what it does where nothing is said.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "factorize/factorization.hpp"
#include "factorize/splits.hpp"

namespace chord {

struct FitProgress {
  std::int32_t start, starts;
  std::int64_t iteration;
  double error, best_error, relative_error, gradient, seconds;
  double standard_error = 0;  ///< of best_error, where it is an estimate
};

/// As in chord.h, where zeros mean the defaults.
struct FitOptions {
  DataType type = DataType::float64;
  std::int64_t starts = 0;  ///< 0: one of each kind, and more where they are cheap
  std::uint64_t seed = 0;
  std::int64_t iterations = 0;       ///< of all starts together; 0: no limit
  double seconds = 0;                ///< 0: no limit
  double gradient_tolerance = 0;     ///< 0: 1e-10, in float32 1e-6
  double improvement_tolerance = 0;  ///< 0: 1e-4
  const Factorization* resume = nullptr;
  std::string checkpoint;                            ///< its file; empty: none is written
  double checkpoint_seconds = 0;                     ///< 0: 2
  std::function<bool(const FitProgress&)> callback;  ///< true cancels
  double callback_seconds = 0;                       ///< 0: 0.1
  std::shared_ptr<FitPeers> peers;                   ///< the problem's
  bool exact_error = false;                          ///< of an operator: by all of its columns, at the end
  /// Whether a run that has converged begins elsewhere for as long as it has time: where a time is given and nothing
  /// else says when it is good enough. Follows from the others.
  bool whole_time = false;

  /// The same with every zero replaced by what it means, infinity where there is no limit. Throws where a value makes
  /// no sense, or not for this problem.
  FitOptions completed(const FitProblem& problem) const;
};

}  // namespace chord
