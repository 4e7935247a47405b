// The Chord product and its two gradients, all of them gathers: every output is written by one lane, in one order.
//
//   forward      z[i,:]  = Σ_k w[i,k]       · v[(i+o_k) mod n, :]
//   transposed   z[j,:]  = Σ_k w[j−o_k, k]  · v[(j−o_k) mod n, :]      (the gradient with respect to v)
//   weights      dw[i,k] = ⟨dz[i,:], v[(i+o_k) mod n, :]⟩
//
// Offsets are reduced to 0 ≤ o < n beforehand. A matrix of rows is a pointer and a row stride, in elements.
//
// A lane works on blocks of Rows × (Registers·Width) values held in registers. Wide rows take one row at a time and
// many registers; narrow ones several rows, so that enough independent sums hide the latency of an addition.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

template <bool Transposed>
CHORD_INLINE std::size_t neighbour(std::size_t row, std::size_t offset, std::size_t n) {
  if (Transposed) return row >= offset ? row - offset : row + n - offset;
  return row + offset < n ? row + offset : row + offset - n;
}

/// z = Σ_k w·v (+ add, where given) for the block of Rows rows and Registers·Width columns at (row, column).
template <class T, int Width, int Registers, int Rows, bool Transposed>
CHORD_INLINE void gather_block(std::size_t row, std::size_t column, const T* w, std::int64_t w_row, const T* v,
                               std::int64_t v_row, T* z, std::int64_t z_row, const T* add, std::int64_t add_row,
                               const std::int32_t* offsets, std::size_t n, int links) {
  vector<T, Width> sum[Rows][Registers] = {};
  const T* block = v + column;  // so that the columns of a block are constants behind one pointer
  for (int k = 0; k < links; ++k) {
    const std::size_t first = neighbour<Transposed>(row, offsets[k], n);
    const T* weights = w + (Transposed ? first : row) * w_row + k;
    const T* values = block + first * v_row;
    // How far to step back from row t of the block where its neighbours reach past the last row; hardly ever taken.
    if (Rows > 1 && first + Rows > n) {
#pragma GCC unroll 8
      for (int t = 0; t < Rows; ++t) {
        const std::int64_t back = first + t < n ? 0 : n;
        const T weight = weights[(t - (Transposed ? back : 0)) * w_row];
#pragma GCC unroll 8
        for (int r = 0; r < Registers; ++r) sum[t][r] += weight * load<Width>(values + (t - back) * v_row + r * Width);
      }
      continue;
    }
#pragma GCC unroll 8
    for (int t = 0; t < Rows; ++t) {
      const T weight = weights[t * w_row];
#pragma GCC unroll 8
      for (int r = 0; r < Registers; ++r) sum[t][r] += weight * load<Width>(values + t * v_row + r * Width);
    }
  }
#pragma GCC unroll 8
  for (int t = 0; t < Rows; ++t) {
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) {
      if (add) sum[t][r] += load<Width>(add + (row + t) * add_row + column + r * Width);
      store<Width>(z + (row + t) * z_row + column + r * Width, sum[t][r]);
    }
  }
}

/// The same for rows [first_row, last_row) and columns [first, last). A shape of several registers takes whole blocks
/// of columns only (callers split the rest off); the narrow one, of several rows, any number of both.
template <class T, int Width, int Registers, int Rows, bool Transposed>
CHORD_OUTLINE void gather(std::size_t first_row, std::size_t last_row, std::size_t first, std::size_t last, const T* w,
                          std::int64_t w_row, const T* v, std::int64_t v_row, T* z, std::int64_t z_row, const T* add,
                          std::int64_t add_row, const std::int32_t* offsets, std::size_t n, int links) {
  std::size_t row = first_row;
  for (; row + Rows <= last_row; row += Rows)
    for (std::size_t c = first; c + Registers * Width <= last; c += Registers * Width)
      gather_block<T, Width, Registers, Rows, Transposed>(row, c, w, w_row, v, v_row, z, z_row, add, add_row, offsets,
                                                          n, links);
  if (Registers > 1) return;
  for (; row < last_row; ++row)
    for (std::size_t c = first; c + Width <= last; c += Width)
      gather_block<T, Width, 1, 1, Transposed>(row, c, w, w_row, v, v_row, z, z_row, add, add_row, offsets, n, links);
  const std::size_t rest = last - (last - first) % Width;
  if (rest == last) return;
  for (row = first_row; row + Rows <= last_row; row += Rows)
    for (std::size_t c = rest; c < last; ++c)
      gather_block<T, 1, 1, Rows, Transposed>(row, c, w, w_row, v, v_row, z, z_row, add, add_row, offsets, n, links);
  for (; row < last_row; ++row)
    for (std::size_t c = rest; c < last; ++c)
      gather_block<T, 1, 1, 1, Transposed>(row, c, w, w_row, v, v_row, z, z_row, add, add_row, offsets, n, links);
}

