// The head: a linear layer over whole sequences, GELU, losses.
#pragma once

#include "networks.hpp"

namespace ops {

struct DenseCase {
  static std::vector<Axis> odd_sizes() {
    return {{"rows", {0, 1, 3, 17}}, {"ins", {1, 7, 33, 2500}}, {"outs", {1, 2, 10}}, {"gap", {0, 3}}};
  }
  static std::vector<Axis> realistic_sizes() {
    return {{"rows", {32}}, {"ins", {16384, 65536}}, {"outs", {10}}, {"gap", {0}}};
  }
  static std::vector<Axis> joined(std::vector<Axis> axes, const Axis& more) {
    axes.push_back(more);
    return axes;
  }
  static Variants variants() { return all(odd_sizes()); }
  static Variants realistic() { return all(realistic_sizes()); }
  static Box in(const Variant& v) { return {1, 1, v["rows"], v["ins"], v["gap"]}; }
  static Dense weight(const Variant& v, const Arrays& a) {
    Dense matrix(v["outs"], v["ins"]);
    matrix.values = a.at("weight");
    return matrix;
  }
  static Dense dout(const Variant& v, const Arrays& a) {
    Dense matrix(v["rows"], v["outs"]);
    matrix.values = a.at("dout");
    return matrix;
  }
  static double terms(const Variant& v) { return double(v["ins"] + v["rows"]); }
};

template <>
struct Case<kernels::dense_forward> : DenseCase {
  template <class T>
  static kernels::dense_forward::Arguments<T> arguments(const Variant& v, Memory& m) {
    const std::int64_t pieces = chord::with_shape<kernels::dense_forward, T>(
        m.device(), [&](auto shape) { return kernels::dense_forward::pieces<decltype(shape)>(v["ins"]); });
    return {.in = m.view<T>("in", in(v)),
            .weight = m.array<T>("weight", std::size_t(v["outs"] * v["ins"])),
            .bias = m.array<T>("bias", std::size_t(v["outs"])),
            .out = m.array<T>("out", std::size_t(pieces * v["rows"] * v["outs"])),
            .rows = v["rows"],
            .ins = v["ins"],
            .outs = v["outs"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const std::int64_t numbers = v["rows"] * v["outs"];
    const std::int64_t pieces = numbers ? std::int64_t(a["out"].size()) / numbers : 1;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      Dense x = matrix_of(a["in"], in(v), 0, 0);
      for (std::size_t i = 0; i < x.values.size(); ++i)
        if (pieces > 1 && std::int64_t(i) % v["ins"] / kernels::dense_piece != piece) x.values[i] = 0;
      const Values sums = (x * transposed(weight(v, a))).values;
      for (std::int64_t i = 0; i < numbers; ++i)
        a["out"][std::size_t(piece * numbers + i)] =
            sums[std::size_t(i)] + (piece == 0 ? a["bias"][std::size_t(i % v["outs"])] : 0);
    }
  }
};

template <>
struct Case<kernels::dense_gradient_input> : DenseCase {
  template <class T>
  static kernels::dense_gradient_input::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.dout = m.array<T>("dout", std::size_t(v["rows"] * v["outs"])),
            .weight = m.array<T>("weight", std::size_t(v["outs"] * v["ins"])),
            .din = m.view<T>("din", in(v)),
            .rows = v["rows"],
            .ins = v["ins"],
            .outs = v["outs"]};
  }
  static void reference(const Variant& v, Arrays& a) { put(dout(v, a) * weight(v, a), a["din"], in(v), 0, 0); }
};

template <>
struct Case<kernels::dense_gradient_weights> : DenseCase {
  static Variants variants() { return all(joined(odd_sizes(), {"accumulate", {0, 1}})); }
  static Variants realistic() { return all(joined(realistic_sizes(), {"accumulate", {1}})); }
  template <class T>
  static kernels::dense_gradient_weights::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.dout = m.array<T>("dout", std::size_t(v["rows"] * v["outs"])),
            .in = m.view<T>("in", in(v)),
            .dweight = m.array<T>("dweight", std::size_t(v["outs"] * v["ins"])),
            .dbias = m.array<T>("dbias", std::size_t(v["outs"])),
            .rows = v["rows"],
            .ins = v["ins"],
            .outs = v["outs"],
            .accumulate = std::int32_t(v["accumulate"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    const bool accumulate = v["accumulate"] != 0;
    const Dense g = transposed(dout(v, a));
    put(g * matrix_of(a["in"], in(v), 0, 0), a["dweight"], {1, 1, v["outs"], v["ins"]}, 0, 0, accumulate);
    Dense ones(v["rows"], 1);
    std::fill(ones.values.begin(), ones.values.end(), 1.0);
    put(g * ones, a["dbias"], {1, 1, v["outs"], 1}, 0, 0, accumulate);
  }
};

struct GeluCase {
  static Variants variants() { return all({{"count", {0, 1, 2, 3, 17, 1000, 4097}}}); }
  static Variants realistic() { return all({{"count", {1 << 14, 1 << 20}}}); }
  /// Far into both tails, beside a value of ordinary size; gelu_test looks at the tails alone.
  static Values wide(std::size_t count) {
    Values values = uniform("in", count);
    for (double& each : values) each *= 16;
    if (count > 0) values[0] = 1.5;
    return values;
  }
  static double terms(const Variant&) { return 1; }
};

template <>
struct Case<kernels::gelu_forward> : GeluCase {
  template <class T>
  static kernels::gelu_forward::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto count = std::size_t(v["count"]);
    return {.in = m.array<T>("in", wide(count)), .out = m.array<T>("out", count), .count = v["count"]};
  }
  static void reference(const Variant&, Arrays& a) {
    for (std::size_t i = 0; i < a["in"].size(); ++i) a["out"][i] = gelu(a["in"][i]);
  }
};

