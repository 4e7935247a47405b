#include "factorize/remainder.hpp"

#include <cmath>

#include "operations/copy.hpp"

namespace chord {

void ScaledOperator::apply(const double* in, double* out, std::int64_t columns, bool transposed) const {
  between_();
  x_.apply(in, out, columns, transposed);
  const std::int64_t count = n() * columns;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += out[i] /= scale_;
  if (!std::isfinite(sum))
    fail(Status::invalid_argument, "the operator's product", transposed ? ", transposed," : "",
         " has values that are not finite");
}

void subtract_made(const Chain& factors, const double* in, double* out, std::int64_t columns, bool transposed) {
  const auto& context = factors.pattern().context();
  const DataType type = factors.weights().type;
  const std::int64_t n = factors.pattern().n();
  const Tensor v = Tensor::create(context, type, {n, columns}), z = Tensor::create(context, type, {n, columns});
  copy_from_host(std::span<const double>(in, std::size_t(n * columns)), v);
  if (transposed)
    factors.apply_transposed(v, z);
  else
    factors.apply(v, z, nullptr);
  const std::vector<double> made = to_float64(z);
  for (std::size_t i = 0; i < made.size(); ++i) out[i] -= made[i];
}

void Remainder::apply(const double* in, double* out, std::int64_t columns, bool transposed) const {
  x_.apply(in, out, columns, transposed);
  subtract_made(factors_, in, out, columns, transposed);
}

}  // namespace chord
