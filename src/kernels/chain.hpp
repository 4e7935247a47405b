// A whole chain of factors in one launch, for devices whose cache holds a panel of columns (CPUs).
//
// A worker takes (sequence, panel of columns) tasks in turn and drives each through all factors while its values stay
// in cache; launching factor by factor would pass the batch through memory once per factor, and on short sequences
// cost more in launches than in arithmetic. Each worker owns a piece of scratch memory.
#pragma once

#include "product.hpp"

namespace chord::CHORD_KERNELS {

// Links and rows whose weights gradients are computed together. Lowered for a GPU, which never runs a whole chain per
// work-item, more than one would need more registers than it has.
#if defined(CHORD_CPU) || !defined(__SYCL_DEVICE_ONLY__)
template <int Width>
inline constexpr int dot_links_together = Width;
inline constexpr int dot_rows_together = 4;
#else
template <int Width>
inline constexpr int dot_links_together = 1;
inline constexpr int dot_rows_together = 1;
#endif

/// sum[i,c] (+)= x[i,c] for `width` columns
template <class T>
CHORD_INLINE void add_panel(std::size_t n, std::size_t width, const T* x, std::int64_t x_row, T* sum,
                            std::int64_t sum_row, bool accumulate) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < width; ++c)
      sum[i * sum_row + c] = accumulate ? sum[i * sum_row + c] + x[i * x_row + c] : x[i * x_row + c];
}

/// Kernel: z = W⁽ᴹ⁾…W⁽¹⁾ v (stored order, first factor first), or its transpose. With `residual`, the first v is added
/// after each factor. Where `tape` is given, the outputs of all factors but the last are left there.
/// scratch: per worker 2·n·panel values.
template <class T, int Width, int Registers, int Rows, bool Transposed>
inline void chain_apply(std::size_t worker, std::size_t, std::size_t, const T* w, std::int64_t w_factor,
                        std::int64_t w_sequence, std::int64_t w_row, const T* v, std::int64_t v_sequence,
                        std::int64_t v_row, T* z, std::int64_t z_sequence, std::int64_t z_row, T* tape,
                        std::int64_t tape_factor, std::int64_t tape_sequence, std::int64_t tape_row, T* scratch,
                        const std::int32_t* offsets, std::int32_t n, std::int32_t links, std::int32_t factors,
                        std::int32_t d, std::int32_t panel, std::int32_t residual, std::int64_t sequences,
                        std::int64_t workers) {
  const std::size_t rows = n, columns = d, panels = (columns + panel - 1) / panel;
  T* mine = scratch + worker * 2 * rows * panel;
  for (std::size_t task = worker; task < sequences * panels; task += workers) {
    const std::size_t sequence = task / panels, first = task % panels * panel;
    const std::size_t width = first + panel < columns ? panel : columns - first;
    const T* start = v + sequence * v_sequence + first;
    T* end = z + sequence * z_sequence + first;
    const T* in = start;
    std::int64_t in_row = v_row;
    for (int step = 0; step < factors; ++step) {
      const bool last = step + 1 == factors;
      const int m = Transposed ? factors - 1 - step : step;
      T* out = last   ? end
               : tape ? tape + m * tape_factor + sequence * tape_sequence + first
                      : mine + step % 2 * rows * panel;
      const std::int64_t out_row = last ? z_row : tape ? tape_row : panel;
      // The transpose of a chain with residuals sums every intermediate value; the sum grows in z.
      if (Transposed && residual) add_panel(rows, width, in, in_row, end, z_row, step > 0);
      const T* add = !residual ? nullptr : !Transposed ? start : last ? end : nullptr;
      gather<T, Width, Registers, Rows, Transposed>(0, rows, 0, width, w + m * w_factor + sequence * w_sequence, w_row,
                                                    in, in_row, out, out_row, add, Transposed ? z_row : v_row, offsets,
                                                    rows, links);
      in = out;
      in_row = out_row;
    }
  }
}

