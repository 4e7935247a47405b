// Parameters of a factorisation as a whole: their size, noise on them, one scale for all factors.
#pragma once

#include "../case.hpp"
#include "common/random.hpp"
#include "kernels/list.hpp"

namespace ops {

inline Values squares_of(const Values& x, std::int64_t factors, std::int64_t size) {
  const std::int64_t pieces = kernels::sum_squares::pieces(size);
  Values sums(std::size_t(factors * pieces), 0.0);
  for (std::int64_t f = 0; f < factors; ++f)
    for (std::int64_t i = 0; i < size; ++i) {
      const double value = x[std::size_t(f * size + i)];
      sums[std::size_t(f * pieces + i / std::int64_t(kernels::squares_piece))] += value * value;
    }
  return sums;
}

struct FactorsCase {
  static Variants variants() { return all({{"factors", {1, 2, 5}}, {"size", {1, 3, 17, 4096, 9000}}}); }
  static Variants realistic() { return all({{"factors", {8}}, {"size", {1 << 14, 1 << 17}}}); }
  static std::size_t count(const Variant& v) { return std::size_t(v["factors"] * v["size"]); }
  static double terms(const Variant& v) { return double(v["size"]); }
};

template <>
struct Case<kernels::sum_squares> : FactorsCase {
  template <class T>
  static kernels::sum_squares::Arguments<T> arguments(const Variant& v, Memory& m) {
    const std::int64_t sums = v["factors"] * kernels::sum_squares::pieces(v["size"]);
    return {.x = m.array<T>("x", count(v)),
            .squares = m.array<double>("squares", std::size_t(sums)),
            .factors = v["factors"],
            .factor_size = v["size"]};
  }
  static void reference(const Variant& v, Arrays& a) { a["squares"] = squares_of(a["x"], v["factors"], v["size"]); }
};

template <>
struct Case<kernels::add_noise> : FactorsCase {
  static constexpr std::uint64_t seed = 0x123456789abcdef0, stream = 0x100000007;
  static constexpr double strength = 0.25;
  template <class T>
  static kernels::add_noise::Arguments<T> arguments(const Variant& v, Memory& m) {
    const Values from = uniform("from", count(v)), squares = squares_of(from, 1, std::int64_t(count(v)));
    return {.from = m.array<T>("from", from),
            .to = m.array<T>("to", count(v)),
            .squares = m.array<double>("squares", squares),
            .count = std::int64_t(count(v)),
            .squares_count = std::int64_t(squares.size()),
            .seed = std::int64_t(seed),
            .stream = std::int64_t(stream),
            .strength = strength};
  }
  static void reference(const Variant&, Arrays& a) {
    const Values& from = a["from"];
    double sum = 0;
    for (const double each : from) sum += each * each;
    const double size = std::sqrt(sum / double(from.size()));
    const chord::Random random(seed, stream);
    for (std::size_t i = 0; i < from.size(); ++i) a["to"][i] = from[i] + strength * size * random.normal(i);
  }
};

template <>
struct Case<kernels::spread_factors> : FactorsCase {
  /// zero: the last factor is
  static Variants variants() {
    return all({{"factors", {1, 2, 5}}, {"size", {1, 3, 17, 4096, 9000}}, {"zero", {0, 1}}});
  }
  static Variants realistic() { return all({{"factors", {8}}, {"size", {1 << 14, 1 << 17}}, {"zero", {0}}}); }
  template <class T>
  static kernels::spread_factors::Arguments<T> arguments(const Variant& v, Memory& m) {
    Values x = uniform("x", count(v));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::int64_t factor = std::int64_t(i) / v["size"];
      x[i] = v["zero"] && factor + 1 == v["factors"] ? 0 : std::ldexp(x[i], int(3 * factor));
    }
    return {.x = m.array<T>("x", x),
            .squares = m.array<double>("squares", squares_of(x, v["factors"], v["size"])),
            .factors = v["factors"],
            .factor_size = v["size"],
            .scale = 1.5};
  }
  static void reference(const Variant& v, Arrays& a) {
    Values& x = a["x"];
    Values norms(static_cast<std::size_t>(v["factors"]), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) norms[i / std::size_t(v["size"])] += x[i] * x[i];
    double product = 1;
    for (double& each : norms) product *= each = std::sqrt(each);
    const double mean = std::pow(product, 1 / double(norms.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] *= 1.5 * (product > 0 ? mean / norms[i / std::size_t(v["size"])] : 1);
  }
};

}  // namespace ops
