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
  /// add: 0 nothing, 1 what is in z, 2 another matrix
  static Variants variants() {
    return all({{"n", {1, 2, 3, 17}},
                {"d", {1, 7, 33}},
                {"links", {1, 5}},
                {"sequences", {0, 2}},
                {"add", {0, 1, 2}},
                {"gap", {0, 3}},
                {"shared", {0, 1}}}) +
           all({{"n", {1000}},
                {"d", {7, 100}},
                {"links", {10}},
                {"sequences", {2}},
                {"add", {0, 1, 2}},
                {"gap", {3}},
                {"shared", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"n", {1024, 16384}},
                {"d", {64}},
                {"links", {11}},
                {"sequences", {1}},
                {"add", {0}},
                {"gap", {0}},
                {"shared", {0}}}) +
           all({{"n", {1024}},
                {"d", {16}},
                {"links", {11}},
                {"sequences", {32}},
                {"add", {1}},
                {"gap", {0}},
                {"shared", {0}}});
  }
  template <class T>
  static kernels::ProductArguments<T> arguments(const Variant& v, Memory& m) {
    const auto z = m.view<T>("z", batch(v, 2 * v["gap"]));
    kernels::View<const T> add;
    if (v["add"] == 1) add = z;
    if (v["add"] == 2) add = m.view<T>("add", batch(v, v["gap"] + 1));
    return {.w = m.view<T>("w", w(v)),
            .v = m.view<T>("v", batch(v, v["gap"])),
            .z = z,
            .add = add,
            .links = links(v, m),
            .sequences = v["sequences"],
            .columns = v["d"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const Box z = batch(v, 2 * v["gap"]);
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const Dense factor = factor_of(matrix_of(a["w"], w(v), 0, s), a["offsets"]);
      Dense result = (Transposed ? transposed(factor) : factor) * matrix_of(a["v"], batch(v, v["gap"]), 0, s);
      if (v["add"] == 2) result = result + matrix_of(a["add"], batch(v, v["gap"] + 1), 0, s);
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
    return all({{"n", {1, 2, 3, 17}},
                {"d", {0, 1, 7, 33}},
                {"links", {1, 2, 5, 12}},
                {"sequences", {0, 2}},
                {"gap", {0, 3}},
                {"shared", {0, 1}},
                {"accumulate", {0, 1}}}) +
           all({{"n", {1000}},
                {"d", {7, 100}},
                {"links", {10}},
                {"sequences", {3}},
                {"gap", {3}},
                {"shared", {0, 1}},
                {"accumulate", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"n", {1024, 16384}},
                {"d", {64}},
                {"links", {11}},
                {"sequences", {1}},
                {"gap", {0}},
                {"shared", {0}},
                {"accumulate", {0}}}) +
           all({{"n", {1024}},
                {"d", {16}},
                {"links", {11}},
                {"sequences", {32}},
                {"gap", {0}},
                {"shared", {0}},
                {"accumulate", {1}}});
  }
  template <class T>
  static kernels::product_gradient_weights::Arguments<T> arguments(const Variant& v, Memory& m) {
    const bool shared = v["shared"] != 0;
    return {.dz = m.view<T>("dz", batch(v, v["gap"])),
            .v = m.view<T>("v", batch(v, 2 * v["gap"])),
            .dw = m.view<T>("dw", w(v)),
            .links = links(v, m),
            .sequences = shared ? 1 : v["sequences"],
            .summed = shared ? v["sequences"] : 1,
            .columns = v["d"],
            .accumulate = std::int32_t(v["accumulate"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    const bool shared = v["shared"] != 0;
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const Dense outer =
          matrix_of(a["dz"], batch(v, v["gap"]), 0, s) * transposed(matrix_of(a["v"], batch(v, 2 * v["gap"]), 0, s));
      put(links_of(outer, a["offsets"]), a["dw"], w(v), 0, s, v["accumulate"] || (shared && s > 0));
    }
  }
  static double terms(const Variant& v) { return double(v["d"] * v["sequences"] + 1); }
};

}  // namespace ops