/// Kernel: forward or transposed product. A row of the grid is a tile of `tile_rows` rows, a lane `lane_columns`
/// columns. `add` may be null, z itself (accumulate) or another matrix (a residual).
template <class T, int Width, int Registers, int Rows, bool Transposed>
inline void product(std::size_t sequence, std::size_t tile, std::size_t lane, const T* w, std::int64_t w_sequence,
                    std::int64_t w_row, const T* v, std::int64_t v_sequence, std::int64_t v_row, T* z,
                    std::int64_t z_sequence, std::int64_t z_row, const T* add, std::int64_t add_sequence,
                    std::int64_t add_row, const std::int32_t* offsets, std::int32_t n, std::int32_t links,
                    std::int32_t d, std::int32_t tile_rows, std::int32_t lane_columns) {
  const std::size_t rows = n, columns = d, first_row = tile * tile_rows, first = lane * lane_columns;
  const std::size_t last_row = first_row + tile_rows < rows ? first_row + tile_rows : rows;
  const std::size_t last = first + lane_columns < columns ? first + lane_columns : columns;
  gather<T, Width, Registers, Rows, Transposed>(
      first_row, last_row, first, last, w + sequence * w_sequence, w_row, v + sequence * v_sequence, v_row,
      z + sequence * z_sequence, z_row, add ? add + sequence * add_sequence : add, add_row, offsets, rows, links);
}

/// dw[row…row+Rows, first…first+Count) (+)= ⟨dz[row,:], v[(row+o_k),:]⟩ over the columns given; links past the end are
/// clamped to the last one while computing and not stored. Count ≤ Width.
template <class T, int Width, int Rows, int Count>
CHORD_INLINE void dot_links(std::size_t row, int first, const T* dz, std::int64_t dz_row, const T* v,
                            std::int64_t v_row, T* dw, std::int64_t dw_row, bool accumulate,
                            const std::int32_t* offsets, std::size_t n, int links, std::size_t columns) {
  std::int64_t start[Count];  // of each link's neighbour, from v
  bool wraps = false;
#pragma GCC unroll 8
  for (int b = 0; b < Count; ++b) {
    const std::size_t source = neighbour<false>(row, offsets[first + b < links ? first + b : links - 1], n);
    start[b] = source * v_row;
    wraps |= source + Rows > n;
  }
#pragma GCC unroll 1
  for (int t = 0; t < Rows; ++t) {
    if (Rows > 1 && wraps)
      for (int b = 0; b < Count; ++b) {
        const std::size_t source = neighbour<false>(row + t, offsets[first + b < links ? first + b : links - 1], n);
        start[b] = (std::int64_t(source) - t) * v_row;
      }
    const T* gradient = dz + (row + t) * dz_row;
    const T* values = v + t * v_row;
    vector<T, Width> sum[Width] = {}, dots;
    std::size_t c = 0;
#pragma GCC unroll 1
    for (; c + Width <= columns; c += Width) {
      const vector<T, Width> g = load<Width>(gradient + c);
#pragma GCC unroll 8
      for (int b = 0; b < Count; ++b) sum[b] += g * load<Width>(values + c + start[b]);
    }
    sums_of<T>(sum, dots);
    if (Width > 1)
#pragma GCC unroll 1
      for (; c < columns; ++c) {
        vector<T, Width> column = {};
#pragma GCC unroll 8
        for (int b = 0; b < Count; ++b) column[b] = values[c + start[b]];
        dots += gradient[c] * column;
      }
    T* out = dw + (row + t) * dw_row + first;
    if (Count == Width && first + Width <= links) {
      store<Width>(out, accumulate ? dots + load<Width>(out) : dots);
    } else {
#pragma GCC unroll 8
      for (int b = 0; b < Count; ++b)
        if (first + b < links) out[b] = accumulate ? out[b] + dots[b] : dots[b];
    }
  }
}

