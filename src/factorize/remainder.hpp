// X divided by a number, and what factors leave of it, as operators. Between two panels the one who uses them looks
// whether he is to stop.
#pragma once

#include <functional>

#include "factorize/problem.hpp"
#include "matrix/operator.hpp"
#include "operations/chain.hpp"

namespace chord {

class ScaledOperator : public Operator {
 public:
  /// `between`: called before each panel; what it throws ends the product.
  ScaledOperator(const Operator& x, std::function<void()> between) : x_(x), between_(std::move(between)) {}

  double scale() const { return scale_; }
  void set_scale(double scale) { scale_ = scale; }

  std::int64_t n() const override { return x_.n(); }
  /// Throws where the operator makes numbers that are not finite.
  void apply(const double* in, double* out, std::int64_t columns, bool transposed) const override;

 private:
  const Operator& x_;
  double scale_ = 1;
  std::function<void()> between_;
};

/// out −= F · in, or Fᵀ · in, F being what the factors make; both n × columns values in host memory, row by row.
void subtract_made(const Chain& factors, const double* in, double* out, std::int64_t columns, bool transposed);

/// X − F
class Remainder : public Operator {
 public:
  Remainder(const Operator& x, const Chain& factors) : x_(x), factors_(factors) {}

  std::int64_t n() const override { return x_.n(); }
  void apply(const double* in, double* out, std::int64_t columns, bool transposed) const override;

 private:
  const Operator& x_;
  const Chain& factors_;
};

}  // namespace chord
