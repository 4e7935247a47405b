// Adam, by its paper's formulas, and what surrounds it in a training step.
#pragma once

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

template <>
struct Case<kernels::square_gradients> {
  static Variants variants() { return all({{"count", {0, 1, 2, 17, 4095, 4096, 4097, 9000}}}); }
  static Variants realistic() { return all({{"count", {1 << 16, 1 << 20}}}); }
  template <class T>
  static kernels::square_gradients::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.gradients = m.array<T>("gradients", std::size_t(v["count"])),
            .squares = m.array<T>("squares", std::size_t((v["count"] + 4095) / 4096)),
            .count = v["count"]};
  }
  static void reference(const Variant&, Arrays& a) {
    a["squares"].assign(a["squares"].size(), 0);
    for (std::size_t i = 0; i < a["gradients"].size(); ++i)
      a["squares"][i / 4096] += a["gradients"][i] * a["gradients"][i];
  }
  static double terms(const Variant& v) { return double(std::min<std::int64_t>(v["count"], 4096)); }
};

template <>
struct Case<kernels::adam> {
  /// places: where faults of a batch are looked for; fault: there is one; decay: of the weights, in percent of the
  /// rate; squares: sums of the gradients' squares; 3: small enough to leave them as they are
  static Variants variants() {
    return all({{"count", {0, 1, 2, 3, 17, 1000, 4097, 9000}},
                {"step", {1, 10}},
                {"places", {0, 3}},
                {"fault", {0, 1}},
                {"decay", {0, 10}},
                {"squares", {0, 1, 3, 5}}}) +
           // Enough for a GPU's lanes of several, and some over.
           all({{"count", {140003}},
                {"step", {10}},
                {"places", {3}},
                {"fault", {0, 1}},
                {"decay", {10}},
                {"squares", {3}}});
  }
  static Variants realistic() {
    return all({{"count", {1 << 16, 1 << 20}},
                {"step", {10}},
                {"places", {0}},
                {"fault", {0}},
                {"decay", {0}},
                {"squares", {0}}});
  }
  static Variant counted() { return realistic().back(); }
  static Values rates(const Variant& v) {
    const double step = double(v["step"]);
    return {rate / (1 - std::pow(beta1, step)),
            1 / std::sqrt(1 - std::pow(beta2, step)),
            1 - beta1,
            beta2,
            1 - beta2,
            epsilon,
            1 - rate * decay(v),
            clip};
  }
  static double decay(const Variant& v) { return double(v["decay"]) / 100; }
  static Values gradient_squares(const Variant& v) {
    return Values(std::size_t(v["squares"]), v["squares"] == 3 ? 0.25 : 4.0);
  }
  static constexpr double beta1 = 0.9, beta2 = 0.999, rate = 0.01, epsilon = 1e-8, clip = 1.5;
  template <class T>
  static kernels::adam::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto count = std::size_t(v["count"]);
    Values moments = uniform("m", count), second_moments = uniform("v", count);
    Values places = Values(std::size_t(v["places"]), -1.0);
    for (double& each : second_moments) each = each * each;
    // The first step finds none, and shows how exactly 1 − β is taken.
    if (v["step"] == 1) moments = second_moments = Values(count, 0.0);
    if (v["fault"] && !places.empty()) places.back() = 5;
    return {.parameters = m.array<T>("parameters", count),
            .gradients = m.array<T>("gradients", count),
            .m = m.array<T>("m", moments),
            .v = m.array<T>("v", second_moments),
            .rates = m.array<T>("rates", rates(v)),
            .squares = m.array<T>("squares", gradient_squares(v)),
            .faults = {m.array<std::int64_t>("places", places), v["places"]},
            .count = v["count"],
            .squares_count = v["squares"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    if (v["places"] && v["fault"]) return;
    const double t = double(v["step"]);
    double norm = 0;
    for (const double square : a["squares"]) norm = std::hypot(norm, std::sqrt(square));
    const double scale = std::min(1.0, clip / (norm + 1e-6));
    for (std::size_t i = 0; i < a["parameters"].size(); ++i) {
      const double g = scale * a["gradients"][i];
      a["parameters"][i] -= rate * decay(v) * a["parameters"][i];
      a["m"][i] = beta1 * a["m"][i] + (1 - beta1) * g;
      a["v"][i] = beta2 * a["v"][i] + (1 - beta2) * g * g;
      const double mean = a["m"][i] / (1 - std::pow(beta1, t)), square = a["v"][i] / (1 - std::pow(beta2, t));
      a["parameters"][i] -= rate * mean / (std::sqrt(square) + epsilon);
    }
  }
  static double terms(const Variant&) { return 4; }
};

template <>
struct Case<kernels::begin_step> {
  /// places: where faults of the batch are looked for; faults: 1: there is one in the last; 2: and one in the middle;
  /// untold: there was one before
  static Variants variants() {
    return all(
        {{"step", {0, std::int64_t(1) << 40}}, {"places", {0, 1, 7, 128}}, {"faults", {0, 1, 2}}, {"untold", {0, 1}}});
  }
  static Variants realistic() { return all({{"step", {5}}, {"places", {128}}, {"faults", {0}}, {"untold", {0}}}); }
  template <class T>
  static kernels::begin_step::Arguments<T> arguments(const Variant& v, Memory& m) {
    Values places(static_cast<std::size_t>(v["places"]), -1.0);
    if (v["faults"] > 0 && !places.empty()) places.back() = 30;
    if (v["faults"] > 1 && !places.empty()) places[places.size() / 2] = 20;
    return {.counters = m.array<std::int64_t>("counters", {77, 77, 77, v["untold"] ? 3.0 : -1.0, 12, 4}),
            .rates = m.array<T>("rates", Values(8, 0)),
            .faults = {m.array<std::int64_t>("places", places), v["places"]},
            .step = v["step"],
            .rate = T(1.5),
            .correction = T(2.5),
            .decay1 = T(3.5),
            .beta2 = T(4.5),
            .decay2 = T(5.5),
            .epsilon = T(6.5),
            .kept = T(7.5),
            .clip = T(8.5)};
  }
  static void reference(const Variant& v, Arrays& a) {
    const Values& places = a["places"];
    const auto found = std::find_if(places.begin(), places.end(), [](double place) { return place >= 0; });
    Values& counters = a["counters"];
    counters[0] = double(v["step"]);
    counters[1] = found == places.end() ? -1 : double(found - places.begin());
    counters[2] = found == places.end() ? -1 : *found;
    if (found != places.end() && v["untold"]) counters[5] = 5;
    if (found != places.end() && !v["untold"]) {
      counters[3] = counters[1];
      counters[4] = counters[2];
      counters[5] = 1;
    }
    a["rates"] = {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5};
  }
  static double terms(const Variant&) { return 1; }
};

template <>
struct Case<kernels::keep_losses> {
  static Variants variants() { return all({{"count", {0, 1, 3, 17, 1000}}, {"places", {0, 1, 3}}, {"fault", {0, 1}}}); }
  static Variants realistic() { return all({{"count", {3 * 64}}, {"places", {1}}, {"fault", {0}}}); }
  template <class T>
  static kernels::keep_losses::Arguments<T> arguments(const Variant& v, Memory& m) {
    Values places(static_cast<std::size_t>(v["places"]), -1.0);
    if (v["fault"] && !places.empty()) places.back() = 5;
    return {.parts = m.array<T>("parts", std::size_t(v["count"])),
            .to = m.array<T>("to", std::size_t(v["count"])),
            .faults = {m.array<std::int64_t>("places", places), v["places"]},
            .count = v["count"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const bool fault = v["fault"] && v["places"] > 0;
    a["to"] = fault ? Values(a["parts"].size(), -1.0) : a["parts"];
  }
  static double terms(const Variant&) { return 1; }
};

}  // namespace ops
