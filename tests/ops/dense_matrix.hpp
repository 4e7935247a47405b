// Matrices with all their values, for references: products and chains by their definition.
#pragma once

#include "arrays.hpp"

namespace ops {

struct Dense {
  std::int64_t rows = 0, columns = 0;
  Values values;

  Dense(std::int64_t r, std::int64_t c) : rows(r), columns(c), values(std::size_t(r * c)) {}
  double& operator()(std::int64_t i, std::int64_t j) { return values[std::size_t(i * columns + j)]; }
  double operator()(std::int64_t i, std::int64_t j) const { return values[std::size_t(i * columns + j)]; }
};

inline Dense identity(std::int64_t n) {
  Dense unit(n, n);
  for (std::int64_t i = 0; i < n; ++i) unit(i, i) = 1;
  return unit;
}

inline Dense operator*(const Dense& a, const Dense& b) {
  Dense product(a.rows, b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = 0; k < a.columns; ++k)
      if (const double factor = a(i, k); factor != 0)
        for (std::int64_t j = 0; j < b.columns; ++j) product(i, j) += factor * b(k, j);
  return product;
}

inline Dense operator+(Dense a, const Dense& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

inline Dense operator*(double scale, Dense a) {
  for (double& each : a.values) each *= scale;
  return a;
}

inline Dense transposed(const Dense& a) {
  Dense turned(a.columns, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.columns; ++j) turned(j, i) = a(i, j);
  return turned;
}

/// One matrix of a box.
inline Dense matrix_of(const Values& values, const Box& box, std::int64_t factor, std::int64_t sequence) {
  Dense matrix(box.rows, box.columns);
  for (std::int64_t i = 0; i < box.rows; ++i)
    for (std::int64_t j = 0; j < box.columns; ++j) matrix(i, j) = values[box.at(factor, sequence, i, j)];
  return matrix;
}
inline void put(const Dense& matrix, Values& values, const Box& box, std::int64_t factor, std::int64_t sequence,
                bool accumulate = false) {
  for (std::int64_t i = 0; i < box.rows; ++i)
    for (std::int64_t j = 0; j < box.columns; ++j) {
      double& to = values[box.at(factor, sequence, i, j)];
      to = matrix(i, j) + (accumulate ? to : 0);
    }
}

/// The sparse matrix with w[i,k] at (i, i + o_k), all of it.
inline Dense factor_of(const Dense& w, const Values& offsets) {
  Dense factor(w.rows, w.rows);
  for (std::int64_t i = 0; i < w.rows; ++i)
    for (std::int64_t k = 0; k < w.columns; ++k)
      factor(i, (i + std::int64_t(offsets[std::size_t(k)])) % w.rows) += w(i, k);
  return factor;
}
/// Those values of a matrix that are a factor's weights: [n, links]
inline Dense links_of(const Dense& matrix, const Values& offsets) {
  Dense w(matrix.rows, std::int64_t(offsets.size()));
  for (std::int64_t i = 0; i < w.rows; ++i)
    for (std::int64_t k = 0; k < w.columns; ++k)
      w(i, k) = matrix(i, (i + std::int64_t(offsets[std::size_t(k)])) % w.rows);
  return w;
}

/// Links of which the first wraps at once; one stays, some meet.
inline Values offsets_for(std::int64_t n, std::int64_t links) {
  Values offsets = integers("offsets", std::size_t(links), 0, n - 1);
  const std::int64_t first[] = {n - 1, 0, 1 % n, n / 2};
  for (std::size_t k = 0; k < 4 && k < offsets.size(); ++k) offsets[k] = double(first[k]);
  return offsets;
}

}  // namespace ops
