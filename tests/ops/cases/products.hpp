// The Chord product and its gradients, as dense matrices.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

struct ProductSizes {
  static Box w(const Variant& v) { return {1, v["sequences"], v["n"], v["links"], v["gap"], v["shared"] != 0}; }
  static Box batch(const Variant& v, std::int64_t gap) { return {1, v["sequences"], v["n"], v["d"], gap}; }
  static kernels::Links links(const Variant& v, Memory& m) {
    return {m.array<std::int32_t>("offsets", offsets_for(v["n"], v["links"])), v["n"], v["links"]};
  }
};

template <bool Transposed>
struct ProductCase : ProductSizes {
  /// add: 0 nothing, 1 what is in z, 2 another matrix; collect, which is for GPUs: the input becomes (1) or is added to
  /// (2) another matrix, or is added to the result (3)
  static Variants variants() {
    return only(all({{"n", {1, 2, 3, 17}},
                     {"d", {1, 7, 8, 33}},
                     {"links", {1, 5, 12}},
                     {"sequences", {0, 2}},
                     {"add", {0, 1, 2}},
                     {"gap", {0, 3}},
                     {"shared", {0, 1}},
                     {"collect", {0, 1, 2, 3}}}),
                [](const Variant& v) { return v["collect"] == 0 || (v["n"] == 17 && v["links"] != 1); }) +
           all({{"n", {1000}},
                {"d", {7, 13, 100}},
                {"links", {10, 70}},
                {"sequences", {2}},
                {"add", {0, 1, 2}},
                {"gap", {3}},
                {"shared", {0, 1}},
                {"collect", {0}}}) +
           all({{"n", {4097}},
                {"d", {7}},
                {"links", {13}},
                {"sequences", {1}},
                {"add", {0}},
                {"gap", {0}},
                {"shared", {0}},
                {"collect", {0}}});
  }
  static Variants realistic() {
    return all({{"n", {1024, 16384}},
                {"d", {64}},
                {"links", {11}},
                {"sequences", {1}},
                {"add", {0}},
                {"gap", {0}},
                {"shared", {0}},
                {"collect", {0}}}) +
           all({{"n", {1024}},
                {"d", {16}},
                {"links", {11}},
                {"sequences", {32}},
                {"add", {1}},
                {"gap", {0}},
                {"shared", {0}},
                {"collect", {0}}});
  }
  /// Of the adding problem.
  static Variant counted() {
    return all({{"n", {2048}},
                {"d", {8}},
                {"links", {12}},
                {"sequences", {2}},
                {"add", {2}},
                {"gap", {0}},
                {"shared", {0}},
                {"collect", {0}}})[0];
  }
  static std::vector<std::string> gathered() { return {"v"}; }
  template <class T>
  static kernels::ProductArguments<T> arguments(const Variant& v, Memory& m) {
    const auto z = m.view<T>("z", batch(v, 2 * v["gap"]));
    kernels::View<const T> add;
    if (v["add"] == 1) add = z;
    if (v["add"] == 2) add = m.view<T>("add", batch(v, added_gap(v)));
    const std::int64_t collects = m.device().cpu_like() ? 0 : v["collect"];
    m.note("collects", collects);
    kernels::View<T> sum;
    if (collects == 3) sum = z;
    if (collects == 1 || collects == 2) sum = m.view<T>("sum", batch(v, 0));
    return {.w = m.view<T>("w", w(v)),
            .v = m.view<T>("v", batch(v, v["gap"])),
            .z = z,
            .add = add,
            .links = links(v, m),
            .sequences = v["sequences"],
            .columns = v["d"],
            .sum = sum,
            .collect = collects == 1   ? kernels::collect_first
                       : collects == 0 ? kernels::collect_nothing
                                       : kernels::collect_more};
  }
  static std::int64_t added_gap(const Variant& v) { return v["gap"] ? v["gap"] + 1 : 0; }
  static void reference(const Variant& v, Arrays& a) {
    const Box z = batch(v, 2 * v["gap"]);
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const Dense factor = factor_of(matrix_of(a["w"], w(v), 0, s), a["offsets"]);
      Dense result = (Transposed ? transposed(factor) : factor) * matrix_of(a["v"], batch(v, v["gap"]), 0, s);
      if (v["add"] == 2) result = result + matrix_of(a["add"], batch(v, added_gap(v)), 0, s);
      const Dense input = matrix_of(a["v"], batch(v, v["gap"]), 0, s);
      const double collects = a["collects"][0];
      if (collects == 3) result = result + input;
      if (collects == 1 || collects == 2) put(input, a["sum"], batch(v, 0), 0, s, collects == 2);
      put(result, a["z"], z, 0, s, v["add"] == 1);
    }
  }
  static double terms(const Variant& v) { return double(v["links"]); }
};
template <>
struct Case<kernels::product> : ProductCase<false> {};
template <>
struct Case<kernels::product_gradient_values> : ProductCase<true> {};

