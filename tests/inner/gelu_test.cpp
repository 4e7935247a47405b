// The polynomials of exp and GELU against the standard library, in long double.
#include "kernels/gelu.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "kernels/philox.hpp"

using namespace chord;

namespace {

template <class T>
constexpr long double epsilon = std::numeric_limits<T>::epsilon();

long double distribution(long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); }
long double density(long double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0L)); }

template <class T, int Width>
void check_exponential(double lowest) {
  long double worst = 0;
  for (double x = lowest; x <= 80; x += 0.0137) {
    const T argument = T(x);
    const auto found = kernels::exponential<T, Width>(kernels::vector<T, Width>{} + argument);
    for (int i = 0; i < Width; ++i) {
      const long double expected = std::exp((long double)argument);
      worst = std::max(worst, std::abs(found[i] - expected) / expected);
    }
  }
  CHECK(double(worst / epsilon<T>) < 1);
}

/// GELU and its slope of one value.
template <class T>
struct Found {
  T value, slope;
};

template <class T, class Gelu>
void check_gelu(Gelu gelu) {
  long double worst = 0, worst_slope = 0, worst_far = 0;
  for (double x = -40; x <= 40; x += 0.00173) {
    const T argument = T(x);
    const long double exact = argument;
    const Found<T> found = gelu(argument);
    const long double expected = exact * distribution(exact);
    const long double expected_slope = distribution(exact) + exact * density(exact);
    if (std::abs(x) < 4 && expected != 0)
      worst = std::max(worst, std::abs((found.value - expected) / expected));
    else
      worst_far = std::max(worst_far, std::abs(found.value - expected) / std::max(1.0L, std::abs(exact)));
    worst_slope = std::max(worst_slope, std::abs(found.slope - expected_slope));
  }
  CHECK(double(worst / epsilon<T>) < 4.5);
  CHECK(double(worst_far / epsilon<T>) < 1);
  CHECK(double(worst_slope / epsilon<T>) < 2);
}

template <class T, int Width>
void check_gelu_of_vectors() {
  check_gelu<T>([](T x) {
    kernels::vector<T, Width> slope;
    const auto found = kernels::gelu_with_slope<T, Width>(kernels::vector<T, Width>{} + x, slope);
    const auto alone = kernels::gelu<T, Width>(kernels::vector<T, Width>{} + x);
    for (int i = 0; i < Width; ++i) {
      REQUIRE(found[i] == alone[i]);
      REQUIRE(found[i] == found[0]);
    }
    return Found<T>{found[0], slope[0]};
  });
}

template <class T, class Reciprocal>
void check_gelu_of_lane(Reciprocal reciprocal) {
  check_gelu<T>([&](T x) {
    Found<T> found;
    found.value = kernels::gelu_of_lane<T>(x, found.slope, reciprocal);
    return found;
  });
}

/// The farthest from 1 / x, on one side, that is right to a unit in the last place: what an instruction may return.
float reciprocal_towards(float x, float end) {
  const float nearest = 1 / x;
  const double exact = 1 / double(x);
  const bool beyond = end > 0 ? nearest > exact : nearest < exact;
  return beyond ? nearest : std::nextafter(nearest, end);
}

template <class T>
void check_reciprocal() {
  long double worst = 0;
  for (long double x = 1; x < 1e6L; x *= 1.00037L) {
    const T argument = T(x);
    worst = std::max(worst, std::abs(kernels::newton_reciprocal(argument) * (long double)argument - 1));
  }
  CHECK(double(worst / epsilon<T>) < 1);
}

}  // namespace

TEST_CASE("exp is right to a unit in the last place") {
  check_exponential<float, 8>(-86);
  check_exponential<float, 1>(-86);
  check_exponential<double, 4>(-700);
}

TEST_CASE("exp of what is too small is tiny, and of infinity nothing worse") {
  const auto tiny =
      kernels::exponential<float, 1>(kernels::vector<float, 1>{} - std::numeric_limits<float>::infinity());
  CHECK(tiny[0] >= 0);
  CHECK(tiny[0] < 2e-38f);
}

TEST_CASE("GELU and its slope are as precise as they claim") {
  check_gelu_of_vectors<float, 16>();  // by a table
  check_gelu_of_vectors<float, 8>();
  check_gelu_of_vectors<float, 1>();
  check_gelu_of_vectors<double, 4>();
  check_gelu_of_vectors<double, 1>();
}

TEST_CASE("GELU of a GPU's lane, without divisions, is as precise") {
  check_reciprocal<float>();
  check_reciprocal<double>();
  check_gelu_of_lane<float>(kernels::Reciprocal());
  check_gelu_of_lane<double>(kernels::Reciprocal());
}

TEST_CASE("GELU of a GPU's lane is as precise with the worst reciprocal that its instruction may return") {
  check_gelu_of_lane<float>([](float x) { return reciprocal_towards(x, INFINITY); });
  check_gelu_of_lane<float>([](float x) { return reciprocal_towards(x, -INFINITY); });
}

TEST_CASE("GELU of NaN is NaN") {
  const auto by_table = [](float x) { return kernels::gelu<float, 16>(kernels::vector<float, 16>{} + x)[7]; };
  CHECK(std::isnan(by_table(NAN)));
  CHECK(by_table(INFINITY) == INFINITY);
  CHECK(by_table(-INFINITY) == 0);
  const auto nothing = kernels::gelu<float, 1>(kernels::vector<float, 1>{} + NAN);
  CHECK(std::isnan(nothing[0]));
  float slope;
  CHECK(std::isnan(kernels::gelu_of_lane<float>(NAN, slope)));
  CHECK(kernels::gelu_of_lane<float>(INFINITY, slope) == INFINITY);
}

TEST_CASE("Philox gives its published numbers") {
  // Known answers of Random123's test vectors for philox4x32 with 10 rounds.
  std::uint32_t zeros[4] = {0, 0, 0, 0};
  kernels::philox(zeros, 0, 0);
  CHECK(zeros[0] == 0x6627e8d5);
  CHECK(zeros[1] == 0xe169c58d);
  CHECK(zeros[2] == 0xbc57ac4c);
  CHECK(zeros[3] == 0x9b00dbd8);
  std::uint32_t ones[4] = {~0u, ~0u, ~0u, ~0u};
  kernels::philox(ones, ~0u, ~0u);
  CHECK(ones[0] == 0x408f276d);
  CHECK(ones[1] == 0x41c83b0e);
  CHECK(ones[2] == 0xa20bc7c6);
  CHECK(ones[3] == 0x6d5451fd);
}
