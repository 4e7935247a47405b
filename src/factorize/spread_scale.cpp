#include "factorize/spread_scale.hpp"

#include "device/launch.hpp"

namespace chord {

template <class T>
void spread_scale(const Tensor& weights, double scale) {
  const std::int64_t factors = weights.shape[0], size = weights.elements() / factors;
  const std::int64_t pieces = kernels::sum_squares::pieces(size);
  const Scratch squares(weights.context(), std::size_t(factors * pieces) * sizeof(double));
  auto queue = weights.context().submit();
  launch<kernels::sum_squares, T>(
      *queue, {.x = weights.data<T>(), .squares = squares.as<double>(), .factors = factors, .factor_size = size});
  launch<kernels::spread_factors, T>(*queue, {.x = weights.data<T>(),
                                              .squares = squares.as<double>(),
                                              .factors = factors,
                                              .factor_size = size,
                                              .scale = scale});
}

template void spread_scale<float>(const Tensor&, double);
template void spread_scale<double>(const Tensor&, double);

}  // namespace chord