template <>
struct Case<kernels::product_gradient_weights> : ProductSizes {
  static Variants variants() {
    return only(all({{"n", {1, 2, 3, 17}},
                     {"d", {0, 1, 7, 8, 33}},
                     {"links", {1, 2, 5, 12}},
                     {"sequences", {0, 2}},
                     {"gap", {0, 3}},
                     {"shared", {0, 1}},
                     {"accumulate", {0, 1}},
                     {"factors", {1, 3}}}),
                [](const Variant& v) { return v["factors"] == 1 || v["n"] == 17; }) +
           all({{"n", {1000}},
                {"d", {7, 13, 100}},
                {"links", {10, 70}},
                {"sequences", {3}},
                {"gap", {3}},
                {"shared", {0, 1}},
                {"accumulate", {0, 1}},
                {"factors", {1}}}) +
           all({{"n", {4097}},
                {"d", {7}},
                {"links", {13}},
                {"sequences", {1}},
                {"gap", {0}},
                {"shared", {0}},
                {"accumulate", {0}},
                {"factors", {1}}});
  }
  static Variants realistic() {
    return all({{"n", {1024, 16384}},
                {"d", {64}},
                {"links", {11}},
                {"sequences", {1}},
                {"gap", {0}},
                {"shared", {0}},
                {"accumulate", {0}},
                {"factors", {1}}}) +
           all({{"n", {1024}},
                {"d", {16}},
                {"links", {11}},
                {"sequences", {32}},
                {"gap", {0}},
                {"shared", {0}},
                {"accumulate", {1}},
                {"factors", {1}}});
  }
  /// Of the adding problem.
  static Variant counted() {
    return all({{"n", {2048}},
                {"d", {8}},
                {"links", {12}},
                {"sequences", {2}},
                {"gap", {0}},
                {"shared", {0}},
                {"accumulate", {0}},
                {"factors", {2}}})[0];
  }
  static std::vector<std::string> gathered() { return {"v", "more_v"}; }
  // Of several factors, the first one's v and the last one's dz lie elsewhere.
  static Box inner(const Variant& v, std::int64_t gap) {
    return {v["factors"] - 1, v["sequences"], v["n"], v["d"], gap};
  }
  static Box weights(const Variant& v) {
    return {v["factors"], v["sequences"], v["n"], v["links"], v["gap"], v["shared"] != 0};
  }
  template <class T>
  static kernels::product_gradient_weights::Arguments<T> arguments(const Variant& v, Memory& m) {
    const bool shared = v["shared"] != 0, several = v["factors"] > 1;
    const auto dz = m.view<T>("dz", batch(v, v["gap"])), in = m.view<T>("v", batch(v, 2 * v["gap"]));
    return {.dz = several ? m.view<T>("more_dz", inner(v, v["gap"])) : dz,
            .v = several ? m.view<T>("more_v", inner(v, 2 * v["gap"])) : in,
            .dw = m.view<T>("dw", weights(v)),
            .links = links(v, m),
            .sequences = shared ? 1 : v["sequences"],
            .summed = shared ? v["sequences"] : 1,
            .columns = v["d"],
            .accumulate = std::int32_t(v["accumulate"]),
            .factors = v["factors"],
            .last_dz = several ? dz : kernels::View<T>{},
            .first_v = several ? in : kernels::View<T>{}};
  }
  static void reference(const Variant& v, Arrays& a) {
    const bool shared = v["shared"] != 0;
    const std::int64_t last = v["factors"] - 1;
    for (std::int64_t f = 0; f <= last; ++f)
      for (std::int64_t s = 0; s < v["sequences"]; ++s) {
        const Dense dz = f == last ? matrix_of(a["dz"], batch(v, v["gap"]), 0, s)
                                   : matrix_of(a["more_dz"], inner(v, v["gap"]), f, s);
        const Dense in = f == 0 ? matrix_of(a["v"], batch(v, 2 * v["gap"]), 0, s)
                                : matrix_of(a["more_v"], inner(v, 2 * v["gap"]), f - 1, s);
        put(links_of(dz * transposed(in), a["offsets"]), a["dw"], weights(v), f, s,
            v["accumulate"] || (shared && s > 0));
      }
  }
  static double terms(const Variant& v) { return double(v["d"] * v["sequences"] + 1); }
};

}  // namespace ops
