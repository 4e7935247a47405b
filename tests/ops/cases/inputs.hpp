// The first layer: embeddings of tokens and of reals, positions; and dropout.
#pragma once

#include <array>

#include "../case.hpp"
#include "kernels/list.hpp"

namespace ops {

template <>
struct Case<kernels::embed_tokens> {
  static Variants variants() {
    return all({{"sequences", {0, 1, 3}},
                {"length", {1, 2, 17, 1000}},
                {"vocabulary", {1, 5}},
                {"width", {1, 7, 33}},
                {"positions", {0, 1}}});
  }
  static Variants realistic() {
    return all(
        {{"sequences", {32}}, {"length", {1024}}, {"vocabulary", {256}}, {"width", {16, 64}}, {"positions", {1}}});
  }
  /// Some outside of the table, which are taken for the nearest inside.
  static Values tokens(std::size_t count, std::int64_t vocabulary) { return integers("tokens", count, -1, vocabulary); }
  static std::size_t row_of(double token, std::int64_t vocabulary) {
    return std::size_t(std::min(std::max(token, 0.0), double(vocabulary - 1)));
  }
  template <class T>
  static kernels::embed_tokens::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto rows = std::size_t(v["sequences"] * v["length"]), width = std::size_t(v["width"]);
    return {.tokens = m.array<std::int32_t>("tokens", tokens(rows, v["vocabulary"])),
            .table = m.array<T>("table", std::size_t(v["vocabulary"]) * width),
            .positions = v["positions"] ? m.array<T>("positions", std::size_t(v["length"]) * width) : nullptr,
            .out = m.array<T>("out", rows * width),
            .sequences = v["sequences"],
            .length = v["length"],
            .vocabulary = v["vocabulary"],
            .width = v["width"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto width = std::size_t(v["width"]), length = std::size_t(v["length"]);
    Values& out = a["out"];
    const Values &table = a["table"], &positions = a["positions"], &tokens = a["tokens"];
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t row = i / width, c = i % width;
      out[i] = table[row_of(tokens[row], v["vocabulary"]) * width + c];
      if (v["positions"]) out[i] += positions[row % length * width + c];
    }
  }
  static double terms(const Variant&) { return 2; }
};

template <>
struct Case<kernels::embed_tokens_gradient> {
  static Variants variants() {
    return all({{"rows", {0, 1, 2, 17, 1000}},
                {"rows_each", {1000, 400, 6}},
                {"workers", {3, 167}},
                {"vocabulary", {1, 5}},
                {"width", {1, 7, 33}},
                {"padding", {-1, 0}}});
  }
  static Variants realistic() {
    return all({{"rows", {32768}},
                {"rows_each", {2048}},
                {"workers", {16}},
                {"vocabulary", {256}},
                {"width", {16, 64}},
                {"padding", {-1}}});
  }
  /// As many rows for a worker as training on a GPU gives it.
  static Variant counted() {
    return all({{"rows", {32768}},
                {"rows_each", {512}},
                {"workers", {64}},
                {"vocabulary", {256}},
                {"width", {16}},
                {"padding", {-1}}})[0];
  }
  template <class T>
  static kernels::embed_tokens_gradient::Arguments<T> arguments(const Variant& v, Memory& m) {
    const auto rows = std::size_t(v["rows"]), width = std::size_t(v["width"]);
    return {.tokens = m.array<std::int32_t>("tokens", Case<kernels::embed_tokens>::tokens(rows, v["vocabulary"])),
            .gradient = m.array<T>("gradient", rows * width),
            .partial = m.array<T>("partial", std::size_t(v["workers"] * v["vocabulary"]) * width),
            .rows = v["rows"],
            .rows_each = v["rows_each"],
            .workers = v["workers"],
            .vocabulary = v["vocabulary"],
            .width = v["width"],
            .padding = v["padding"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto width = std::size_t(v["width"]), vocabulary = std::size_t(v["vocabulary"]);
    std::fill(a["partial"].begin(), a["partial"].end(), 0.0);
    for (std::size_t row = 0; row < a["tokens"].size(); ++row) {
      const std::size_t token = Case<kernels::embed_tokens>::row_of(a["tokens"][row], v["vocabulary"]);
      const std::size_t worker = row / std::size_t(v["rows_each"]);
      if (std::int64_t(token) == v["padding"] || worker >= std::size_t(v["workers"])) continue;
      for (std::size_t c = 0; c < width; ++c)
        a["partial"][(worker * vocabulary + token) * width + c] += a["gradient"][row * width + c];
    }
  }
  static double terms(const Variant& v) { return double(v["rows"]); }
};

template <>
struct Case<kernels::embed_reals> {
  static Variants variants() {
    return all({{"sequences", {0, 1, 3}},
                {"length", {1, 2, 17, 300}},
                {"features", {1, 3}},
                {"width", {1, 7, 33}},
                {"positions", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"sequences", {32}}, {"length", {1024}}, {"features", {2}}, {"width", {16, 64}}, {"positions", {1}}});
  }
  template <class T>
  static kernels::embed_reals::Arguments<T> arguments(const Variant& v, Memory& m) {
    const std::int64_t rows = v["sequences"] * v["length"];
    return {.in = m.array<T>("in", std::size_t(rows * v["features"])),
            .weight = m.array<T>("weight", std::size_t(v["width"] * v["features"])),
            .bias = m.array<T>("bias", std::size_t(v["width"])),
            .positions = v["positions"] ? m.array<T>("positions", std::size_t(v["length"] * v["width"])) : nullptr,
            .out = m.array<T>("out", std::size_t(rows * v["width"])),
            .rows = rows,
            .length = v["length"],
            .features = v["features"],
            .width = v["width"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const auto width = std::size_t(v["width"]), features = std::size_t(v["features"]);
    for (std::size_t i = 0; i < a["out"].size(); ++i) {
      const std::size_t row = i / width, c = i % width;
      double sum = a["bias"][c];
      for (std::size_t f = 0; f < features; ++f) sum += a["weight"][c * features + f] * a["in"][row * features + f];
      if (v["positions"]) sum += a["positions"][row % std::size_t(v["length"]) * width + c];
      a["out"][i] = sum;
    }
  }
  static double terms(const Variant& v) { return double(v["features"] + 2); }
};

template <>
struct Case<kernels::embed_reals_gradient> {
  static Variants variants() {
    return all({{"rows", {0, 1, 2, 17, 1000}},
                {"rows_each", {1000, 400, 6}},
                {"workers", {3, 167}},
                {"features", {1, 3}},
                {"width", {1, 7, 33}}});
  }
  static Variants realistic() {
    return all({{"rows", {32768}}, {"rows_each", {2048}}, {"workers", {16}}, {"features", {2}}, {"width", {16, 64}}});
  }
  /// As many rows for a worker as training on a GPU gives it.
  static Variant counted() {
    return all({{"rows", {81920}}, {"rows_each", {256}}, {"workers", {320}}, {"features", {2}}, {"width", {32}}})[0];
  }
  template <class T>
  static kernels::embed_reals_gradient::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.in = m.array<T>("in", std::size_t(v["rows"] * v["features"])),
            .gradient = m.array<T>("gradient", std::size_t(v["rows"] * v["width"])),
            .partial = m.array<T>("partial", std::size_t(v["workers"] * v["width"] * (v["features"] + 1))),
            .rows = v["rows"],
            .rows_each = v["rows_each"],
            .workers = v["workers"],
            .features = v["features"],
            .width = v["width"]};
  }
  static void reference(const Variant& v, Arrays& a) {
    const std::int64_t width = v["width"], features = v["features"];
    Values& partial = a["partial"];
    std::fill(partial.begin(), partial.end(), 0.0);
    for (std::int64_t row = 0; row < v["rows"]; ++row) {
      const std::int64_t worker = row / v["rows_each"], mine = worker * width * (features + 1);
      if (worker >= v["workers"]) break;
      for (std::int64_t c = 0; c < width; ++c) {
        const double g = a["gradient"][std::size_t(row * width + c)];
        partial[std::size_t(mine + width * features + c)] += g;
        for (std::int64_t f = 0; f < features; ++f)
          partial[std::size_t(mine + c * features + f)] += g * a["in"][std::size_t(row * features + f)];
      }
    }
  }
  static double terms(const Variant& v) { return double(v["rows"]); }
};

template <>
struct Case<kernels::positions_gradient> {
  static Variants variants() {
    return all(
        {{"sequences", {0, 1, 3}}, {"length", {0, 1, 2, 17, 1000}}, {"width", {1, 7, 33}}, {"accumulate", {0, 1}}});
  }
  static Variants realistic() {
    return all({{"sequences", {32}}, {"length", {1024}}, {"width", {16, 64}}, {"accumulate", {1}}});
  }
  template <class T>
  static kernels::positions_gradient::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.gradient = m.array<T>("gradient", std::size_t(v["sequences"] * v["length"] * v["width"])),
            .out = m.array<T>("out", std::size_t(v["length"] * v["width"])),
            .sequences = v["sequences"],
            .length = v["length"],
            .width = v["width"],
            .accumulate = std::int32_t(v["accumulate"])};
  }
  static void reference(const Variant& v, Arrays& a) {
    Values &out = a["out"], &gradient = a["gradient"];
    if (!v["accumulate"]) std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t i = 0; i < gradient.size(); ++i) out[i % out.size()] += gradient[i];
  }
  static double terms(const Variant& v) { return double(v["sequences"] + 1); }
};

