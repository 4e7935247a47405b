// The objective of a fit and its gradient, with all of X̂ and X as dense matrices; constraints by their definition.
#pragma once

#include "chains.hpp"

namespace ops {

/// X in either form; `columns` in arrays is what a device is given, x() what it means.
struct FitMatrix {
  /// About two in seven, so that columns have different numbers of them.
  static bool is_entry(std::int64_t i, std::int64_t j) { return (i * 5 + j * 3) % 7 < 2; }

  template <class T>
  static kernels::Columns<T> columns(const Variant& v, Memory& m) {
    const std::int64_t n = v["n"];
    if (!v["sparse"]) return {.dense = m.array<T>("x", std::size_t(n * n)), .height = height(v), .width = width(v)};
    Values starts{0}, rows;
    for (std::int64_t j = 0; j < width(v); ++j) {
      for (std::int64_t i = 0; i < height(v); ++i)
        if (is_entry(i, j)) rows.push_back(double(i));
      starts.push_back(double(rows.size()));
    }
    return {.dense = nullptr,
            .starts = m.array<std::int64_t>("starts", starts),
            .rows = m.array<std::int32_t>("rows", rows),
            .entries = m.array<T>("entries", rows.size()),
            .height = height(v),
            .width = width(v)};
  }
  /// X is not square where rows or columns are cut off.
  static std::int64_t height(const Variant& v) { return v["cut"] == 1 ? (v["n"] + 1) / 2 : v["n"]; }
  static std::int64_t width(const Variant& v) { return v["cut"] == 2 ? (v["n"] + 1) / 2 : v["n"]; }
  static bool inside(const Variant& v, std::int64_t i, std::int64_t j) { return i < height(v) && j < width(v); }
  static Dense x(const Variant& v, const Arrays& a) {
    Dense all(v["n"], v["n"]);
    if (!v["sparse"]) {
      all.values = a.at("x");
      return all;
    }
    for (std::int64_t j = 0; j < width(v); ++j)
      for (auto e = std::size_t(a.at("starts")[std::size_t(j)]); e < std::size_t(a.at("starts")[std::size_t(j + 1)]);
           ++e)
        all(std::int64_t(a.at("rows")[e]), j) += a.at("entries")[e];
    return all;
  }
};

/// Some sets of parameters, of three the second left out.
struct SetsCase {
  static constexpr std::int64_t apart = 2;
  static kernels::Sets sets(const Variant& v, Memory& m) {
    if (v["sets"] == 1) return {};
    Values busy(std::size_t(v["sets"] * apart));
    for (std::int64_t set = 0; set < v["sets"]; ++set) busy[std::size_t(set * apart)] = is_busy(v, set) ? 1 : 0;
    return {.count = v["sets"], .busy = m.array<double>("busy", busy), .apart = apart};
  }
  static bool is_busy(const Variant& v, std::int64_t set) { return v["sets"] != 3 || set != 1; }
};

template <>
struct Case<kernels::fit_panels> : SetsCase {
  static Variants variants() {
    return all({{"n", {1, 2, 3, 17, 50}},
                {"links", {1, 5}},
                {"factors", {1, 3}},
                {"panel", {8, 24}},
                {"workers", {1, 3}},
                {"form", {0, 1, 2}},
                {"sparse", {0, 1}},
                {"cut", {0}},
                {"sets", {1}},
                {"pieces", {0}}}) +
           all({{"n", {2, 17, 50}},
                {"links", {5}},
                {"factors", {1, 3}},
                {"panel", {8, 24}},
                {"workers", {1, 3}},
                {"form", {0}},
                {"sparse", {0, 1}},
                {"cut", {1, 2}},
                {"sets", {1}},
                {"pieces", {0}}}) +
           all({{"n", {17}},
                {"links", {5}},
                {"factors", {2}},
                {"panel", {8}},
                {"workers", {1, 3}},
                {"form", {0, 1, 2}},
                {"sparse", {0, 1}},
                {"cut", {0}},
                {"sets", {2, 3}},
                {"pieces", {0}}}) +
           all({{"n", {2, 17, 50}},
                {"links", {5}},
                {"factors", {3}},
                {"panel", {8, 24}},
                {"workers", {1, 3}},
                {"form", {0, 1, 2}},
                {"sparse", {0, 1}},
                {"cut", {0, 2}},
                {"sets", {1}},
                {"pieces", {4, 7}}}) +
           all({{"n", {150}},
                {"links", {8}},
                {"factors", {2}},
                {"panel", {64}},
                {"workers", {2}},
                {"form", {0, 1, 2}},
                {"sparse", {0, 1}},
                {"cut", {0}},
                {"sets", {1}},
                {"pieces", {0}}});
  }
  static Variants realistic() {
    const auto of = [](std::int64_t n, std::int64_t factors) {
      return all({{"n", {n}},
                  {"links", {factors + 1}},
                  {"factors", {factors}},
                  {"panel", {32}},
                  {"workers", {2}},
                  {"form", {0, 2}},
                  {"sparse", {0}},
                  {"cut", {0}},
                  {"sets", {1}},
                  {"pieces", {0}}});
    };
    return of(256, 8) + of(1024, 10);
  }
  /// Large ones have a chord's, as in use: most of their vectors begin where a line of a cache does.
  static Values offsets(const Variant& v) {
    if (v["n"] < 256) return offsets_for(v["n"], v["links"]);
    Values chord{0};
    while (std::int64_t(chord.size()) < v["links"]) chord.push_back(std::exp2(chord.size() - 1));
    return chord;
  }
  /// As a GPU takes it: 32 bytes of columns are a panel, and each has a group.
  static Variant counted() {
    return all({{"n", {256}},
                {"links", {9}},
                {"factors", {8}},
                {"panel", {8}},
                {"workers", {32}},
                {"form", {0}},
                {"sparse", {0}},
                {"cut", {0}},
                {"sets", {2}},
                {"pieces", {0}}})[0];
  }
  /// A panel's values.
  static std::vector<std::string> gathered() { return {Memory::work_space}; }
  static Box w(const Variant& v) { return {v["factors"], 1, v["n"], v["links"]}; }

