// Copies, sums and unit vectors; indices checked.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

/// A box whose columns are strided too.
struct StridedBox {
  Box box;
  std::int64_t column_stride;
  StridedBox(const Variant& v, std::int64_t gap, std::int64_t step)
      : box{v["factors"], v["sequences"], v["rows"], v["columns"] * step, gap}, column_stride(step) {}
  std::size_t at(std::int64_t f, std::int64_t s, std::int64_t r, std::int64_t c) const {
    return box.at(f, s, r, c * column_stride);
  }
};

template <class Body>
void for_each_place(const Variant& v, Body body) {
  for (std::int64_t f = 0; f < v["factors"]; ++f)
    for (std::int64_t s = 0; s < v["sequences"]; ++s)
      for (std::int64_t r = 0; r < v["rows"]; ++r)
        for (std::int64_t c = 0; c < v["columns"]; ++c) body(f, s, r, c);
}

struct StridedCase {
  static Variants variants() {
    return all({{"factors", {0, 1, 2}},
                {"sequences", {1, 3}},
                {"rows", {1, 17}},
                {"columns", {1, 7, 33}},
                {"step", {1, 2}}}) +
           all({{"factors", {1}}, {"sequences", {1}}, {"rows", {4097}}, {"columns", {3}}, {"step", {1, 3}}});
  }
  static Variants realistic() {
    return all({{"factors", {1}}, {"sequences", {1}}, {"rows", {4096, 65536}}, {"columns", {64}}, {"step", {1, 2}}});
  }
  static double terms(const Variant&) { return 1; }
};

template <>
struct Case<kernels::copy_strided> : StridedCase {
  static Variants variants() {
    return StridedCase::variants() +
           all({{"factors", {1, 2}}, {"sequences", {3}}, {"rows", {17}}, {"columns", {7, 64}}, {"step", {0}}});
  }
  /// Of rows that lie one behind the other (step 0): where columns are strided, so are sectors.
  static Variant counted() {
    return all({{"factors", {1}}, {"sequences", {1}}, {"rows", {4096}}, {"columns", {64}}, {"step", {0}}})[0];
  }
  static bool dense(const Variant& v) { return v["step"] == 0; }
  static StridedBox from(const Variant& v) { return {v, dense(v) ? 0 : 2, dense(v) ? 1 : v["step"]}; }
  static StridedBox to(const Variant& v) { return {v, dense(v) ? 0 : 3, v["step"] == 1 ? 2 : 1}; }

