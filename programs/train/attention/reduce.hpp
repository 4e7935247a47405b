// Rows that are longer than there is room for.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace train {

/// As many values as there is room for; each stands for some neighbours and is the one of largest magnitude.
inline std::vector<double> strongest(const std::vector<double>& row, int64_t room) {
  const auto count = int64_t(row.size());
  if (count <= room) return row;
  std::vector<double> result(std::size_t(room), 0.0);
  for (int64_t i = 0; i < count; ++i) {
    double& value = result[std::size_t(i * room / count)];
    if (std::abs(row[std::size_t(i)]) > std::abs(value)) value = row[std::size_t(i)];
  }
  return result;
}

}  // namespace train