  template <class T>
  static kernels::fit_panels::Arguments<T> arguments(const Variant& v, Memory& m) {
    const kernels::Walk walk{int(v["factors"]), std::int32_t(v["form"]), false};
    const std::int64_t workers = v["sets"] * v["workers"];
    const kernels::Links links{m.aligned_array<std::int32_t>("offsets", offsets(v)), v["n"], v["links"]};
    return {.w = m.array<T>("w", std::size_t(v["sets"]) * w(v).size()),
            .sets = sets(v, m),
            .x = FitMatrix::columns<T>(v, m),
            .dw = m.array<T>("dw", std::size_t(workers) * w(v).size()),
            .squares = m.array<double>("squares", std::size_t(workers)),
            .scratch = m.aligned_scratch<T>(
                std::size_t(workers * kernels::fit_panels::cpu_scratch<T>(walk, links, v["panel"]))),
            .links = links,
            .factors = v["factors"],
            .panel = v["panel"],
            .workers = v["workers"],
            .form = walk.form,
            .pieces = {v["pieces"], v["pieces"] > 0 ? first_piece : 0}};
  }
  static constexpr std::int64_t first_piece = 1;
  static bool has_column(const Variant& v, std::int64_t worker, std::int64_t column) {
    if (v["pieces"] == 0) return column / v["panel"] % v["workers"] == worker;
    const auto begin = [&](std::int64_t piece) { return FitMatrix::width(v) * piece / v["pieces"]; };
    return begin(first_piece + worker) <= column && column < begin(first_piece + worker + 1);
  }

