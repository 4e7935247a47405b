// What an operation reads and writes, on the host's side: arrays by name, in double precision whatever the device has.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kernels/view.hpp"

namespace ops {

using Values = std::vector<double>;
using Arrays = std::map<std::string, Values>;

/// Different for every name, the same in every run.
inline std::mt19937 generator_for(const std::string& name) {
  std::seed_seq seed(name.begin(), name.end());
  return std::mt19937(seed);
}

/// In −1 … 1, multiples of 2⁻²⁰: both precisions hold them exactly, so results differ by their own rounding only.
inline Values uniform(const std::string& name, std::size_t count) {
  std::mt19937 generator = generator_for(name);
  Values values(count);
  for (double& each : values) each = std::ldexp(double(generator() >> 11), -20) - 1;
  return values;
}

/// In first … last.
inline Values integers(const std::string& name, std::size_t count, std::int64_t first, std::int64_t last) {
  std::mt19937 generator = generator_for(name);
  Values values(count);
  for (double& each : values) each = double(first + std::int64_t(generator() % std::uint64_t(last - first + 1)));
  return values;
}

/// A View's matrices with `gap` values that belong to nobody behind every row, sequence and factor.
struct Box {
  std::int64_t factors, sequences, rows, columns, gap = 0;
  bool shared = false;  ///< one matrix serves all sequences

  std::int64_t row_stride() const { return columns + gap; }
  std::int64_t sequence_stride() const { return shared ? 0 : rows * row_stride() + gap; }
  std::int64_t factor_stride() const { return (shared ? 1 : sequences) * (rows * row_stride() + gap); }
  std::size_t size() const { return std::size_t(factors * factor_stride()); }
  std::size_t at(std::int64_t factor, std::int64_t sequence, std::int64_t row, std::int64_t column) const {
    return std::size_t(factor * factor_stride() + sequence * sequence_stride() + row * row_stride() + column);
  }
  template <class T>
  chord::kernels::View<T> view(T* data) const {
    return {data, factor_stride(), sequence_stride(), row_stride()};
  }
};

}  // namespace ops