  template <class T>
  static kernels::copy_strided::Arguments<T> arguments(const Variant& v, Memory& m) {
    const StridedBox source = from(v), target = to(v);
    return {.from = source.box.view<const T>(m.array<T>("from", integers("from", source.box.size(), 0, 1 << 30))),
            .to = target.box.view(m.array<T>("to", integers("to", target.box.size(), 0, 1 << 30))),
            .from_column_stride = source.column_stride,
            .to_column_stride = target.column_stride,
            .factors = v["factors"],
            .sequences = v["sequences"],
            .rows = v["rows"],
            .columns = v["columns"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const StridedBox source = from(v), target = to(v);
    for_each_place(v, [&](auto... place) { a["to"][target.at(place...)] = a["from"][source.at(place...)]; });
  }
};

template <>
struct Case<kernels::fill_strided> : StridedCase {
  static constexpr std::uint32_t value = 0x12345678;

  template <class T>
  static kernels::fill_strided::Arguments<T> arguments(const Variant& v, Memory& m) {
    const StridedBox target(v, 3, v["step"]);
    return {.to = target.box.view(m.array<T>("to", integers("to", target.box.size(), 0, 1 << 28))),
            .column_stride = target.column_stride,
            .factors = v["factors"],
            .sequences = v["sequences"],
            .rows = v["rows"],
            .columns = v["columns"],
            .value = T(value)};
  }
  static void reference(const Variant& v, Arrays& a) {
    const StridedBox target(v, 3, v["step"]);
    for_each_place(v, [&](auto... place) { a["to"][target.at(place...)] = value; });
  }
};

template <>
struct Case<kernels::clear_padding> {
  static Variants variants() {
    return all(
        {{"factors", {0, 1, 3}}, {"sequences", {1, 5}}, {"rows", {1, 17}}, {"columns", {1, 7}}, {"gap", {0, 3}}});
  }
  static Variants realistic() {
    return all({{"factors", {1, 11}}, {"sequences", {32}}, {"rows", {1024}}, {"columns", {12}}, {"gap", {0}}});
  }
  static double terms(const Variant&) { return 1; }
  static Box box(const Variant& v) { return {v["factors"], v["sequences"], v["rows"], v["columns"], v["gap"]}; }
  /// Some that are no lengths, too: below them is nothing, beyond them no padding.
  static Values lengths(const Variant& v) {
    return integers("lengths", std::size_t(v["sequences"]), -2, v["rows"] + 2);
  }

  template <class T>
  static kernels::clear_padding::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.x = box(v).view(m.array<T>("x", integers("x", box(v).size(), -1000, 1000))),
            .lengths = m.array<std::int32_t>("lengths", lengths(v)),
            .factors = v["factors"],
            .sequences = v["sequences"],
            .rows = v["rows"],
            .columns = v["columns"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    for (std::int64_t s = 0; s < v["sequences"]; ++s)
      for (std::int64_t r = v["rows"] - 1; r >= 0 && double(r) >= lengths(v)[std::size_t(s)]; --r)
        for (std::int64_t f = 0; f < v["factors"]; ++f)
          for (std::int64_t c = 0; c < v["columns"]; ++c) a["x"][box(v).at(f, s, r, c)] = 0;
  }
};

/// Batches of rows, from one place to another.
struct RowsCase {
  static Variants sizes() {
    return all({{"sequences", {0, 1, 3}}, {"rows", {0, 1, 17}}, {"columns", {1, 7, 33}}, {"gap", {0, 3}}}) +
           all({{"sequences", {1}}, {"rows", {4097}}, {"columns", {5}}, {"gap", {0}}});
  }
  static Variants realistic_sizes() {
    return all({{"sequences", {1}}, {"rows", {4096, 65536}}, {"columns", {64}}, {"gap", {0}}});
  }
  static Box from(const Variant& v) { return {1, v["sequences"], v["rows"], v["columns"], v["gap"]}; }
  static Box to(const Variant& v) { return {1, v["sequences"], v["rows"], v["columns"], 2 * v["gap"]}; }
  template <class T>
  static kernels::RowArguments<T> rows(const Variant& v, Memory& m) {
    return {.from = m.view<T>("from", from(v)),
            .to = m.view<T>("to", to(v)),
            .sequences = v["sequences"],
            .rows = v["rows"],
            .columns = v["columns"]};
  }
  template <class Rule>
  static void change(const Variant& v, Arrays& a, Rule rule) {
    for (std::int64_t s = 0; s < v["sequences"]; ++s)
      for (std::int64_t i = 0; i < v["rows"]; ++i)
        for (std::int64_t c = 0; c < v["columns"]; ++c)
          rule(a["to"][to(v).at(0, s, i, c)], a["from"][from(v).at(0, s, i, c)]);
  }
  static double terms(const Variant&) { return 2; }
};

template <>
struct Case<kernels::add_rows> : RowsCase {
  static Variants with_flag(const Variants& sizes) {
    Variants more;
    for (const Variant& v : sizes)
      for (const int accumulate : {0, 1}) more.push_back(v.with("accumulate", accumulate));
    return more;
  }
  static Variants variants() { return with_flag(sizes()); }
  static Variants realistic() { return with_flag(realistic_sizes()); }
  template <class T>
  static kernels::add_rows::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.batch = rows<T>(v, m), .accumulate = std::int32_t(v["accumulate"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    change(v, a, [&](double& to, double from) { to = from + (v["accumulate"] ? to : 0); });
  }
};

template <>
struct Case<kernels::average_rows> : RowsCase {
  static Variants variants() { return sizes(); }
  static Variants realistic() { return realistic_sizes(); }
  template <class T>
  static kernels::average_rows::Arguments<T> arguments(const Variant& v, Memory& m) {
    return rows<T>(v, m);
  }
  static void reference(const Variant& v, Arrays& a) {
    change(v, a, [](double& to, double from) { to = (to + from) / 2; });
  }
};

template <>
struct Case<kernels::sum_partials> {
  static Variants variants() {
    return all({{"partials", {0, 1, 2, 16}},
                {"factors", {0, 1, 3}},
                {"rows", {1, 17}},
                {"columns", {1, 7, 33}},
                {"gap", {0, 3}},
                {"accumulate", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"partials", {2, 16}},
                {"factors", {10}},
                {"rows", {1024}},
                {"columns", {11}},
                {"gap", {0}},
                {"accumulate", {0}}});
  }
  /// Of the networks of the adding problem; the gap makes whole sectors of a worker's sums.
  static Variant counted() {
    return all({{"partials", {432}},
                {"factors", {1}},
                {"rows", {1}},
                {"columns", {15972}},
                {"gap", {2}},
                {"accumulate", {0}}})[0];
  }
  static Box to(const Variant& v) { return {v["factors"], 1, v["rows"], v["columns"], v["gap"]}; }
  static std::int64_t apart(const Variant& v) { return v["factors"] * v["rows"] * v["columns"] + 2 * v["gap"]; }
  template <class T>
  static kernels::sum_partials::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.partial = m.array<T>("partial", std::size_t(v["partials"] * apart(v))),
            .to = m.view<T>("to", to(v)),
            .partials = v["partials"],
            .partial_size = apart(v),
            .factors = v["factors"],
            .rows = v["rows"],
            .columns = v["columns"],
            .accumulate = std::int32_t(v["accumulate"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    for (std::int64_t f = 0; f < v["factors"]; ++f)
      for (std::int64_t i = 0; i < v["rows"]; ++i)
        for (std::int64_t c = 0; c < v["columns"]; ++c) {
          double& to_here = a["to"][to(v).at(f, 0, i, c)];
          double sum = v["accumulate"] ? to_here : 0;
          for (std::int64_t p = 0; p < v["partials"]; ++p)
            sum += a["partial"][std::size_t(p * apart(v) + (f * v["rows"] + i) * v["columns"] + c)];
          to_here = sum;
        }
  }
  static double terms(const Variant& v) { return double(v["partials"] + 1); }
};

template <>
struct Case<kernels::unit_columns> {
  static Variants variants() {
    return all({{"rows", {0, 1, 2, 17, 1000}}, {"columns", {1, 7, 33}}, {"gap", {0, 3}}, {"indexed", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"rows", {4096, 65536}}, {"columns", {64}}, {"gap", {0}}, {"indexed", {0}}});
  }
  static Box z(const Variant& v) { return {1, 1, v["rows"], v["columns"], v["gap"]}; }
  static constexpr std::int64_t first = 1;
  template <class T>
  static kernels::unit_columns::Arguments<T> arguments(const Variant& v, Memory& m) {
    const Values indices = integers("indices", std::size_t(v["columns"]), 0, std::max<std::int64_t>(v["rows"] - 1, 0));
    return {.z = m.view<T>("z", z(v)),
            .indices = v["indexed"] ? m.array<std::int64_t>("indices", indices) : nullptr,
            .rows = v["rows"],
            .columns = v["columns"],
            .first = first};
  }
  static void reference(const Variant& v, Arrays& a) {
    put(Dense(v["rows"], v["columns"]), a["z"], z(v), 0, 0);
    for (std::int64_t c = 0; c < v["columns"]; ++c) {
      const std::int64_t row = v["indexed"] ? std::int64_t(a["indices"][std::size_t(c)]) : first + c;
      if (row < v["rows"]) a["z"][z(v).at(0, 0, row, c)] = 1;
    }
  }
  static double terms(const Variant&) { return 1; }
};

template <>
struct Case<kernels::check_indices> {
  static Variants variants() {
    return all({{"count", {0, 1, 2, 17, 1000, 4097}}, {"pieces", {1, 3, 8}}, {"limit", {3}}, {"wrong", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"count", {1 << 16, 1 << 22}}, {"pieces", {64}}, {"limit", {3}}, {"wrong", {0}}});
  }
  template <class T>
  static kernels::check_indices::Arguments<T> arguments(const Variant& v, Memory& m) {
    const std::int64_t outside = v["wrong"];
    return {
        .values = m.array<T>("values", integers("values", std::size_t(v["count"]), -outside, v["limit"] - 1 + outside)),
        .places = m.array<std::int64_t>("places", integers("places", std::size_t(v["pieces"]), 5, 7)),
        .count = v["count"],
        .pieces = v["pieces"],
        .limit = v["limit"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const std::int64_t length = (v["count"] + v["pieces"] - 1) / v["pieces"];
    for (double& place : a["places"]) place = -1;
    for (std::int64_t i = 0; i < v["count"]; ++i) {
      const double value = a["values"][std::size_t(i)];
      double& place = a["places"][std::size_t(i / length)];
      if (place < 0 && (value < 0 || value >= double(v["limit"]))) place = double(i);
    }
  }
  static double terms(const Variant&) { return 1; }
};

/// Entries at random places, several in one row or none; by rows, or by columns for the transpose.
template <>
struct Case<kernels::add_entries> {
  struct Entry {
    std::int64_t row, column;
    double value;
  };
  static std::vector<Entry> entries(const Variant& v) {
    const auto count = std::size_t(v["entries"]);
    const Values rows = integers("entry rows", count, 0, v["rows"] - 1),
                 columns = integers("entry columns", count, 0, v["rows"] - 1), values = uniform("values", count);
    std::vector<Entry> all;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back({std::int64_t(rows[i]), std::int64_t(columns[i]), values[i]});
      if (v["transposed"]) std::swap(all.back().row, all.back().column);
    }
    std::stable_sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
    return all;
  }
  static Variants variants() {
    return all({{"sequences", {1, 3}},
                {"rows", {1, 17}},
                {"columns", {1, 7}},
                {"entries", {0, 1, 40}},
                {"gap", {0, 3}},
                {"transposed", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"sequences", {1}},
                {"rows", {4096}},
                {"columns", {64}},
                {"entries", {4096, 65536}},
                {"gap", {0}},
                {"transposed", {0}}});
  }
  static double terms(const Variant& v) { return 1 + double(v["entries"]); }
  static Box box(const Variant& v) { return {1, v["sequences"], v["rows"], v["columns"], v["gap"]}; }

  template <class T>
  static kernels::add_entries::Arguments<T> arguments(const Variant& v, Memory& m) {
    Values starts(std::size_t(v["rows"] + 1)), columns, values;
    for (const Entry& entry : entries(v)) {
      for (auto row = std::size_t(entry.row + 1); row < starts.size(); ++row) ++starts[row];
      columns.push_back(double(entry.column));
      values.push_back(entry.value);
    }
    return {.v = m.view<T>("v", box(v)),
            .z = m.view<T>("z", box(v)),
            .starts = m.array<std::int64_t>("starts", starts),
            .columns = m.array<std::int32_t>("columns", columns),
            .values = m.array<T>("values", values),
            .sequences = v["sequences"],
            .rows = v["rows"],
            .width = v["columns"],
            .entries = v["entries"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    for (const Entry& entry : entries(v))
      for (std::int64_t s = 0; s < v["sequences"]; ++s)
        for (std::int64_t c = 0; c < v["columns"]; ++c)
          a["z"][box(v).at(0, s, entry.row, c)] += entry.value * a["v"][box(v).at(0, s, entry.column, c)];
  }
};

}  // namespace ops