template <>
struct Case<kernels::gelu_backward> : GeluCase {
  template <class T>
  static kernels::gelu_backward::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto count = std::size_t(v["count"]);
    return {.in = m.array<T>("in", wide(count)), .gradient = m.array<T>("gradient", count), .count = v["count"]};
  }
  static void reference(const Variant&, Arrays& a) {
    for (std::size_t i = 0; i < a["in"].size(); ++i) a["gradient"][i] *= gelu_slope(a["in"][i]);
  }
};

struct LossCase {
  static Variants variants() { return all({{"rows", {0, 1, 2, 3, 17, 1000}}, {"classes", {1, 2, 10, 33}}}); }
  static Variants realistic() { return all({{"rows", {32, 4096}}, {"classes", {10}}}); }
  static constexpr double scale = 0.125;
  static double terms(const Variant& v) { return double(v["classes"]); }
};

template <>
struct Case<kernels::cross_entropy> : LossCase {
  /// Two labels lie outside, which are taken for the nearest inside; some rows have two largest outputs.
  template <class T>
  static kernels::cross_entropy::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto rows = std::size_t(v["rows"]), classes = std::size_t(v["classes"]);
    Values outputs = uniform("outputs", rows * classes);
    for (double& each : outputs) each *= 20;
    for (std::size_t row = 0; classes > 1 && row < rows; row += 3)
      outputs[row * classes] = outputs[row * classes + 1] = 25;
    return {.outputs = m.array<T>("outputs", outputs),
            .labels = m.array<std::int32_t>("labels", integers("labels", rows, -1, v["classes"])),
            .sums = m.array<T>("sums", rows),
            .gaps = m.array<T>("gaps", rows),
            .correct = m.array<T>("correct", rows),
            .gradient = m.array<T>("gradient", rows * classes),
            .rows = v["rows"],
            .classes = v["classes"],
            .scale = T(scale)};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto classes = std::size_t(v["classes"]);
    for (std::size_t row = 0; row < a["labels"].size(); ++row) {
      const double* y = a["outputs"].data() + row * classes;
      const auto label = std::size_t(std::min(std::max(a["labels"][row], 0.0), double(classes - 1)));
      const double* top = std::max_element(y, y + classes);
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c) sum += std::exp(y[c] - *top);
      for (std::size_t c = 0; c < classes; ++c)
        a["gradient"][row * classes + c] = scale * (std::exp(y[c] - *top) / sum - (c == label ? 1 : 0));
      a["sums"][row] = sum;
      a["gaps"][row] = *top - y[label];
      a["correct"][row] = top == y + label ? 1 : 0;
    }
  }
};

template <>
struct Case<kernels::squared_error> : LossCase {
  static constexpr double tolerance = 0.5;
  template <class T>
  static kernels::squared_error::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto rows = std::size_t(v["rows"]), classes = std::size_t(v["classes"]);
    return {.outputs = m.array<T>("outputs", rows * classes),
            .labels = m.array<T>("labels", rows),
            .losses = m.array<T>("losses", rows),
            .correct = m.array<T>("correct", rows),
            .gradient = m.array<T>("gradient", rows * classes),
            .rows = v["rows"],
            .classes = v["classes"],
            .tolerance = T(tolerance),
            .scale = T(scale)};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto classes = std::size_t(v["classes"]);
    for (std::size_t row = 0; row < a["labels"].size(); ++row) {
      double sum = 0, worst = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        const double error = a["outputs"][row * classes + c] - a["labels"][row];
        sum += error * error;
        worst = std::max(worst, std::abs(error));
        a["gradient"][row * classes + c] = scale * 2 * error / double(classes);
      }
      a["losses"][row] = sum / double(classes);
      a["correct"][row] = worst < tolerance ? 1 : 0;
    }
  }
};

}  // namespace ops
