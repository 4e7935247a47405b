// What a fit works on: the matrix X, and where the values of its walk lie.
#pragma once

#include "walk.hpp"

namespace chord::CHORD_KERNELS {

/// X, by columns where it is sparse. Where it is not square, only its own rows and columns count: the difference from X̂
/// is 0 beyond them.
template <class T>
struct Columns {
  const T* dense = nullptr;  ///< n × n; null where the entries are given
  const std::int64_t* starts = nullptr;
  const std::int32_t* rows = nullptr;
  const T* entries = nullptr;
  std::int64_t height = 0, width = 0;  ///< rows and columns, at most n
};

/// Sets of parameters that lie one behind the other and are evaluated together.
struct Sets {
  std::int64_t count = 1;
  const double* busy = nullptr;  ///< a number for each, 0 where it is left out; null: none is
  std::int64_t apart = 0;        ///< from one of these numbers to the next

  CHORD_INLINE bool has(std::size_t set) const { return !busy || busy[std::int64_t(set) * apart] != 0; }
};

/// Panels of values that a fit's walk has.
CHORD_INLINE std::int64_t scratch_panels(const Walk& walk) { return walk.terms() * walk.steps() + 2; }

/// Where a fit has its values: an output for every step, since the way back needs them all; the difference X̂ − X takes
/// the place of the first term's last.
template <class T, class Steps>
struct FitPlaces : Steps {
  View<const T> unit;  ///< the input; none where the steps know what to do with unit vectors
  View<T> scratch;     ///< by its factor stride: the outputs of every step, then two to swap
  int terms = 0, steps = 0;

  CHORD_INLINE View<T> output(int term, int step) const { return scratch.factor(term * steps + step); }
  CHORD_INLINE View<const T> value(int term, int step) const {
    return step < 0 ? unit : View<const T>(output(term, step));
  }
  CHORD_INLINE View<T> adjoint_output(int, int step) const { return scratch.factor(terms * steps + (step + 1) % 2); }
  CHORD_INLINE View<const T> adjoint(int, int step) const {
    return step == steps - 1 ? output(0, step) : adjoint_output(0, step);
  }
};

}  // namespace chord::CHORD_KERNELS
