// Noise on factors and their common scale, on every device, against the standard library's functions.
#include "kernels/factors.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "../difference.hpp"
#include "common/random.hpp"
#include "device/devices.hpp"
#include "factorize/noise.hpp"
#include "factorize/spread_scale.hpp"
#include "operations/copy.hpp"

using namespace chord;
using testing::difference;

namespace {

std::vector<double> normals(std::size_t count, std::uint64_t stream) {
  const Random random(7, stream);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random.normal(i);
  return values;
}

template <class Body>
void on_every_device(Body body) {
  for (const DeviceDescription& device : devices()) {
    CAPTURE(device.selector);
    body(Context::open(device.selector));
  }
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(std::size_t(tensor.elements()));
  copy_to_host(tensor, values.data());
  return values;
}

double norm(const std::vector<double>& values, std::size_t first, std::size_t count) {
  double squares = 0;
  for (std::size_t i = first; i < first + count; ++i) squares += values[i] * values[i];
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("the logarithm and the cosine are the library's to a few units in the last place") {
  double logarithm = 0, cosine = 0;
  for (int i = 1; i < 100000; ++i) {
    const double x = i / 100000.0;
    logarithm = std::max(logarithm, std::abs(kernels::logarithm(x) / std::log(x) - 1));
    cosine = std::max(cosine, std::abs(kernels::cosine_of_turns(x) - std::cos(6.283185307179586476925 * x)));
  }
  for (double x = 1e-300; x < 1e300; x *= 3.7)
    logarithm = std::max(logarithm, std::abs(kernels::logarithm(x) / std::log(x) - 1));
  CHECK(logarithm < 5e-16);
  CHECK(cosine < 1e-15);
  CHECK(kernels::logarithm(1) == 0);
}

TEST_CASE("noise is normal number i of its stream for value i, relative to the values' size") {
  on_every_device([](const std::shared_ptr<Context>& context) {
    for (const std::int64_t count : {1, 17, 4096, 10007}) {
      CAPTURE(count);
      const std::vector<double> values = normals(std::size_t(count), 1);
      const Tensor from = Tensor::create(context, DataType::float64, {count}),
                   to = Tensor::create(context, DataType::float64, {count});
      copy_from_host(values, from);
      const Random random(11, (std::uint64_t(1) << 32) + 5);
      add_noise(*context, from.data<double>(), to.data<double>(), count, 0.3, random);
      std::vector<double> expected = values;
      const double size = norm(values, 0, values.size()) / std::sqrt(double(count));
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += 0.3 * size * random.normal(i);
      CHECK(difference(values_of(to), expected) < 1e-14);
    }
  });
}

TEST_CASE("factors get one norm and their product the scale; a zero among them changes nothing else") {
  on_every_device([](const std::shared_ptr<Context>& context) {
    for (const auto& [factors, n, links] : {std::array<std::int64_t, 3>{1, 3, 2}, {3, 17, 4}, {5, 1000, 9}}) {
      CAPTURE(n);
      const std::size_t size = std::size_t(n * links);
      std::vector<double> values = normals(std::size_t(factors) * size, 2);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] *= std::pow(100.0, double(i / size));
      const Tensor weights = Tensor::create(context, DataType::float64, {factors, n, links});
      copy_from_host(values, weights);
      spread_scale<double>(weights, 2);
      double mean = 1;
      for (std::int64_t f = 0; f < factors; ++f)
        mean *= std::pow(norm(values, std::size_t(f) * size, size), 1.0 / double(factors));
      std::vector<double> expected = values;
      for (std::size_t i = 0; i < values.size(); ++i) expected[i] *= 2 * mean / norm(values, i / size * size, size);
      CHECK(difference(values_of(weights), expected) < 1e-13);

      if (factors == 1) continue;
      std::fill(values.begin(), values.begin() + std::ptrdiff_t(size), 0.0);
      copy_from_host(values, weights);
      spread_scale<double>(weights, 2);
      for (double& value : values) value *= 2;
      CHECK(values_of(weights) == values);
    }
  });
}
