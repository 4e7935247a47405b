#include "factorize/noise.hpp"

#include "device/launch.hpp"

namespace chord {

template <class T>
void add_noise(Context& context, const T* from, T* to, std::int64_t count, double strength, const Random& random) {
  const std::int64_t pieces = kernels::sum_squares::pieces(count);
  const Scratch squares(context, std::size_t(pieces) * sizeof(double));
  auto queue = context.submit();
  launch<kernels::sum_squares, T>(*queue,
                                  {.x = from, .squares = squares.as<double>(), .factors = 1, .factor_size = count});
  launch<kernels::add_noise, T>(*queue, {.from = from,
                                         .to = to,
                                         .squares = squares.as<double>(),
                                         .count = count,
                                         .squares_count = pieces,
                                         .seed = std::int64_t(random.seed()),
                                         .stream = std::int64_t(random.stream()),
                                         .strength = strength});
}

template void add_noise(Context&, const float*, float*, std::int64_t, double, const Random&);
template void add_noise(Context&, const double*, double*, std::int64_t, double, const Random&);

}  // namespace chord
