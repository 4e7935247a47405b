// Matrices in memory, seen through strides: of one factor or several, of one sequence or a batch.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

template <class T, class U>
struct AddsConst {};
template <class T>
struct AddsConst<T, const T> {
  using type = const T;
};

/// Rows of contiguous values. Strides are in elements; a stride of zero repeats what is there.
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t factor_stride = 0, sequence_stride = 0, row_stride = 0;

  CHORD_INLINE T* row(std::size_t index) const { return data + std::int64_t(index) * row_stride; }
  CHORD_INLINE View sequence(std::size_t index) const { return moved(std::int64_t(index) * sequence_stride); }
  CHORD_INLINE View factor(std::size_t index) const { return moved(std::int64_t(index) * factor_stride); }
  /// From a column on.
  CHORD_INLINE View columns(std::size_t first) const { return moved(std::int64_t(first)); }

  CHORD_INLINE explicit operator bool() const { return data != nullptr; }
  /// What may be written may be read.
  template <class U, class = typename AddsConst<T, U>::type>
  CHORD_INLINE operator View<U>() const {
    return {data, factor_stride, sequence_stride, row_stride};
  }

 private:
  // What is not there stays so.
  CHORD_INLINE View moved(std::int64_t elements) const {
    return {data ? data + elements : data, factor_stride, sequence_stride, row_stride};
  }
};

}  // namespace chord::CHORD_KERNELS
