// Vector work of the quasi-Newton descent.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

template <>
struct Case<kernels::descent_step> {
  static Variants variants() {
    return all(
        {{"size", {0, 1, 3, 17, 1000, 4097}}, {"pairs", {1, 3}}, {"chunk", {7, 100, 2048}}, {"history", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"size", {1 << 16, 1 << 20}}, {"pairs", {10}}, {"chunk", {8192}}, {"history", {1}}});
  }
  static constexpr double length = 0.75;
  /// One of them zero: its row is left out, whatever it holds.
  static Values coefficients(std::int64_t count) {
    Values values = uniform("coefficients", std::size_t(count));
    values[1] = 0;
    return values;
  }
  template <class T>
  static kernels::descent_step::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto size = std::size_t(v["size"]);
    const std::int64_t rows = 2 * v["pairs"];
    Values history = uniform("history", std::size_t(rows) * size);
    std::fill(history.begin() + std::ptrdiff_t(size), history.begin() + std::ptrdiff_t(2 * size), 1e30);
    return {.history = v["history"] ? m.array<T>("history", history) : nullptr,
            .gradient = m.array<T>("gradient", size),
            .coefficients = m.array<double>("coefficients", coefficients(rows + 1)),
            .x = m.array<T>("x", size),
            .direction = m.array<T>("direction", size),
            .trial = m.array<T>("trial", size),
            .rows = rows,
            .size = v["size"],
            .chunk_size = v["chunk"],
            .length = length};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto size = std::size_t(v["size"]), rows = std::size_t(2 * v["pairs"]);
    for (std::size_t i = 0; i < size; ++i) {
      if (v["history"]) {
        double sum = a["coefficients"][rows] * a["gradient"][i];
        for (std::size_t j = 0; j < rows; ++j) sum += a["coefficients"][j] * a["history"][j * size + i];
        a["direction"][i] = sum;
      }
      a["trial"][i] = a["x"][i] + length * a["direction"][i];
    }
  }
  static double terms(const Variant& v) { return double(2 * v["pairs"] + 2); }
};

template <>
struct Case<kernels::descent_dots> {
  static Variants variants() {
    return only(all({{"size", {0, 1, 3, 17, 1000, 4097}},
                     {"pairs", {1, 3}},
                     {"slot", {0, 2}},
                     {"used", {1, 2, 3}},
                     {"chunk", {7, 100, 2048}}}),
                [](const Variant& v) { return v["slot"] < v["used"] && v["used"] <= v["pairs"]; });
  }
  static Variants realistic() {
    return all({{"size", {1 << 16, 1 << 20}}, {"pairs", {10}}, {"slot", {3}}, {"used", {10}}, {"chunk", {8192}}});
  }
  /// Chunks of a GPU.
  static Variant counted() {
    return all({{"size", {1 << 16}}, {"pairs", {10}}, {"slot", {3}}, {"used", {10}}, {"chunk", {256}}})[0];
  }
  static std::int64_t chunks(const Variant& v) { return (v["size"] + v["chunk"] - 1) / v["chunk"]; }
  template <class T>
  static kernels::descent_dots::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto size = std::size_t(v["size"]);
    return {.history = m.array<T>("history", std::size_t(2 * v["pairs"]) * size),
            .x = m.array<T>("x", size),
            .trial = m.array<T>("trial", size),
            .gradient = m.array<T>("gradient", size),
            .new_gradient = m.array<T>("new_gradient", size),
            .dots = m.array<double>("dots", std::size_t(chunks(v) * (2 * v["pairs"] + 1) * 3)),
            .pairs = v["pairs"],
            .slot = v["slot"],
            .used = v["used"],
            .size = v["size"],
            .chunk_size = v["chunk"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const std::int64_t size = v["size"], pairs = v["pairs"], s_row = v["slot"], y_row = pairs + v["slot"];
    Values& h = a["history"];
    const auto at = [&](std::int64_t row, std::int64_t i) { return std::size_t(row * size + i); };
    for (std::int64_t i = 0; i < size; ++i) {
      h[at(s_row, i)] = a["trial"][std::size_t(i)] - a["x"][std::size_t(i)];
      h[at(y_row, i)] = a["new_gradient"][std::size_t(i)] - a["gradient"][std::size_t(i)];
    }
    const auto value = [&](std::int64_t row, std::int64_t i) {
      return row == 2 * pairs ? a["new_gradient"][std::size_t(i)] : h[at(row, i)];
    };
    const std::int64_t with[] = {s_row, y_row, 2 * pairs};
    for (std::int64_t row = 0; row <= 2 * pairs; ++row) {
      if (row < 2 * pairs && row % pairs >= v["used"]) continue;
      for (std::int64_t chunk = 0; chunk < chunks(v); ++chunk)
        for (std::int64_t d = 0; d < 3; ++d) {
          double sum = 0;
          for (std::int64_t i = chunk * v["chunk"]; i < std::min(size, (chunk + 1) * v["chunk"]); ++i)
            sum += value(row, i) * value(with[d], i);
          a["dots"][std::size_t((chunk * (2 * pairs + 1) + row) * 3 + d)] = sum;
        }
    }
  }
  static double terms(const Variant& v) { return double(v["chunk"]); }
};

}  // namespace ops
