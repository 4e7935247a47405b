// Fitting a chain to a matrix X: half the squared distance and its gradient.
//
// X̂ comes column by column, as chains do: a panel of unit vectors goes through the factors, X's columns are subtracted,
// and the difference goes back. A form says which steps those are, P being W⁽ᴹ⁾…W⁽¹⁾:
//
//   form_product        X̂ = P            one term: W⁽¹⁾, …, W⁽ᴹ⁾
//   form_symmetric      X̂ = ½(P + Pᵀ)    two terms: that, and W⁽ᴹ⁾ᵀ, …, W⁽¹⁾ᵀ
//   form_semidefinite   X̂ = P Pᵀ         one term: W⁽ᴹ⁾ᵀ, …, W⁽¹⁾ᵀ, W⁽¹⁾, …, W⁽ᴹ⁾
//
// X is dense, or given by its columns' entries; the scale of a problem is in X.
#pragma once

#include "chain.hpp"

namespace chord::CHORD_KERNELS {

inline constexpr std::int32_t form_product = 0, form_symmetric = 1, form_semidefinite = 2;

CHORD_INLINE int terms_of(int form) { return form == form_symmetric ? 2 : 1; }
CHORD_INLINE int steps_of(int form, int factors) { return form == form_semidefinite ? 2 * factors : factors; }
CHORD_INLINE bool step_transposed(int form, int factors, int term, int step) {
  return form == form_semidefinite ? step < factors : term == 1;
}
CHORD_INLINE int step_factor(int form, int factors, int term, int step) {
  if (step_transposed(form, factors, term, step)) return factors - 1 - step;
  return form == form_semidefinite ? step - factors : step;
}

/// out = W in, or Wᵀ in, for a panel of `width` columns, a multiple of the vector's.
template <class T, bool Transposed>
CHORD_INLINE void gather_panel(std::size_t n, std::size_t width, const T* w, const T* in, T* out, std::int64_t panel,
                               const std::int32_t* offsets, int links) {
  constexpr int Width = 32 / sizeof(T);
  const std::size_t wide = width / (8 * Width) * (8 * Width), medium = width / (4 * Width) * (4 * Width);
  if (wide > 0)
    gather<T, Width, 8, 1, Transposed>(0, n, 0, wide, w, links, in, panel, out, panel, nullptr, 0, offsets, n, links);
  if (medium > wide)
    gather<T, Width, 4, 1, Transposed>(0, n, wide, medium, w, links, in, panel, out, panel, nullptr, 0, offsets, n,
                                       links);
  if (width > medium)
    gather<T, Width, 1, 4, Transposed>(0, n, medium, width, w, links, in, panel, out, panel, nullptr, 0, offsets, n,
                                       links);
}

/// out = the columns [first, first + count) of W, or of Wᵀ: a factor applied to unit vectors.
template <class T>
CHORD_INLINE void unit_panel(bool transposed, std::size_t n, std::size_t first, std::size_t count, std::size_t width,
                             const T* w, T* out, std::int64_t panel, const std::int32_t* offsets, int links) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < width; ++c) out[i * panel + c] = 0;
  for (std::size_t c = 0; c < count; ++c)
    for (int k = 0; k < links; ++k) {
      const std::size_t at = first + c;
      const std::size_t row = transposed ? neighbour<false>(at, offsets[k], n) : neighbour<true>(at, offsets[k], n);
      out[row * panel + c] += w[(transposed ? at : row) * links + k];
    }
}

/// dw += the gradient of ⟨g, unit_panel(w)⟩
template <class T>
CHORD_INLINE void unit_panel_gradient(bool transposed, std::size_t n, std::size_t first, std::size_t count, const T* g,
                                      T* dw, std::int64_t panel, const std::int32_t* offsets, int links) {
  for (std::size_t c = 0; c < count; ++c)
    for (int k = 0; k < links; ++k) {
      const std::size_t at = first + c;
      const std::size_t row = transposed ? neighbour<false>(at, offsets[k], n) : neighbour<true>(at, offsets[k], n);
      dw[(transposed ? at : row) * links + k] += g[row * panel + c];
    }
}