  /// With E = X̂ − X of the worker's columns and ½|E|² the objective, its gradient with respect to P is
  /// E, ½(E + Eᵀ) or (E + Eᵀ) P; from there to a factor, what is left and right of it is turned over.
  static void reference(const Variant& v, Arrays& a) {
    for (std::int64_t set = 0; set < v["sets"]; ++set)
      if (is_busy(v, set)) reference_of(set, v, a);
  }
  static void reference_of(std::int64_t set, const Variant& v, Arrays& a) {
    const auto first = a["w"].begin() + std::ptrdiff_t(std::size_t(set) * w(v).size());
    const Factors factors = factors_of(Values(first, first + std::ptrdiff_t(w(v).size())), w(v), 0, a["offsets"]);
    const std::int64_t n = v["n"], form = v["form"];
    const Dense p = outputs_of(factors, identity(n), false).back();
    const Dense made = form == 0 ? p : form == 1 ? 0.5 * (p + transposed(p)) : p * transposed(p);
    const Dense difference = made + -1.0 * FitMatrix::x(v, a);
    for (std::int64_t worker = 0; worker < v["workers"]; ++worker) {
      Dense own = difference;
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
          if (!has_column(v, worker, j) || !FitMatrix::inside(v, i, j)) own(i, j) = 0;
      double squares = 0;
      for (const double each : own.values) squares += each * each;
      const auto place = std::size_t(set * v["workers"] + worker);
      a["squares"][place] = squares;
      const Dense both = own + transposed(own);
      const Dense dp = form == 0 ? own : form == 1 ? 0.5 * both : both * p;
      for (std::size_t f = 0; f < factors.size(); ++f) {
        Dense before = identity(n), behind = identity(n);
        for (std::size_t other = 0; other < f; ++other) before = factors[other] * before;
        for (std::size_t other = f + 1; other < factors.size(); ++other) behind = factors[other] * behind;
        const Dense gradient = links_of(transposed(behind) * dp * transposed(before), a["offsets"]);
        std::copy(gradient.values.begin(), gradient.values.end(),
                  a["dw"].begin() + std::ptrdiff_t((place * factors.size() + f) * gradient.values.size()));
      }
    }
  }
  static double terms(const Variant& v) { return double(v["links"] * v["factors"] * v["n"] * 2); }
};

template <>
struct Case<kernels::fit_residual> {
  static Variants variants() {
    return only(all({{"n", {1, 2, 3, 17, 100}},
                     {"first", {0, 2}},
                     {"columns", {0, 1, 7, 33}},
                     {"panel", {8, 33}},
                     {"others", {0, 1}},
                     {"sparse", {0, 1}},
                     {"cut", {0, 1, 2}}}),
                [](const Variant& v) {
                  return v["first"] + v["columns"] <= FitMatrix::width(v) && v["columns"] <= v["panel"];
                }) +
           all({{"n", {513}},
                {"first", {2}},
                {"columns", {17}},
                {"panel", {33}},
                {"others", {0, 1}},
                {"sparse", {0, 1}},
                {"cut", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"n", {4096, 1024}},
                {"first", {0}},
                {"columns", {64}},
                {"panel", {64}},
                {"others", {0, 1}},
                {"sparse", {0}},
                {"cut", {0}}});
  }
  static std::int64_t tiles(const Variant& v) { return kernels::fit_residual::tiles(v["n"], v["columns"]); }
  template <class T>
  static kernels::fit_residual::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto size = std::size_t(v["n"] * v["panel"]);
    return {.values = m.array<T>("values", size),
            .others = v["others"] ? m.array<T>("others", size) : nullptr,
            .x = FitMatrix::columns<T>(v, m),
            .squares = m.array<double>("squares", std::size_t(tiles(v))),
            .n = v["n"],
            .first = v["first"],
            .columns = v["columns"],
            .panel = v["panel"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const Dense x = FitMatrix::x(v, a);
    const double share = v["others"] ? 0.5 : 1;
    const std::int64_t below = (v["n"] + 511) / 512;
    a["squares"].assign(std::size_t(tiles(v)), 0.0);
    for (std::int64_t c = 0; c < v["columns"]; ++c) {
      for (std::int64_t i = 0; i < v["n"]; ++i) {
        const auto at = std::size_t(i * v["panel"] + c);
        const double made = share * (a["values"][at] + (v["others"] ? a["others"][at] : 0));
        const double error = FitMatrix::inside(v, i, v["first"] + c) ? made - x(i, v["first"] + c) : 0;
        a["squares"][std::size_t(c / 8 * below + i / 512)] += error * error;
        a["values"][at] = share * error;
      }
    }
  }
  static double terms(const Variant& v) { return double(v["n"]); }
};

/// Weights as functions of parameters: θ², or θ² over the sum of its row's.
struct ConstraintCase {
  /// Away from zero, where a row of distributions would be 0 / 0.
  static Values parameters(std::size_t count) {
    Values values = uniform("parameters", count);
    for (double& each : values) each = each < 0 ? each - 0.25 : each + 0.25;
    return values;
  }
  static Values weights(const Variant& v, const Values& theta) {
    Values w = theta;
    const auto links = std::size_t(v["links"]);
    for (std::size_t i = 0; i < w.size(); ++i) {
      double total = 0;
      for (std::size_t k = 0; k < links; ++k) total += theta[i / links * links + k] * theta[i / links * links + k];
      if (v["kind"] != kernels::weights_free) w[i] *= theta[i];
      if (v["kind"] == kernels::weights_distributions) w[i] /= total;
    }
    return w;
  }
  static double terms(const Variant& v) { return double(v["links"]); }
};

template <>
struct Case<kernels::fit_weights> : ConstraintCase {
  static Variants variants() { return all({{"rows", {0, 1, 2, 17, 1000}}, {"links", {1, 7, 33}}, {"kind", {1, 2}}}); }
  static Variants realistic() { return all({{"rows", {10240, 163840}}, {"links", {11}}, {"kind", {1, 2}}}); }
  template <class T>
  static kernels::fit_weights::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto size = std::size_t(v["rows"] * v["links"]);
    return {.parameters = m.array<T>("parameters", parameters(size)),
            .w = m.array<T>("w", size),
            .rows = v["rows"],
            .links = v["links"],
            .kind = std::int32_t(v["kind"])};
  }
  static void reference(const Variant& v, Arrays& a) { a["w"] = weights(v, a["parameters"]); }
};

template <>
struct Case<kernels::fit_gradient> : ConstraintCase, SetsCase {
  static Variants variants() {
    return all({{"rows", {0, 1, 2, 17, 1000}},
                {"links", {1, 7, 33}},
                {"kind", {0, 1, 2}},
                {"partials", {1, 3}},
                {"sets", {1}}}) +
           all({{"rows", {17}}, {"links", {7}}, {"kind", {0, 1, 2}}, {"partials", {1, 3}}, {"sets", {2, 3}}});
  }
  static Variants realistic() {
    return all({{"rows", {10240, 163840}}, {"links", {11}}, {"kind", {0, 2}}, {"partials", {2}}, {"sets", {1}}});
  }
  template <class T>
  static kernels::fit_gradient::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto size = std::size_t(v["sets"] * v["rows"] * v["links"]);
    const T* theta = m.array<T>("parameters", parameters(size));
    return {.partial = m.array<T>("partial", std::size_t(v["partials"]) * size),
            .sets = sets(v, m),
            .parameters = theta,
            .w = m.array<T>("w", weights(v, m.arrays().at("parameters"))),
            .gradient = m.array<T>("gradient", size),
            .partials = v["partials"],
            .rows = v["rows"],
            .links = v["links"],
            .kind = std::int32_t(v["kind"])};
  }
  /// Σ over the row of ∂w[j] / ∂θ[k] · g[j], with the Jacobian written out.
  static void reference(const Variant& v, Arrays& a) {
    const auto links = std::size_t(v["links"]), of_set = std::size_t(v["rows"]) * links,
               size = std::size_t(v["sets"]) * of_set, partials = std::size_t(v["partials"]);
    Values g(size);
    for (std::size_t i = 0; i < a["partial"].size(); ++i)
      g[i / (partials * of_set) * of_set + i % of_set] += a["partial"][i];
    for (std::size_t i = 0; i < size; ++i) {
      if (!is_busy(v, std::int64_t(i / of_set))) continue;
      const std::size_t row = i / links * links;
      double total = 0, sum = 0;
      for (std::size_t j = row; j < row + links; ++j) total += a["parameters"][j] * a["parameters"][j];
      for (std::size_t j = row; j < row + links; ++j) {
        const double ti = a["parameters"][i], tj = a["parameters"][j], same = i == j ? 1 : 0;
        const double slope = v["kind"] == kernels::weights_free      ? same
                             : v["kind"] == kernels::weights_squares ? same * 2 * ti
                                                                     : 2 * ti / total * (same - tj * tj / total);
        sum += slope * g[j];
      }
      a["gradient"][i] = sum;
    }
  }
};

}  // namespace ops
