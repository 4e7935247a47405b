// The result of a fit: X̂ as an object that can be applied, looked into, saved and loaded. It is a sum of parts, one of
// which may be what a product of factors makes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "factorize/constraint.hpp"
#include "factorize/part.hpp"
#include "matrix/matrix.hpp"
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
  double standard_error = 0;  ///< of the error, where it is an estimate
  Stop stop = Stop::iterations;
  std::uint64_t seed = 0;
};

class LowRank;

using Parts = std::vector<std::shared_ptr<const Part>>;

class Factorization {
 public:
  /// A sum of parts of one type; without `weights`, [stored factors, N, links], there are no factors, and at least one
  /// other. `shape`: X̂'s, the upper left part of what the factors make.
  Factorization(const std::shared_ptr<const Pattern>& pattern, MatrixShape shape, const std::optional<Tensor>& weights,
                Parts others, Constraint constraint, const FitRecord& record);

  const std::shared_ptr<const Pattern>& pattern() const { return pattern_; }
  const MatrixShape& shape() const { return shape_; }
  /// P, whatever X̂ makes of it; throws where X̂ has more than that, or is not square.
  Chain product() const;
  /// Throws where there are no factors.
  const Tensor& weights() const;
  Constraint constraint() const { return constraint_; }
  const FitRecord& record() const { return record_; }
  std::int64_t stored_factors() const { return chain_ ? chain_->factors() : 0; }
  DataType type() const;

  /// The factors, where there are some, and then the others.
  std::vector<PartSize> parts() const;
  std::int64_t numbers() const;
  /// Whether X̂ is anything but what factors make.
  bool mixed() const { return !others_.empty(); }
  /// The low-rank part; null where there is none.
  const LowRank* low_rank() const;
  /// All that is stored of the parts.
  std::vector<NamedPartTensor> tensors() const;
  /// One of them; throws where there is none of this name, naming those there are.
  Tensor tensor(const std::string& name) const;

  /// z = X̂ v, or X̂ᵀ v
  void apply(const Tensor& v, const Tensor& z, bool transposed) const;
  /// out[r, :] = row indices[r] of X̂
  void rows(const std::vector<std::int64_t>& indices, const Tensor& out) const;
  /// out = X̂
  void dense(const Tensor& out) const;

  void save(const std::string& path) const;
  static Factorization load(const std::shared_ptr<Context>& context, const std::string& path);

 private:
  void apply_factors(const Tensor& v, const Tensor& z, bool transposed) const;
  void apply_padded(const Tensor& v, const Tensor& z, bool transposed) const;
  void apply_to_units(const Tensor* indices, std::int64_t first, const Tensor& z, bool transposed) const;

  std::shared_ptr<const Pattern> pattern_;
  MatrixShape shape_;
  std::optional<Chain> chain_;  // what the factors make
  Parts others_;
  Constraint constraint_;
  FitRecord record_;
};

}  // namespace chord