/// values −= X's columns [first, first + count); x is null where they are given as entries.
template <class T>
CHORD_INLINE void subtract_columns(std::size_t n, std::size_t first, std::size_t count, const T* x,
                                   const std::int64_t* column_starts, const std::int32_t* entry_rows, const T* entries,
                                   T* values, std::int64_t panel) {
  if (x) {
    for (std::size_t i = 0; i < n; ++i) {
      const T* source = x + i * n + first;
      T* target = values + i * panel;
      for (std::size_t c = 0; c < count; ++c) target[c] -= source[c];
    }
  } else {
    for (std::size_t c = 0; c < count; ++c)
      for (std::int64_t e = column_starts[first + c]; e < column_starts[first + c + 1]; ++e)
        values[entry_rows[e] * panel + c] -= entries[e];
  }
}

/// The sum of the squares of a panel, each row's in T, all rows' in double.
template <class T>
CHORD_INLINE double panel_squares(std::size_t n, std::size_t width, const T* values, std::int64_t panel) {
  constexpr int Width = 32 / sizeof(T);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    vector<T, Width> squares = {};
    for (std::size_t c = 0; c < width; c += Width) {
      const vector<T, Width> value = load<Width>(values + i * panel + c);
      squares += value * value;
    }
    for (int b = 0; b < Width; ++b) sum += squares[b];
  }
  return sum;
}

/// Kernel: for the panels a worker takes in turn, squares[worker] = Σ(X̂ − X)² and dw[worker] = the gradient of half of
/// it, with respect to all factors. Panels past X's last column are filled up with zeros.
/// scratch: per worker (terms·steps + 2)·n·panel values; `panel` is a multiple of the vector's width.
template <class T>
inline void fit_panels(std::size_t worker, std::size_t, std::size_t, const T* w, const T* x,
                       const std::int64_t* column_starts, const std::int32_t* entry_rows, const T* entries, T* dw,
                       double* squares, T* scratch, const std::int32_t* offsets, std::int32_t n, std::int32_t links,
                       std::int32_t factors, std::int32_t form, std::int32_t panel, std::int64_t workers) {
  constexpr int Width = 32 / sizeof(T);
  const std::size_t rows = n, size = rows * panel, factor = rows * links, panels = (rows + panel - 1) / panel;
  const int terms = terms_of(form), steps = steps_of(form, factors);
  T* inner = scratch + worker * (terms * steps + 2) * size;  // the output of every step, then two panels to swap
  T* swap = inner + terms * steps * size;
  T* gradient = dw + worker * factors * factor;
  for (std::size_t i = 0; i < factors * factor; ++i) gradient[i] = 0;
  double sum = 0;
  for (std::size_t task = worker; task < panels; task += workers) {
    const std::size_t first = task * panel, count = first + panel < rows ? panel : rows - first;
    const std::size_t width = (count + Width - 1) / Width * Width;
    for (int term = 0; term < terms; ++term) {
      T* values = inner + term * steps * size;
      unit_panel(step_transposed(form, factors, term, 0), rows, first, count, width,
                 w + step_factor(form, factors, term, 0) * factor, values, panel, offsets, links);
      for (int step = 1; step < steps; ++step, values += size) {
        const T* weights = w + step_factor(form, factors, term, step) * factor;
        if (step_transposed(form, factors, term, step))
          gather_panel<T, true>(rows, width, weights, values, values + size, panel, offsets, links);
        else
          gather_panel<T, false>(rows, width, weights, values, values + size, panel, offsets, links);
      }
    }
    T* residual = inner + (steps - 1) * size;
    const T share = terms == 2 ? T(0.5) : T(1);
    if (terms == 2)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t c = 0; c < width; ++c)
          residual[i * panel + c] = share * (residual[i * panel + c] + residual[steps * size + i * panel + c]);
    subtract_columns(rows, first, count, x, column_starts, entry_rows, entries, residual, panel);
    sum += panel_squares(rows, width, residual, panel);
    if (terms == 2)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t c = 0; c < width; ++c) residual[i * panel + c] *= share;
    for (int term = 0; term < terms; ++term) {
      const T* adjoint = residual;
      for (int step = steps - 1; step > 0; --step) {
        const int m = step_factor(form, factors, term, step);
        const bool transposed = step_transposed(form, factors, term, step);
        const T* input = inner + (term * steps + step - 1) * size;
        T* out = swap + step % 2 * size;
        dot_rows<T, dot_links_together<Width>, dot_rows_together>(
            0, rows, 0, links, transposed ? input : adjoint, panel, transposed ? adjoint : input, panel,
            gradient + m * factor, links, true, offsets, rows, links, width);
        if (transposed)
          gather_panel<T, false>(rows, width, w + m * factor, adjoint, out, panel, offsets, links);
        else
          gather_panel<T, true>(rows, width, w + m * factor, adjoint, out, panel, offsets, links);
        adjoint = out;
      }
      unit_panel_gradient(step_transposed(form, factors, term, 0), rows, first, count, adjoint,
                          gradient + step_factor(form, factors, term, 0) * factor, panel, offsets, links);
    }
  }
  squares[worker] = sum;
}

