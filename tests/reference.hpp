// What the library should compute, written as the mathematics reads: dense matrices, double precision, no cleverness.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace reference {

using Offsets = std::vector<std::int64_t>;
using Values = std::vector<double>;

inline std::int64_t modulo(std::int64_t a, std::int64_t n) { return ((a % n) + n) % n; }

/// The factor as a dense N×N matrix; weights that fall on the same entry add up.
inline Values dense_factor(std::int64_t n, const Offsets& offsets, const double* w) {
  const std::int64_t links = std::int64_t(offsets.size());
  Values matrix(n * n, 0.0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < links; ++k) matrix[i * n + modulo(i + offsets[k], n)] += w[i * links + k];
  return matrix;
}

/// A·B for A [n, n] (or its transpose) and B [n, d].
inline Values multiply(std::int64_t n, std::int64_t d, const Values& a, const double* b, bool transpose = false) {
  Values result(n * d, 0.0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const double x = transpose ? a[j * n + i] : a[i * n + j];
      if (x == 0) continue;
      for (std::int64_t c = 0; c < d; ++c) result[i * d + c] += x * b[j * d + c];
    }
  return result;
}

/// The gradient of ⟨dz, W v⟩ with respect to the full matrix is dz vᵀ; a weight's is the entry it falls on.
inline Values weights_gradient(std::int64_t n, std::int64_t d, const Offsets& offsets, const double* dz,
                               const double* v) {
  const std::int64_t links = std::int64_t(offsets.size());
  Values result(n * links, 0.0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < links; ++k)
      for (std::int64_t c = 0; c < d; ++c)
        result[i * links + k] += dz[i * d + c] * v[modulo(i + offsets[k], n) * d + c];
  return result;
}

/// One sequence through a chain; `w` holds the factors one after the other.
inline Values chain(std::int64_t n, std::int64_t d, const Offsets& offsets, std::int64_t factors, const double* w,
                    const double* v, bool residual) {
  Values x(v, v + n * d);
  for (std::int64_t m = 0; m < factors; ++m) {
    x = multiply(n, d, dense_factor(n, offsets, w + m * n * std::int64_t(offsets.size())), x.data());
    if (residual)
      for (std::int64_t i = 0; i < n * d; ++i) x[i] += v[i];
  }
  return x;
}

/// The product of the factors, as a matrix.
inline Values chain_matrix(std::int64_t n, const Offsets& offsets, std::int64_t factors, const double* w) {
  Values identity(n * n, 0.0);
  for (std::int64_t i = 0; i < n; ++i) identity[i * n + i] = 1;
  return chain(n, n, offsets, factors, w, identity.data(), false);
}

inline double inner(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace reference
