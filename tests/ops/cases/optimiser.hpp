// Adam, by its paper's formulas.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

template <>
struct Case<kernels::adam> {
  /// places: where faults of a batch are looked for; fault: there is one
  static Variants variants() {
    return all(
        {{"count", {0, 1, 2, 3, 17, 1000, 4097, 9000}}, {"step", {1, 10}}, {"places", {0, 3}}, {"fault", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"count", {1 << 16, 1 << 20}}, {"step", {10}}, {"places", {0}}, {"fault", {0}}});
  }
  static constexpr double beta1 = 0.875, beta2 = 0.9375, rate = 0.01, epsilon = 1e-8;
  template <class T>
  static kernels::adam::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto count = std::size_t(v["count"]);
    Values squares = uniform("v", count), places = Values(std::size_t(v["places"]), -1.0);
    for (double& each : squares) each = each * each;
    if (v["fault"] && !places.empty()) places.back() = 5;
    return {.parameters = m.array<T>("parameters", count),
            .gradients = m.array<T>("gradients", count),
            .m = m.array<T>("m", count),
            .v = m.array<T>("v", squares),
            .faults = {m.array<std::int64_t>("places", places), v["places"]},
            .count = v["count"],
            .beta1 = T(beta1),
            .beta2 = T(beta2),
            .rate = T(rate / (1 - std::pow(beta1, double(v["step"])))),
            .correction = T(1 / std::sqrt(1 - std::pow(beta2, double(v["step"])))),
            .epsilon = T(epsilon)};
  }
  static void reference(const Variant& v, Arrays& a) {
    if (v["places"] && v["fault"]) return;
    const double t = double(v["step"]);
    for (std::size_t i = 0; i < a["parameters"].size(); ++i) {
      const double g = a["gradients"][i];
      a["m"][i] = beta1 * a["m"][i] + (1 - beta1) * g;
      a["v"][i] = beta2 * a["v"][i] + (1 - beta2) * g * g;
      const double mean = a["m"][i] / (1 - std::pow(beta1, t)), square = a["v"][i] / (1 - std::pow(beta2, t));
      a["parameters"][i] -= rate * mean / (std::sqrt(square) + epsilon);
    }
  }
  static double terms(const Variant&) { return 4; }
};

}  // namespace ops