/// Kernel, for devices that take one step a launch: values = share·(values + others) − X in one column of a panel that
/// begins with X's column `first`, others being null or the second term; squares[its number in X] = Σ of its squares.
/// The values are left multiplied by share once more, as the way back wants them.
template <class T>
inline void fit_residual(std::size_t, std::size_t column, std::size_t, T* values, const T* others, std::int64_t panel,
                         const T* x, const std::int64_t* column_starts, const std::int32_t* entry_rows,
                         const T* entries, std::int32_t n, std::int32_t first, double* squares) {
  const std::size_t rows = n;
  const T share = others ? T(0.5) : T(1);
  T* mine = values + column;
  if (others)
    for (std::size_t i = 0; i < rows; ++i) mine[i * panel] = share * (mine[i * panel] + others[i * panel + column]);
  subtract_columns(rows, first + column, 1, x, column_starts, entry_rows, entries, mine, panel);
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    sum += double(mine[i * panel]) * double(mine[i * panel]);
    mine[i * panel] *= share;
  }
  squares[first + column] = sum;
}

// Weights that obey a constraint, as functions of parameters that are free. Squares reach every weight ≥ 0, smoothly
// and without transcendental functions; a row of squares divided by its sum, every distribution.
inline constexpr std::int32_t weights_free = 0, weights_squares = 1, weights_distributions = 2;

/// Kernel: the weights of a tile of rows of the factors, from their parameters.
template <class T>
inline void fit_weights(std::size_t, std::size_t tile, std::size_t, const T* parameters, T* w, std::int32_t links,
                        std::int32_t kind, std::int64_t rows, std::int64_t tile_rows) {
  const std::size_t first = tile * tile_rows, end = rows;
  const std::size_t last = first + tile_rows < end ? first + tile_rows : end;
  for (std::size_t row = first; row < last; ++row) {
    const T* theta = parameters + row * links;
    T sum = kind == weights_distributions ? T(0) : T(1);
    if (kind == weights_distributions)
      for (int k = 0; k < links; ++k) sum += theta[k] * theta[k];
    for (int k = 0; k < links; ++k) w[row * links + k] = theta[k] * theta[k] / sum;
  }
}

/// Kernel: the gradient with respect to the parameters of a tile of rows, from the workers' partial gradients with
/// respect to the weights, summed in order.
template <class T>
inline void fit_gradient(std::size_t, std::size_t tile, std::size_t, const T* partial, std::int64_t partials,
                         const T* parameters, const T* w, T* gradient, std::int32_t links, std::int32_t kind,
                         std::int64_t rows, std::int64_t tile_rows) {
  const std::size_t first = tile * tile_rows, end = rows, all = end * links;
  const std::size_t last = first + tile_rows < end ? first + tile_rows : end;
  for (std::size_t i = first * links; i < last * links; ++i) {
    T sum = partial[i];
    for (std::int64_t p = 1; p < partials; ++p) sum += partial[p * all + i];
    gradient[i] = sum;
  }
  if (kind == weights_free) return;
  for (std::size_t row = first; row < last; ++row) {
    const T *theta = parameters + row * links, *weights = w + row * links;
    T* mine = gradient + row * links;
    T total = kind == weights_distributions ? T(0) : T(1), mean = 0;
    if (kind == weights_distributions)
      for (int k = 0; k < links; ++k) {
        total += theta[k] * theta[k];
        mean += weights[k] * mine[k];
      }
    for (int k = 0; k < links; ++k) mine[k] = 2 * theta[k] * (mine[k] - mean) / total;
  }
}

}  // namespace chord::CHORD_KERNELS
