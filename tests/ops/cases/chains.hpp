// Whole chains in one launch, and their gradients: every map made as a dense matrix.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

/// A chain's factors as matrices, of one sequence, in the order they are applied.
using Factors = std::vector<Dense>;
inline Factors factors_of(const Values& w, const Box& box, std::int64_t sequence, const Values& offsets) {
  Factors factors;
  for (std::int64_t f = 0; f < box.factors; ++f) factors.push_back(factor_of(matrix_of(w, box, f, sequence), offsets));
  return factors;
}

/// The steps of a form's one term, or of the first of two.
inline Factors steps_of(const Factors& factors, std::int64_t form) {
  if (form != kernels::form_semidefinite) return factors;
  Factors steps;
  for (std::size_t f = factors.size(); f-- > 0;) steps.push_back(transposed(factors[f]));
  steps.insert(steps.end(), factors.begin(), factors.end());
  return steps;
}

/// What every step makes of v: outputs[0] is v itself.
inline std::vector<Dense> outputs_of(const Factors& steps, const Dense& v, bool residual) {
  std::vector<Dense> outputs{v};
  for (const Dense& step : steps) outputs.push_back(residual ? step * outputs.back() + v : step * outputs.back());
  return outputs;
}

/// The whole map applied to v. Its transpose is Σ of the transposes of its terms: the product of all steps and, with
/// residuals, of the last m for every m.
inline Dense applied(const Factors& steps, const Dense& v, bool residual, bool transpose) {
  if (!transpose) return outputs_of(steps, v, residual).back();
  Dense x = v, sum = v;
  for (std::size_t m = steps.size(); m-- > 0;) {
    x = transposed(steps[m]) * x;
    sum = sum + x;
  }
  return residual ? sum : x;
}

struct ChainSizes {
  static Box w(const Variant& v) {
    return {v["factors"], v["sequences"], v["n"], v["links"], v["gap"], v["shared"] != 0};
  }
  static Box batch(const Variant& v, std::int64_t gap) { return {1, v["sequences"], v["n"], v["d"], gap}; }
  static Box tape(const Variant& v, std::int64_t steps) {
    return {steps - 1, v["sequences"], v["n"], v["d"], v["gap"] + 1};
  }
  static kernels::Links links(const Variant& v, Memory& m) {
    return {m.array<std::int32_t>("offsets", offsets_for(v["n"], v["links"])), v["n"], v["links"]};
  }
  static double terms(const Variant& v) { return double(v["links"] * v["factors"] * v["d"] * v["sequences"] + 1); }
};

template <>
struct Case<kernels::chain_apply> : ChainSizes {
  static Variants variants() {
    const std::vector<Axis> flags = {
        {"form", {0, 1, 2}}, {"residual", {0, 1}}, {"transposed", {0, 1}}, {"tape", {0, 1}}, {"shared", {0, 1}}};
    const auto with_flags = [&](std::vector<Axis> sizes) {
      sizes.insert(sizes.end(), flags.begin(), flags.end());
      return all(sizes);
    };
    // Residuals are for products alone; a tape for one term on its way forward.
    return only(with_flags({{"n", {1, 3, 17}},
                            {"d", {1, 7, 33}},
                            {"factors", {1, 3}},
                            {"links", {5}},
                            {"sequences", {2}},
                            {"panel", {4, 40}},
                            {"workers", {3}},
                            {"gap", {3}}}) +
                    with_flags({{"n", {2}},
                                {"d", {7}},
                                {"factors", {2}},
                                {"links", {1}},
                                {"sequences", {0, 1}},
                                {"panel", {7}},
                                {"workers", {1}},
                                {"gap", {0}}}) +
                    with_flags({{"n", {1000}},
                                {"d", {33}},
                                {"factors", {3}},
                                {"links", {10}},
                                {"sequences", {2}},
                                {"panel", {32}},
                                {"workers", {2}},
                                {"gap", {0}}}),
                [](const Variant& v) {
                  // What is symmetric has neither residuals nor a transpose of its own.
                  return ((!v["residual"] && !v["transposed"]) || v["form"] == 0) &&
                         (!v["tape"] || (v["form"] != 1 && !v["transposed"]));
                });
  }
  static Variants realistic() {
    return all({{"n", {1024, 16384}},
                {"d", {64}},
                {"factors", {10}},
                {"links", {11}},
                {"sequences", {2}},
                {"panel", {64}},
                {"workers", {2}},
                {"gap", {0}},
                {"form", {0}},
                {"residual", {0}},
                {"transposed", {0}},
                {"tape", {0}},
                {"shared", {0}}});
  }
  static std::int64_t steps(const Variant& v) { return v["form"] == 2 ? 2 * v["factors"] : v["factors"]; }

