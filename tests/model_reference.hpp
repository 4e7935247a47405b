// A model as the paper writes it: one sequence, double precision, dense N×N factors, erf from the standard library.
#pragma once

#include <map>
#include <string>

#include "reference.hpp"

namespace reference {

struct ModelSettings {
  bool tokens = true;
  std::int64_t vocabulary = 0, features = 0, length = 1, width = 1, factors = 0, links = 1, hidden_f = 1, hidden_g = 1,
               channels = 1, blocks = 1, head_hidden = 0, classes = 1;
  bool residual = false, positions = false, flatten = true, mse = false;

  Offsets offsets() const {
    Offsets list(std::size_t(links), 0);
    for (std::size_t k = 1; k < list.size(); ++k) list[k] = std::int64_t(1) << (k - 1);
    return list;
  }
};

using Parameters = std::map<std::string, Values>;

inline double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

/// weight [outs, ins] · x + bias
inline Values linear(const Parameters& p, const std::string& name, const double* x, std::int64_t ins) {
  const Values &weight = p.at(name + ".weight"), &bias = p.at(name + ".bias");
  Values y = bias;
  for (std::size_t o = 0; o < y.size(); ++o)
    for (std::int64_t i = 0; i < ins; ++i) y[o] += weight[o * ins + i] * x[i];
  return y;
}

inline Values two_layers(const Parameters& p, const std::string& first, const std::string& second, const double* x,
                         std::int64_t ins) {
  Values hidden = linear(p, first, x, ins);
  for (double& each : hidden) each = gelu(each);
  return linear(p, second, hidden.data(), std::int64_t(hidden.size()));
}

/// A network on every row.
inline Values row_network(const Parameters& p, const std::string& name, const Values& rows, std::int64_t ins) {
  Values result;
  for (std::size_t i = 0; i < rows.size(); i += std::size_t(ins)) {
    const Values y = two_layers(p, name + ".network.0", name + ".network.2", rows.data() + i, ins);
    result.insert(result.end(), y.begin(), y.end());
  }
  return result;
}

inline Values embedded(const ModelSettings& s, const Parameters& p, const double* input) {
  Values rows;
  for (std::int64_t n = 0; n < s.length; ++n) {
    Values row = s.tokens ? Values(p.at("embedding.weight").begin() + std::int64_t(input[n]) * s.width,
                                   p.at("embedding.weight").begin() + (std::int64_t(input[n]) + 1) * s.width)
                          : linear(p, "init_linear", input + n * s.features, s.features);
    for (std::int64_t c = 0; c < s.width && s.positions; ++c) row[c] += p.at("pos_embedding.weight")[n * s.width + c];
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

inline std::string block_prefix(std::int64_t block) {
  return block == 0 ? "" : "blocks." + std::to_string(block) + ".";
}

/// The factors that a block makes of its input, one behind the other.
inline Values block_factors(const ModelSettings& s, const Parameters& p, std::int64_t block, const Values& rows) {
  Values factors;
  for (std::int64_t m = 0; m < s.factors; ++m) {
    const Values w =
        row_network(p, block_prefix(block) + "fs." + std::to_string(m), rows, block == 0 ? s.width : s.channels);
    factors.insert(factors.end(), w.begin(), w.end());
  }
  return factors;
}

inline Values block_output(const ModelSettings& s, const Parameters& p, std::int64_t block, const Values& rows) {
  const Values first = row_network(p, block_prefix(block) + "g", rows, block == 0 ? s.width : s.channels);
  const Values factors = block_factors(s, p, block, rows);
  return chain(s.length, s.channels, s.offsets(), s.factors, factors.data(), first.data(), s.residual);
}

inline Values head(const ModelSettings& s, const Parameters& p, const Values& x) {
  const std::int64_t pooled = s.flatten ? s.length * s.channels : s.channels;
  return s.head_hidden > 0 ? two_layers(p, "final.0", "final.2", x.data(), pooled)
                           : linear(p, "final", x.data(), pooled);
}

inline Values model(const ModelSettings& s, const Parameters& p, const double* input) {
  Values x = embedded(s, p, input);
  for (std::int64_t b = 0; b < s.blocks; ++b) x = block_output(s, p, b, x);
  return head(s, p, x);
}

/// The leading n × n part of a factor, of which the first n rows are given.
inline Values leading_part(const ModelSettings& s, std::int64_t n, const double* w) {
  Values padded(w, w + n * s.links), part;
  padded.resize(std::size_t(s.length * s.links));
  const Values whole = dense_factor(s.length, s.offsets(), padded.data());
  for (std::int64_t i = 0; i < n; ++i)
    part.insert(part.end(), whole.begin() + i * s.length, whole.begin() + i * s.length + n);
  return part;
}

/// What a block makes of the n rows that a sequence of that length has.
inline Values short_block_output(const ModelSettings& s, const Parameters& p, std::int64_t block, std::int64_t n,
                                 const Values& rows) {
  const Values first = row_network(p, block_prefix(block) + "g", rows, block == 0 ? s.width : s.channels);
  const Values factors = block_factors(s, p, block, rows);
  Values x = first;
  for (std::int64_t m = 0; m < s.factors; ++m) {
    x = multiply(n, s.channels, leading_part(s, n, factors.data() + m * n * s.links), x.data());
    for (std::size_t i = 0; i < x.size() && s.residual; ++i) x[i] += first[i];
  }
  return x;
}

/// The model of a sequence of n rows: there is nothing behind them, and the head sees zeros there.
inline Values short_model(const ModelSettings& s, const Parameters& p, const double* input, std::int64_t n) {
  ModelSettings shorter = s;
  shorter.length = n;
  Values x = embedded(shorter, p, input);
  for (std::int64_t b = 0; b < s.blocks; ++b) x = short_block_output(s, p, b, n, x);
  x.resize(std::size_t(s.length * s.channels), 0.0);
  return head(s, p, x);
}

/// The mean over a batch of cross-entropy, or of the squared error.
inline double mean_loss(const ModelSettings& s, const std::vector<Values>& outputs, const Values& labels) {
  double sum = 0;
  for (std::size_t b = 0; b < outputs.size(); ++b) {
    if (s.mse) {
      for (const double y : outputs[b]) sum += (y - labels[b]) * (y - labels[b]) / double(s.classes);
    } else {
      double total = 0;
      for (const double y : outputs[b]) total += std::exp(y);
      sum += std::log(total) - outputs[b][std::size_t(labels[b])];
    }
  }
  return sum / double(outputs.size());
}

}  // namespace reference