/// Kernel: the gradient of ⟨g, chain(v)⟩ with respect to every factor and, where `dv` is given, to v; added to what is
/// there where `accumulate_…` says so.
/// `tape` as left by chain_apply, or null: then the intermediates are computed again, one panel at a time.
/// With weights per sequence a worker owns whole sequences and writes dw directly; with `shared` weights it owns
/// (sequence, panel) tasks and adds to a partial sum of its own, dw + worker·dw_worker, which starts with its first.
/// scratch: per worker (factors + 1)·n·panel values (2·n·panel with a tape).
template <class T, int Width, int Registers, int Rows>
inline void chain_gradient(std::size_t worker, std::size_t, std::size_t, const T* w, std::int64_t w_factor,
                           std::int64_t w_sequence, std::int64_t w_row, const T* v, std::int64_t v_sequence,
                           std::int64_t v_row, const T* g, std::int64_t g_sequence, std::int64_t g_row, const T* tape,
                           std::int64_t tape_factor, std::int64_t tape_sequence, std::int64_t tape_row, T* dw,
                           std::int64_t dw_worker, std::int64_t dw_factor, std::int64_t dw_sequence,
                           std::int64_t dw_row, T* dv, std::int64_t dv_sequence, std::int64_t dv_row, T* scratch,
                           const std::int32_t* offsets, std::int32_t n, std::int32_t links, std::int32_t factors,
                           std::int32_t d, std::int32_t panel, std::int32_t residual, std::int32_t accumulate_dw,
                           std::int32_t accumulate_dv, std::int32_t shared, std::int64_t sequences,
                           std::int64_t workers) {
  const std::size_t rows = n, columns = d, panels = (columns + panel - 1) / panel, size = rows * panel;
  T* adjoint = scratch + worker * (tape ? 2 : factors + 1) * size;  // two panels to swap, then the intermediates
  T* inner = adjoint + 2 * size;
  const std::size_t tasks = shared ? sequences * panels : sequences;
  for (std::size_t task = worker; task < tasks; task += workers) {
    const std::size_t sequence = shared ? task / panels : task;
    const std::size_t first_panel = shared ? task % panels : 0, last_panel = shared ? first_panel + 1 : panels;
    for (std::size_t p = first_panel; p < last_panel; ++p) {
      const std::size_t first = p * panel, width = first + panel < columns ? panel : columns - first;
      const T* start = v + sequence * v_sequence + first;
      const T* weights = w + sequence * w_sequence;
      const T* stored = tape ? tape + sequence * tape_sequence + first : inner;
      const std::int64_t stored_factor = tape ? tape_factor : size, stored_row = tape ? tape_row : panel;
      if (!tape)
        for (int m = 0; m + 1 < factors; ++m)
          gather<T, Width, Registers, Rows, false>(
              0, rows, 0, width, weights + m * w_factor, w_row, m ? inner + (m - 1) * size : start, m ? panel : v_row,
              inner + m * size, panel, residual ? start : nullptr, v_row, offsets, rows, links);
      const T* a = g + sequence * g_sequence + first;
      std::int64_t a_row = g_row;
      T* gradient = dw + worker * dw_worker + sequence * dw_sequence;
      const bool add = shared ? task != worker : accumulate_dw || p > 0;
      for (int m = factors - 1; m >= 0; --m) {
        const T* input = m ? stored + (m - 1) * stored_factor : start;
        const std::int64_t input_row = m ? stored_row : v_row;
        dot_rows<T, dot_links_together<Width>, dot_rows_together>(0, rows, 0, links, a, a_row, input, input_row,
                                                                  gradient + m * dw_factor, dw_row, add, offsets, rows,
                                                                  links, width);
        if (m == 0 && !dv) break;
        T* sum = dv ? dv + sequence * dv_sequence + first : nullptr;
        T* out = m ? adjoint + m % 2 * size : sum;
        if (residual && dv) add_panel(rows, width, a, a_row, sum, dv_row, accumulate_dv || m + 1 < factors);
        gather<T, Width, Registers, Rows, true>(
            0, rows, 0, width, weights + m * w_factor, w_row, a, a_row, out, m ? panel : dv_row,
            m == 0 && (residual || accumulate_dv) ? sum : nullptr, dv_row, offsets, rows, links);
        a = out;
        a_row = m ? panel : dv_row;
      }
    }
  }
}

}  // namespace chord::CHORD_KERNELS
