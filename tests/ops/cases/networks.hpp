// Networks that work row by row, by their two formulas.
#pragma once

#include "../case.hpp"
#include "device/launch.hpp"
#include "kernels/list.hpp"

namespace ops {

inline double gelu(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }
inline double gelu_slope(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0)) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
}

struct NetworkCase {
  static kernels::Network network(const Variant& v) { return {v["ins"], v["hidden"], v["outs"]}; }
  static Variants realistic_sizes(const std::vector<Axis>& more) {
    const auto sizes = [&](std::vector<Axis> axes) {
      axes.insert(axes.end(), more.begin(), more.end());
      return all(axes);
    };
    return sizes({{"rows", {32768}},
                  {"ins", {16, 64}},
                  {"hidden", {32}},
                  {"outs", {11}},
                  {"networks", {10}},
                  {"tiles_each", {8}}}) +
           sizes({{"rows", {6000}},
                  {"ins", {512}},
                  {"hidden", {128}},
                  {"outs", {12}},
                  {"networks", {11}},
                  {"tiles_each", {4}}});  // ListOps
  }
  /// Of the adding problem.
  static Variant adding_sizes(const std::vector<Axis>& more) {
    std::vector<Axis> axes = {{"rows", {512}}, {"ins", {32}},      {"hidden", {32}},
                              {"outs", {12}},  {"networks", {11}}, {"tiles_each", {1}}};
    axes.insert(axes.end(), more.begin(), more.end());
    return all(axes)[0];
  }
  /// Rows in a tile, which depend on the device's shape.
  template <class Op, class T>
  static std::int64_t tile(const Memory& m) {
    return chord::with_shape<Op, T>(m.device(), [](auto shape) { return std::int64_t(decltype(shape)::rows); });
  }
  static std::int64_t workers(std::int64_t rows, std::int64_t tile, std::int64_t tiles_each) {
    return (rows + tile * tiles_each - 1) / (tile * tiles_each);
  }
  /// The two layers of one network for one row: what goes into GELU, and the result.
  struct Pass {
    Values before, out;
  };
  static Pass pass(const kernels::Network& net, const double* p, const double* x) {
    Pass made{Values(p + net.bias(), p + net.weight_out()), Values(p + net.bias_out(), p + net.size())};
    for (std::int64_t h = 0; h < net.hidden; ++h)
      for (std::int64_t i = 0; i < net.ins; ++i) made.before[std::size_t(h)] += p[h * net.ins + i] * x[i];
    for (std::int64_t o = 0; o < net.outs; ++o)
      for (std::int64_t h = 0; h < net.hidden; ++h)
        made.out[std::size_t(o)] += p[net.weight_out() + o * net.hidden + h] * gelu(made.before[std::size_t(h)]);
    return made;
  }
};