/// The same for the links [first, last) of Rows rows: as many as fill a vector together, those left over in a part of
/// one.
template <class T, int Width, int Rows>
CHORD_INLINE void dot_row(std::size_t row, int first, int last, const T* dz, std::int64_t dz_row, const T* v,
                          std::int64_t v_row, T* dw, std::int64_t dw_row, bool accumulate, const std::int32_t* offsets,
                          std::size_t n, int links, std::size_t columns) {
  constexpr int Half = Width > 1 ? Width / 2 : 1, Quarter = Width > 2 ? Width / 4 : 1;
  int k = first;
  for (; k + Half < last; k += Width)
    dot_links<T, Width, Rows, Width>(row, k, dz, dz_row, v, v_row, dw, dw_row, accumulate, offsets, n, links, columns);
  if (k + Quarter < last)
    dot_links<T, Width, Rows, Half>(row, k, dz, dz_row, v, v_row, dw, dw_row, accumulate, offsets, n, links, columns);
  else if (k < last)
    dot_links<T, Width, Rows, Quarter>(row, k, dz, dz_row, v, v_row, dw, dw_row, accumulate, offsets, n, links,
                                       columns);
}

/// The same for the rows [first_row, last_row).
template <class T, int Width, int Rows>
CHORD_OUTLINE void dot_rows(std::size_t first_row, std::size_t last_row, int first, int last, const T* dz,
                            std::int64_t dz_row, const T* v, std::int64_t v_row, T* dw, std::int64_t dw_row,
                            bool accumulate, const std::int32_t* offsets, std::size_t n, int links,
                            std::size_t columns) {
  std::size_t row = first_row;
  for (; row + Rows <= last_row; row += Rows)
    dot_row<T, Width, Rows>(row, first, last, dz, dz_row, v, v_row, dw, dw_row, accumulate, offsets, n, links, columns);
  if (Rows > 1)
    for (; row < last_row; ++row)
      dot_row<T, Width, 1>(row, first, last, dz, dz_row, v, v_row, dw, dw_row, accumulate, offsets, n, links, columns);
}

/// Kernel: gradient with respect to the weights. A row of the grid is a tile of `tile_rows` rows, a lane `lane_links`
/// of their links. Where one w serves `summed` sequences, their contributions are added in order.
template <class T, int Width, int Rows>
inline void product_weights(std::size_t sequence, std::size_t tile, std::size_t lane, const T* dz,
                            std::int64_t dz_sequence, std::int64_t dz_row, const T* v, std::int64_t v_sequence,
                            std::int64_t v_row, T* dw, std::int64_t dw_sequence, std::int64_t dw_row,
                            std::int32_t accumulate, std::int32_t summed, const std::int32_t* offsets, std::int32_t n,
                            std::int32_t links, std::int32_t d, std::int32_t tile_rows, std::int32_t lane_links) {
  const std::size_t first = tile * tile_rows, last = first + tile_rows < std::size_t(n) ? first + tile_rows : n;
  const int first_link = int(lane) * lane_links;
  const int last_link = first_link + lane_links < links ? first_link + lane_links : links;
  for (std::int32_t s = 0; s < summed; ++s) {
    const std::size_t from = sequence * summed + s;
    dot_rows<T, Width, Rows>(first, last, first_link, last_link, dz + from * dz_sequence, dz_row, v + from * v_sequence,
                             v_row, dw + sequence * dw_sequence, dw_row, accumulate || s > 0, offsets, n, links, d);
  }
}

}  // namespace chord::CHORD_KERNELS
