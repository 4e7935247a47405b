// Plain work on rows: copies between strided tensors, sums, unit vectors.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// Kernel: to[a,b,c,:] = from[a,b,c,:] for any strides (in elements; zero repeats a value). T is any type of the
/// element's size: nothing is computed.
template <class T>
inline void copy_strided(std::size_t a, std::size_t b, std::size_t c, const T* from, std::int64_t from_a,
                         std::int64_t from_b, std::int64_t from_c, std::int64_t from_d, T* to, std::int64_t to_a,
                         std::int64_t to_b, std::int64_t to_c, std::int64_t to_d, std::int64_t extent) {
  const T* source = from + std::int64_t(a) * from_a + std::int64_t(b) * from_b + std::int64_t(c) * from_c;
  T* target = to + std::int64_t(a) * to_a + std::int64_t(b) * to_b + std::int64_t(c) * to_c;
  for (std::int64_t i = 0; i < extent; ++i) target[i * to_d] = source[i * from_d];
}

/// Kernel: to[a,b,c,:] = value for any strides; T as above.
template <class T>
inline void fill_strided(std::size_t a, std::size_t b, std::size_t c, T* to, std::int64_t to_a, std::int64_t to_b,
                         std::int64_t to_c, std::int64_t to_d, std::int64_t extent, T value) {
  T* target = to + std::int64_t(a) * to_a + std::int64_t(b) * to_b + std::int64_t(c) * to_c;
  for (std::int64_t i = 0; i < extent; ++i) target[i * to_d] = value;
}

/// Kernel: to[sequence,row,:] (+)= from[sequence,row,:]
template <class T>
inline void add_rows(std::size_t sequence, std::size_t row, std::size_t, const T* from, std::int64_t from_sequence,
                     std::int64_t from_row, T* to, std::int64_t to_sequence, std::int64_t to_row, std::int64_t columns,
                     std::int32_t accumulate) {
  const T* source = from + sequence * from_sequence + row * from_row;
  T* target = to + sequence * to_sequence + row * to_row;
  for (std::int64_t c = 0; c < columns; ++c) target[c] = accumulate ? target[c] + source[c] : source[c];
}

/// Kernel: to[sequence,row,:] = ½(to + from)[sequence,row,:]
template <class T>
inline void average_rows(std::size_t sequence, std::size_t row, std::size_t, const T* from, std::int64_t from_sequence,
                         std::int64_t from_row, T* to, std::int64_t to_sequence, std::int64_t to_row,
                         std::int64_t columns) {
  const T* source = from + sequence * from_sequence + row * from_row;
  T* target = to + sequence * to_sequence + row * to_row;
  for (std::int64_t c = 0; c < columns; ++c) target[c] = T(0.5) * (target[c] + source[c]);
}

/// Kernel: to[factor,row,:] (+)= Σ_p partial[p,factor,row,:], always in the same order.
template <class T>
inline void sum_partials(std::size_t factor, std::size_t row, std::size_t, const T* partial, std::int64_t partials,
                         std::int64_t partial_size, std::int64_t rows, T* to, std::int64_t to_factor,
                         std::int64_t to_row, std::int64_t columns, std::int32_t accumulate) {
  const T* source = partial + (factor * rows + row) * columns;
  T* target = to + factor * to_factor + row * to_row;
  for (std::int64_t c = 0; c < columns; ++c) {
    T sum = accumulate ? target[c] : T(0);
    for (std::int64_t p = 0; p < partials; ++p) sum += source[p * partial_size + c];
    target[c] = sum;
  }
}

/// Kernel: column c of z becomes the unit vector of indices[c], or of first + c where there are no indices.
template <class T>
inline void unit_columns(std::size_t, std::size_t row, std::size_t, T* z, std::int64_t z_row, std::int64_t columns,
                         const std::int64_t* indices, std::int64_t first) {
  for (std::int64_t c = 0; c < columns; ++c)
    z[row * z_row + c] = std::int64_t(row) == (indices ? indices[c] : first + c) ? T(1) : T(0);
}

}  // namespace chord::CHORD_KERNELS