template <>
struct Case<kernels::mlp_forward> : NetworkCase {
  static Variants variants() {
    return all({{"rows", {0, 1, 2, 3, 17, 100, 250}},
                {"ins", {1, 7, 33}},
                {"hidden", {1, 6, 16}},
                {"outs", {1, 3, 10}},
                {"networks", {1, 3}},
                {"tiles_each", {1, 2}}}) +
           all({{"rows", {1000}},
                {"ins", {7}},
                {"hidden", {8}},
                {"outs", {10}},
                {"networks", {2}},
                {"tiles_each", {3}}}) +
           // What is left over of blocks of every width.
           all({{"rows", {100}},
                {"ins", {95}},
                {"hidden", {13, 15}},
                {"outs", {4, 5, 6, 7}},
                {"networks", {2}},
                {"tiles_each", {1}}}) +
           // ListOps
           all({{"rows", {97}},
                {"ins", {512}},
                {"hidden", {128}},
                {"outs", {12, 128}},
                {"networks", {2}},
                {"tiles_each", {1}}});
  }
  static Variants realistic() { return realistic_sizes({}); }
  static Variant counted() { return adding_sizes({}); }
  template <class T>
  static kernels::mlp_forward::Arguments<T> arguments(const Variant& v, Memory& m) {
    const kernels::Network net = network(v);
    const std::int64_t rows_of_tile = tile<kernels::mlp_forward, T>(m),
                       count = workers(v["rows"], rows_of_tile, v["tiles_each"]);
    return {.in = m.array<T>("in", std::size_t(v["rows"] * net.ins)),
            .parameters = m.array<T>("parameters", std::size_t(v["networks"] * net.size())),
            .out = m.array<T>("out", std::size_t(v["networks"] * v["rows"] * net.outs)),
            .scratch = m.scratch<T>(std::size_t(count * kernels::mlp_forward::scratch_rows(net) * rows_of_tile)),
            .network = net,
            .rows = v["rows"],
            .networks = v["networks"],
            .workers = count,
            .tiles_each = v["tiles_each"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const kernels::Network net = network(v);
    for (std::int64_t n = 0; n < v["networks"]; ++n)
      for (std::int64_t row = 0; row < v["rows"]; ++row) {
        const Pass made = pass(net, a["parameters"].data() + n * net.size(), a["in"].data() + row * net.ins);
        std::copy(made.out.begin(), made.out.end(), a["out"].begin() + (n * v["rows"] + row) * net.outs);
      }
  }
  static double terms(const Variant& v) { return double(v["ins"] * v["hidden"] + 1); }
};

template <>
struct Case<kernels::mlp_backward> : NetworkCase {
  static Variants variants() {
    return all({{"rows", {0, 1, 2, 3, 17, 100, 250}},
                {"ins", {1, 7, 33}},
                {"hidden", {1, 6, 16}},
                {"outs", {1, 3, 10}},
                {"networks", {1, 3}},
                {"tiles_each", {1, 2}},
                {"accumulate", {0, 1}}}) +
           all({{"rows", {1000}},
                {"ins", {7}},
                {"hidden", {8}},
                {"outs", {10}},
                {"networks", {2}},
                {"tiles_each", {3}},
                {"accumulate", {0, 1}}}) +
           // What is left over of blocks of every width.
           all({{"rows", {100}},
                {"ins", {95}},
                {"hidden", {13, 15}},
                {"outs", {4, 5, 6, 7}},
                {"networks", {2}},
                {"tiles_each", {1}},
                {"accumulate", {0, 1}}}) +
           // ListOps
           all({{"rows", {97}},
                {"ins", {512}},
                {"hidden", {128}},
                {"outs", {12, 128}},
                {"networks", {2}},
                {"tiles_each", {1}},
                {"accumulate", {0, 1}}});
  }
  /// From one worker's sums to the next one's: to whole sectors, as in training.
  static std::int64_t apart_of(const Variant& v) { return (v["networks"] * network(v).size() + 7) / 8 * 8; }
  static Variants realistic() { return realistic_sizes({{"accumulate", {0}}}); }
  static Variant counted() { return adding_sizes({{"accumulate", {0}}}); }
  template <class T>
  static kernels::mlp_backward::Arguments<T> arguments(const Variant& v, Memory& m) {
    const kernels::Network net = network(v);
    const std::int64_t rows_of_tile = tile<kernels::mlp_backward, T>(m),
                       count = workers(v["rows"], rows_of_tile, v["tiles_each"]);
    const bool wide = chord::with_shape<kernels::mlp_backward, T>(
        m.device(), [&](auto shape) { return kernels::mlp_backward::is_wide<decltype(shape)>(net); });
    m.note("rows of a tile", rows_of_tile);
    // A GPU's workers take every so many-th tile.
    m.note("tiles of a worker", m.device().cpu_like() ? v["tiles_each"] : 0);
    m.note("workers", count);
    m.note("wide", wide);
    const std::int64_t apart = apart_of(v);
    return {.in = m.array<T>("in", std::size_t(v["rows"] * net.ins)),
            .parameters = m.array<T>("parameters", std::size_t(v["networks"] * net.size())),
            .dout = m.array<T>("dout", std::size_t(v["networks"] * v["rows"] * net.outs)),
            .din = m.array<T>("din", std::size_t(v["rows"] * net.ins)),
            .partial = m.array<T>("partial", std::size_t(count * apart)),
            .scratch = m.scratch<T>(std::size_t(count * kernels::mlp_backward::scratch_rows(net) * rows_of_tile)),
            .slopes = m.array<T>("slopes", wide ? std::size_t(v["rows"] * v["networks"] * net.hidden) : 0),
            .network = net,
            .rows = v["rows"],
            .networks = v["networks"],
            .dout_rows = v["rows"],
            .workers = count,
            .tiles_each = v["tiles_each"],
            .partial_size = apart,
            .accumulate = std::int32_t(v["accumulate"]),
            .accumulate_partial = 0};
  }
  static void reference(const Variant& v, Arrays& a) {
    const kernels::Network net = network(v);
    const auto tile = std::int64_t(a["rows of a tile"][0]), each = std::int64_t(a["tiles of a worker"][0]),
               workers = std::int64_t(a["workers"][0]);
    const bool wide = a["wide"][0] != 0;
    if (!wide && !v["accumulate"]) std::fill(a["din"].begin(), a["din"].end(), 0.0);
    for (std::int64_t worker = 0; worker < workers; ++worker)
      std::fill_n(a["partial"].begin() + worker * apart_of(v), v["networks"] * net.size(), 0.0);
    for (std::int64_t n = 0; n < v["networks"]; ++n)
      for (std::int64_t row = 0; row < v["rows"]; ++row) {
        const double *p = a["parameters"].data() + n * net.size(), *x = a["in"].data() + row * net.ins;
        const double* g = a["dout"].data() + (n * v["rows"] + row) * net.outs;
        const std::int64_t worker = each ? row / tile / each : row / tile % workers;
        double* dp = a["partial"].data() + worker * apart_of(v) + n * net.size();
        double* dx = a["din"].data() + row * net.ins;
        const Pass made = pass(net, p, x);
        for (std::int64_t h = 0; h < net.hidden; ++h) {
          const double before = made.before[std::size_t(h)];
          double back = 0;
          for (std::int64_t o = 0; o < net.outs; ++o) {
            back += g[o] * p[net.weight_out() + o * net.hidden + h];
            dp[net.weight_out() + o * net.hidden + h] += g[o] * gelu(before);
          }
          back *= gelu_slope(before);
          dp[net.bias() + h] += back;
          if (wide) a["slopes"][std::size_t((row * v["networks"] + n) * net.hidden + h)] = back;
          for (std::int64_t i = 0; i < net.ins; ++i) {
            dp[h * net.ins + i] += back * x[i];
            if (!wide) dx[i] += back * p[h * net.ins + i];
          }
        }
        for (std::int64_t o = 0; o < net.outs; ++o) dp[net.bias_out() + o] += g[o];
      }
  }
  static double terms(const Variant& v) { return double(v["ins"] * v["hidden"] + v["rows"]); }
};

template <>
struct Case<kernels::mlp_input_gradient> : NetworkCase {
  static Variants variants() {
    return all({{"rows", {0, 1, 65, 200}},
                {"ins", {33, 64, 95}},
                {"hidden", {1, 32, 50}},
                {"outs", {3}},
                {"networks", {1, 3}},
                {"accumulate", {0, 1}}});
  }
  static Variants realistic() {
    return all(
        {{"rows", {5952}}, {"ins", {512}}, {"hidden", {128}}, {"outs", {12}}, {"networks", {11}}, {"accumulate", {0}}});
  }
  template <class T>
  static kernels::mlp_input_gradient::Arguments<T> arguments(const Variant& v, Memory& m) {
    const kernels::Network net = network(v);
    return {.slopes = m.array<T>("slopes", std::size_t(v["rows"] * v["networks"] * net.hidden)),
            .parameters = m.array<T>("parameters", std::size_t(v["networks"] * net.size())),
            .din = m.array<T>("din", std::size_t(v["rows"] * net.ins)),
            .network = net,
            .rows = v["rows"],
            .networks = v["networks"],
            .accumulate = std::int32_t(v["accumulate"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    const kernels::Network net = network(v);
    for (std::int64_t row = 0; row < v["rows"]; ++row)
      for (std::int64_t i = 0; i < net.ins; ++i) {
        double sum = v["accumulate"] ? a["din"][std::size_t(row * net.ins + i)] : 0;
        for (std::int64_t n = 0; n < v["networks"]; ++n)
          for (std::int64_t h = 0; h < net.hidden; ++h)
            sum += a["slopes"][std::size_t((row * v["networks"] + n) * net.hidden + h)] *
                   a["parameters"][std::size_t(n * net.size() + h * net.ins + i)];
        a["din"][std::size_t(row * net.ins + i)] = sum;
      }
  }
  static double terms(const Variant& v) { return double(v["networks"] * v["hidden"]); }
};

}  // namespace ops
