#include "factorize/spread_scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "operations/copy.hpp"

namespace chord {

template <class T>
void spread_scale(const Tensor& weights, double scale) {
  std::vector<T> values(std::size_t(weights.elements()));
  copy_to_host(weights, values.data());
  const std::size_t factor = values.size() / std::size_t(weights.shape[0]);
  std::vector<double> norms;
  double logarithms = 0;
  for (auto begin = values.begin(); begin != values.end(); begin += std::ptrdiff_t(factor)) {
    double squares = 0;
    std::for_each(begin, begin + std::ptrdiff_t(factor), [&](T value) { squares += double(value) * double(value); });
    norms.push_back(std::sqrt(squares));
    logarithms += std::log(norms.back());
  }
  const double mean = std::exp(logarithms / double(norms.size()));  // 0 if a factor is 0: then nothing to spread
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = T(double(values[i]) * scale * (mean > 0 ? mean / norms[i / factor] : 1));
  copy_from_host(values.data(), weights);
}

template void spread_scale<float>(const Tensor&, double);
template void spread_scale<double>(const Tensor&, double);

}  // namespace chord
