// The result of a fit: factors, and X̂ as an object that can be applied, looked into, saved and loaded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "factorize/constraint.hpp"
#include "operations/chain.hpp"

namespace chord {

/// Why a run ended: the values of CHORD_STOP_… in chord.h.
enum class Stop : std::int32_t { gradient = 0, improvement = 1, iterations = 2, seconds = 3, cancelled = 4 };

struct StopTraits {
  const char* name;
  const char* meaning;
};

inline constexpr StopTraits stop_traits[] = {
    {"gradient", "a stationary point, as exactly as the numbers allow"},
    {"improvement", "hardly any progress any more"},
    {"iterations", "as many iterations as were allowed"},
    {"seconds", "as many seconds as were allowed"},
    {"cancelled", "by the callback"},
};

/// What is known about the run, or runs, that found a factorisation.
struct FitRecord {
  std::int64_t iterations = 0;
  double seconds = 0, error = 0, relative_error = 0;
  Stop stop = Stop::iterations;
  std::uint64_t seed = 0;
};

class Factorization {
 public:
  /// weights: [stored factors, N, links]
  Factorization(const std::shared_ptr<const Pattern>& pattern, Tensor weights, Constraint constraint,
                const FitRecord& record);

  const std::shared_ptr<const Pattern>& pattern() const { return pattern_; }
  /// P, whatever X̂ makes of it.
  Chain product() const { return Chain(pattern_, weights(), false); }
  const Tensor& weights() const { return chain_.weights(); }
  Constraint constraint() const { return constraint_; }
  const FitRecord& record() const { return record_; }
  std::int64_t stored_factors() const { return chain_.factors(); }

  /// z = X̂ v, or X̂ᵀ v
  void apply(const Tensor& v, const Tensor& z, bool transposed) const;
  /// out[r, :] = row indices[r] of X̂
  void rows(const std::vector<std::int64_t>& indices, const Tensor& out) const { chain_.rows(indices, out); }
  /// out = X̂
  void dense(const Tensor& out) const { chain_.dense(out); }

  void save(const std::string& path) const;
  static Factorization load(const std::shared_ptr<Context>& context, const std::string& path);

 private:
  std::shared_ptr<const Pattern> pattern_;
  Chain chain_;  // X̂
  Constraint constraint_;
  FitRecord record_;
};

}  // namespace chord
