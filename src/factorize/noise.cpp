#include "factorize/noise.hpp"

#include <cmath>
#include <vector>

namespace chord {

template <class T>
void add_noise(Context& context, const T* from, T* to, std::int64_t count, double strength, const Random& random) {
  std::vector<T> values(static_cast<std::size_t>(count));
  context.submit()->copy(values.data(), from, values.size() * sizeof(T));
  context.wait();
  double squares = 0;
  for (const T value : values) squares += double(value) * double(value);
  const double noise = strength * std::sqrt(squares / double(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += T(noise * random.normal(i));
  context.submit()->copy(to, values.data(), values.size() * sizeof(T));
  context.wait();
}

template void add_noise(Context&, const float*, float*, std::int64_t, double, const Random&);
template void add_noise(Context&, const double*, double*, std::int64_t, double, const Random&);

}  // namespace chord