  template <class T>
  static kernels::chain_apply::Arguments<T> arguments(const Variant& v, Memory& m) {
    const kernels::Walk walk{int(v["factors"]), std::int32_t(v["form"]), v["residual"] != 0};
    const std::int64_t scratch = v["workers"] * kernels::chain_apply::scratch_panels(walk) * v["n"] * v["panel"];
    return {.w = m.view<T>("w", w(v)),
            .v = m.view<T>("v", batch(v, v["gap"])),
            .z = m.view<T>("z", batch(v, 2 * v["gap"])),
            .tape = v["tape"] ? m.view<T>("tape", tape(v, steps(v))) : kernels::View<T>(),
            .scratch = m.scratch<T>(std::size_t(scratch)),
            .links = links(v, m),
            .factors = v["factors"],
            .sequences = v["sequences"],
            .columns = v["d"],
            .panel = v["panel"],
            .workers = v["workers"],
            .form = walk.form,
            .residual = walk.residual,
            .transposed = std::int32_t(v["transposed"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    const bool residual = v["residual"] != 0, transpose = v["transposed"] != 0;
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const Factors factors = factors_of(a["w"], w(v), s, a["offsets"]), all_steps = steps_of(factors, v["form"]);
      const Dense in = matrix_of(a["v"], batch(v, v["gap"]), 0, s);
      Dense result = applied(all_steps, in, residual, transpose);
      if (v["form"] == kernels::form_symmetric) result = 0.5 * (result + applied(all_steps, in, residual, !transpose));
      put(result, a["z"], batch(v, 2 * v["gap"]), 0, s);
      if (!v["tape"]) continue;
      const std::vector<Dense> outputs = outputs_of(all_steps, in, residual);
      for (std::int64_t step = 0; step + 1 < steps(v); ++step)
        put(outputs[std::size_t(step + 1)], a["tape"], tape(v, steps(v)), step, s);
    }
  }
};

template <>
struct Case<kernels::chain_local> : ChainSizes {
  static Variants variants() {
    const auto with_flags = [](std::vector<Axis> sizes) {
      const std::vector<Axis> flags = {
          {"residual", {0, 1}}, {"transposed", {0, 1}}, {"tape", {0, 1}}, {"shared", {0, 1}}};
      sizes.insert(sizes.end(), flags.begin(), flags.end());
      return all(sizes);
    };
    return with_flags({{"n", {1, 3, 17}},
                       {"d", {1, 7, 8, 12, 33}},
                       {"factors", {1, 3}},
                       {"links", {5, 8}},
                       {"sequences", {2}},
                       {"gap", {0, 3}}}) +
           with_flags(
               {{"n", {100}}, {"d", {20}}, {"factors", {4}}, {"links", {12}}, {"sequences", {0, 2}}, {"gap", {0}}});
  }
  static Variants realistic() {
    return all({{"n", {128}},
                {"d", {8}},
                {"factors", {7}},
                {"links", {8}},
                {"sequences", {40}},
                {"gap", {0}},
                {"residual", {1}},
                {"transposed", {0, 1}},
                {"tape", {1}},
                {"shared", {0}}});
  }
  static Box tape(const Variant& v) { return {v["factors"] - 1, v["sequences"], v["n"], v["d"], v["gap"]}; }

  template <class T>
  static kernels::chain_local::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.w = m.view<T>("w", w(v)),
            .v = m.view<T>("v", batch(v, v["gap"])),
            .z = m.view<T>("z", batch(v, 2 * v["gap"])),
            .tape = v["tape"] ? m.view<T>("tape", tape(v)) : kernels::View<T>(),
            .links = links(v, m),
            .factors = v["factors"],
            .sequences = v["sequences"],
            .columns = v["d"],
            .residual = std::int32_t(v["residual"]),
            .transposed = std::int32_t(v["transposed"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    const bool residual = v["residual"] != 0, transpose = v["transposed"] != 0;
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const Factors factors = factors_of(a["w"], w(v), s, a["offsets"]);
      const Dense in = matrix_of(a["v"], batch(v, v["gap"]), 0, s);
      put(applied(factors, in, residual, transpose), a["z"], batch(v, 2 * v["gap"]), 0, s);
      if (!v["tape"]) continue;
      // On the way back, entry f − 1 is what factor f's transpose makes, residuals left out.
      Factors back;
      for (std::size_t f = factors.size(); f-- > 0;) back.push_back(transposed(factors[f]));
      const std::vector<Dense> outputs = outputs_of(transpose ? back : factors, in, residual && !transpose);
      const std::int64_t last = v["factors"] - 1;
      for (std::int64_t step = 0; step < last; ++step)
        put(outputs[std::size_t(step + 1)], a["tape"], tape(v), transpose ? last - step - 1 : step, s);
    }
  }
};

template <>
struct Case<kernels::chain_gradient> : ChainSizes {
  static Variants variants() {
    const std::vector<Axis> flags = {{"residual", {0, 1}},      {"tape", {0, 1}}, {"accumulate_dw", {0, 1}},
                                     {"accumulate_dv", {0, 1}}, {"dv", {0, 1}},   {"shared", {0, 1}}};
    const auto with_flags = [&](std::vector<Axis> sizes) {
      sizes.insert(sizes.end(), flags.begin(), flags.end());
      return all(sizes);
    };
    return with_flags({{"n", {1, 3, 17}},
                       {"d", {1, 7, 33}},
                       {"factors", {1, 3}},
                       {"links", {5}},
                       {"sequences", {2}},
                       {"panel", {10}},
                       {"workers", {3}},
                       {"gap", {3}}}) +
           with_flags({{"n", {2}},
                       {"d", {7}},
                       {"factors", {2}},
                       {"links", {1}},
                       {"sequences", {0, 1}},
                       {"panel", {7}},
                       {"workers", {1}},
                       {"gap", {0}}}) +
           all({{"n", {1000}},
                {"d", {33}},
                {"factors", {3}},
                {"links", {10}},
                {"sequences", {3}},
                {"panel", {32}},
                {"workers", {2}},
                {"gap", {0}},
                {"residual", {0, 1}},
                {"tape", {0, 1}},
                {"accumulate_dw", {0}},
                {"accumulate_dv", {1}},
                {"dv", {1}},
                {"shared", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"n", {1024, 16384}},
                {"d", {64}},
                {"factors", {10}},
                {"links", {11}},
                {"sequences", {2}},
                {"panel", {64}},
                {"workers", {2}},
                {"gap", {0}},
                {"residual", {0}},
                {"tape", {1}},
                {"accumulate_dw", {0}},
                {"accumulate_dv", {0}},
                {"dv", {1}},
                {"shared", {0}}});
  }
  /// Shared weights: a sum for each worker, in the place of sequences.
  static Box dw(const Variant& v) {
    return {v["factors"], v["shared"] ? v["workers"] : v["sequences"], v["n"], v["links"], v["gap"]};
  }
  static Values tape_values(const Variant& v, const Arrays& a) {
    const Box box = tape(v, v["factors"]);
    Values values = uniform("tape", box.size());
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const std::vector<Dense> outputs = outputs_of(factors_of(a.at("w"), w(v), s, a.at("offsets")),
                                                    matrix_of(a.at("v"), batch(v, v["gap"]), 0, s), v["residual"] != 0);
      for (std::int64_t step = 0; step + 1 < v["factors"]; ++step)
        put(outputs[std::size_t(step + 1)], values, box, step, s);
    }
    return values;
  }

  template <class T>
  static kernels::chain_gradient::Arguments<T> arguments(const Variant& v, Memory& m) {
    using Op = kernels::chain_gradient;
    const bool shared = v["shared"] != 0, taped = v["tape"] != 0;
    typename Op::Arguments<T> a{.w = m.view<T>("w", w(v)),
                                .v = m.view<T>("v", batch(v, v["gap"])),
                                .g = m.view<T>("g", batch(v, 3 * v["gap"])),
                                .tape = {},
                                .dw = m.view<T>("dw", dw(v)),
                                .dv = {},
                                .scratch = m.scratch<T>(std::size_t(v["workers"] * v["n"] * v["panel"] *
                                                                    Op::scratch_panels(v["factors"], taped))),
                                .links = links(v, m),
                                .factors = v["factors"],
                                .sequences = v["sequences"],
                                .columns = v["d"],
                                .panel = v["panel"],
                                .workers = v["workers"],
                                .dw_worker = shared ? dw(v).sequence_stride() : 0,
                                .residual = std::int32_t(v["residual"]),
                                .accumulate_dw = std::int32_t(v["accumulate_dw"]),
                                .accumulate_dv = std::int32_t(v["accumulate_dv"]),
                                .shared = std::int32_t(shared)};
    if (shared) a.dw.sequence_stride = 0;
    if (taped) a.tape = tape(v, v["factors"]).template view<const T>(m.array<T>("tape", tape_values(v, m.arrays())));
    if (v["dv"]) a.dv = m.view<T>("dv", batch(v, v["gap"]));
    return a;
  }

  /// d⟨g, chain(v)⟩ / dW⁽ᵐ⁾ = (W⁽ᴹ⁾…W⁽ᵐ⁺¹⁾)ᵀ g (what goes into W⁽ᵐ⁾)ᵀ
  static void reference(const Variant& v, Arrays& a) {
    const bool residual = v["residual"] != 0, shared = v["shared"] != 0;
    const std::int64_t panels = (v["d"] + v["panel"] - 1) / v["panel"];
    for (std::int64_t s = 0; s < v["sequences"]; ++s) {
      const Factors factors = factors_of(a["w"], w(v), s, a["offsets"]);
      const Dense g = matrix_of(a["g"], batch(v, 3 * v["gap"]), 0, s);
      const std::vector<Dense> outputs = outputs_of(factors, matrix_of(a["v"], batch(v, v["gap"]), 0, s), residual);
      if (v["dv"]) put(applied(factors, g, residual, true), a["dv"], batch(v, v["gap"]), 0, s, v["accumulate_dv"] != 0);
      Dense adjoint = g;
      for (std::int64_t f = v["factors"]; f-- > 0; adjoint = transposed(factors[std::size_t(f)]) * adjoint) {
        if (!shared) {
          const Dense gradient = adjoint * transposed(outputs[std::size_t(f)]);
          put(links_of(gradient, a["offsets"]), a["dw"], dw(v), f, s, v["accumulate_dw"] != 0);
          continue;
        }
        // Workers take (sequence, panel of columns) one after the other, the first of them one more where there are not
        // as many for all; the first of each starts its sum.
        const std::int64_t tasks = v["sequences"] * panels;
        std::int64_t worker = -1, next = 0, first = 0;  // next: the first task of the next worker
        for (std::int64_t panel = 0; panel < panels; ++panel) {
          const std::int64_t task = s * panels + panel;
          while (task >= next) {
            first = next;
            next += tasks / v["workers"] + (++worker < tasks % v["workers"]);
          }
          Dense part = adjoint;
          for (std::int64_t i = 0; i < part.rows; ++i)
            for (std::int64_t c = 0; c < part.columns; ++c)
              if (c / v["panel"] != panel) part(i, c) = 0;
          put(links_of(part * transposed(outputs[std::size_t(f)]), a["offsets"]), a["dw"], dw(v), f, worker,
              task > first);
        }
      }
    }
  }
};

}  // namespace ops
