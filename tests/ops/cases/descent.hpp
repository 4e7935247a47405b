// Vector work of the quasi-Newton descent.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

/// What descents are to do: the coefficients of each and, behind them, length, turn, slot and pairs in use.
struct OrdersCase {
  using Turn = kernels::DescentTurn;
  static constexpr double length = 0.75;
  static Turn turn_of(const Variant& v, std::int64_t descent) {
    // Of several, each does something else.
    return Turn((v["turn"] + descent) % 5);
  }
  static std::int64_t rows(const Variant& v) { return 2 * v["pairs"]; }
  static std::int64_t order_size(const Variant& v) { return rows(v) + 1 + kernels::DescentOrder::numbers; }
  /// One of the coefficients is zero: its row is left out, whatever it holds.
  static Values orders(const Variant& v, std::int64_t slot, std::int64_t used) {
    Values all;
    for (std::int64_t descent = 0; descent < v["descents"]; ++descent) {
      Values each = uniform("coefficients", std::size_t(rows(v) + 1));
      each[1] = 0;
      for (const double number : {length, double(int(turn_of(v, descent))), double(slot), double(used), 0.0})
        each.push_back(number);
      all.insert(all.end(), each.begin(), each.end());
    }
    return all;
  }
};

template <>
struct Case<kernels::descent_step> : OrdersCase {
  static Variants variants() {
    return all({{"size", {0, 1, 3, 17, 1000, 4097}},
                {"pairs", {1, 3}},
                {"chunk", {7, 100, 2048}},
                {"turn", {2, 3, 4}},
                {"descents", {1}}}) +
           all({{"size", {17, 100}}, {"pairs", {3}}, {"chunk", {7}}, {"turn", {0, 1}}, {"descents", {1, 7}}});
  }
  static Variants realistic() {
    return all({{"size", {1 << 16, 1 << 20}}, {"pairs", {10}}, {"chunk", {8192}}, {"turn", {4}}, {"descents", {1}}});
  }
  template <class T>
  static kernels::descent_step::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto size = std::size_t(v["size"]), all = std::size_t(v["descents"]) * size;
    Values history = uniform("history", std::size_t(rows(v)) * all);
    for (std::size_t i = 0; i < history.size(); ++i)
      if (i / size % std::size_t(rows(v)) == 1) history[i] = 1e30;
    return {.history = m.array<T>("history", history),
            .new_gradient = m.array<T>("new_gradient", all),
            .orders = m.array<double>("orders", orders(v, 0, 1)),
            .x = m.array<T>("x", all),
            .gradient = m.array<T>("gradient", all),
            .direction = m.array<T>("direction", all),
            .trial = m.array<T>("trial", all),
            .descents = v["descents"],
            .rows = rows(v),
            .size = v["size"],
            .chunk_size = v["chunk"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto size = std::size_t(v["size"]), rows = std::size_t(2 * v["pairs"]);
    for (std::size_t i = 0; i < a["x"].size(); ++i) {
      const std::size_t descent = i / size;
      const Turn turn = turn_of(v, std::int64_t(descent));
      if (turn == Turn::none) continue;
      if (turn == Turn::move || turn == Turn::begin) a["x"][i] = a["trial"][i];
      if (turn == Turn::begin) continue;
      if (turn == Turn::move) a["gradient"][i] = a["new_gradient"][i];
      if (turn != Turn::again) {
        const double* coefficients = &a["orders"][descent * std::size_t(order_size(v))];
        double sum = coefficients[rows] * a["gradient"][i];
        for (std::size_t j = 0; j < rows; ++j)
          sum += coefficients[j] * a["history"][(descent * rows + j) * size + i % size];
        a["direction"][i] = sum;
      }
      a["trial"][i] = a["x"][i] + length * a["direction"][i];
    }
  }
  static double terms(const Variant& v) { return double(2 * v["pairs"] + 2); }
};

template <>
struct Case<kernels::descent_dots> : OrdersCase {
  static Variants variants() {
    return only(all({{"size", {0, 1, 3, 17, 1000, 4097}},
                     {"pairs", {1, 3}},
                     {"slot", {0, 2}},
                     {"used", {1, 2, 3}},
                     {"chunk", {7, 100, 2048}},
                     {"turn", {1, 3}},
                     {"descents", {1}}}) +
                    all({{"size", {17, 300}},
                         {"pairs", {3}},
                         {"slot", {1}},
                         {"used", {2}},
                         {"chunk", {100}},
                         {"turn", {0}},
                         {"descents", {1, 7}}}),
                [](const Variant& v) { return v["slot"] < v["used"] && v["used"] <= v["pairs"]; });
  }
  static Variants realistic() {
    return all({{"size", {1 << 16, 1 << 20}},
                {"pairs", {10}},
                {"slot", {3}},
                {"used", {10}},
                {"chunk", {8192}},
                {"turn", {4}},
                {"descents", {1}}});
  }
  /// Chunks of a GPU.
  static Variant counted() {
    return all({{"size", {1 << 16}},
                {"pairs", {10}},
                {"slot", {3}},
                {"used", {10}},
                {"chunk", {256}},
                {"turn", {4}},
                {"descents", {1}}})[0];
  }
  static std::int64_t chunks(const Variant& v) { return (v["size"] + v["chunk"] - 1) / v["chunk"]; }
  template <class T>
  static kernels::descent_dots::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto all = std::size_t(v["descents"] * v["size"]);
    return {.history = m.array<T>("history", std::size_t(rows(v)) * all),
            .x = m.array<T>("x", all),
            .trial = m.array<T>("trial", all),
            .gradient = m.array<T>("gradient", all),
            .new_gradient = m.array<T>("new_gradient", all),
            .orders = m.array<double>("orders", orders(v, v["slot"], v["used"])),
            .dots = m.array<double>("dots", std::size_t(v["descents"] * chunks(v) * (rows(v) + 1) * 3)),
            .descents = v["descents"],
            .pairs = v["pairs"],
            .size = v["size"],
            .chunk_size = v["chunk"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    for (std::int64_t descent = 0; descent < v["descents"]; ++descent)
      if (turn_of(v, descent) != Turn::none) reference_of(descent, v, a);
  }
  static void reference_of(std::int64_t descent, const Variant& v, Arrays& a) {
    const std::int64_t size = v["size"], pairs = v["pairs"], s_row = v["slot"], y_row = pairs + v["slot"];
    Values& h = a["history"];
    const auto at = [&](std::int64_t row, std::int64_t i) {
      return std::size_t((descent * 2 * pairs + row) * size + i);
    };
    const auto of = [&](const char* name, std::int64_t i) { return a[name][std::size_t(descent * size + i)]; };
    const bool begins = turn_of(v, descent) == Turn::begin;
    for (std::int64_t i = 0; i < size; ++i) {
      h[at(s_row, i)] = of("trial", i) - of("x", i);
      h[at(y_row, i)] = begins ? 0 : of("new_gradient", i) - of("gradient", i);
    }
    const auto value = [&](std::int64_t row, std::int64_t i) {
      return row == 2 * pairs ? of("new_gradient", i) : h[at(row, i)];
    };
    const std::int64_t with[] = {s_row, y_row, 2 * pairs};
    for (std::int64_t row = 0; row <= 2 * pairs; ++row) {
      if (row < 2 * pairs && row % pairs >= v["used"]) continue;
      for (std::int64_t chunk = 0; chunk < chunks(v); ++chunk)
        for (std::int64_t d = 0; d < 3; ++d) {
          double sum = 0;
          for (std::int64_t i = chunk * v["chunk"]; i < std::min(size, (chunk + 1) * v["chunk"]); ++i)
            sum += value(row, i) * value(with[d], i);
          a["dots"][std::size_t(((descent * chunks(v) + chunk) * (2 * pairs + 1) + row) * 3 + d)] = sum;
        }
    }
  }
  static double terms(const Variant& v) { return double(v["chunk"]); }
};

}  // namespace ops