template <>
struct Case<kernels::dropout> {
  static Variants variants() {
    return all({{"count", {0, 1, 2, 3, 17, 1000, 4097, 9000}},
                {"place", {0, 3, 4096, 100003}},
                {"threshold", {0, 6554, 65536}},
                {"step", {1, (std::int64_t(1) << 32) + 5}},
                {"layer", {0, 7}}});
  }
  static Variants realistic() {
    return all({{"count", {1 << 16, 1 << 21}}, {"place", {0}}, {"threshold", {6554}}, {"step", {1}}, {"layer", {3}}});
  }
  static constexpr std::int64_t seed = 0x1234567890abcdef;
  static constexpr double scale = 1.25;
  template <class T>
  static kernels::dropout::Arguments<T> arguments(const Variant& v, Memory& m) {
    return {.x = m.array<T>("x", std::size_t(v["count"])),
            .count = v["count"],
            .place = v["place"],
            .seed = seed,
            .step = m.array<std::int64_t>("step", Values{double(v["step"])}),
            .layer = std::int32_t(v["layer"]),
            .threshold = std::int32_t(v["threshold"]),
            .scale = T(scale)};
  }
  /// Philox 4×32-10 as the paper has it.
  static std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t key) {
    auto low = std::uint32_t(key), high = std::uint32_t(key >> 32);
    for (int round = 0; round < 10; ++round, low += 0x9E3779B9, high += 0xBB67AE85) {
      const std::uint64_t first = 0xD2511F53ull * counter[0], second = 0xCD9E8D57ull * counter[2];
      counter = {std::uint32_t(second >> 32) ^ counter[1] ^ low, std::uint32_t(second),
                 std::uint32_t(first >> 32) ^ counter[3] ^ high, std::uint32_t(first)};
    }
    return counter;
  }
  /// Eight values share the bits of one counter, sixteen each.
  static void reference(const Variant& v, Arrays& a) {
    for (std::int64_t i = 0; i < v["count"]; ++i) {
      const std::int64_t place = v["place"] + i, block = place / 8;
      const auto bits = philox({std::uint32_t(block), std::uint32_t(block >> 32), std::uint32_t(v["step"]),
                                std::uint32_t(v["step"] >> 32) ^ std::uint32_t(v["layer"]) << 16},
                               std::uint64_t(seed));
      const std::uint32_t word = bits[std::size_t(place % 8 / 2)];
      const std::int64_t drawn = place % 2 ? word / 65536 : word % 65536;
      a["x"][std::size_t(i)] *= drawn >= v["threshold"] ? scale : 0;
    }
  }
  static double terms(const Variant&) { return 1; }
};

}  // namespace ops
