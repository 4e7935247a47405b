// The first layer: a row per token, or a linear map of a few reals; plus a row per position, where they are learned.
#pragma once

#include "dense.hpp"
#include "indices.hpp"

namespace chord::CHORD_KERNELS {

/// out[sequence, row, :] = table[token, :] (+ positions[row, :])
struct embed_tokens : Everywhere {
  template <class T>
  struct Arguments {
    const std::int32_t* tokens;
    const T *table, *positions;
    T* out;
    std::int64_t sequences, length, vocabulary, width;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.sequences), std::size_t(a.length)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.sequences * a.length), values = rows * double(a.width);
    return {a.positions ? values : 0, values * sizeof(T) + rows * sizeof(std::int32_t)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t, const Arguments<T>& a) {
    const std::int64_t width = a.width, at = sequence * a.length + row;
    const T* source = a.table + clamped(a.tokens[at], a.vocabulary) * width;
    const T* position = a.positions ? a.positions + row * width : nullptr;
    T* out = a.out + at * width;
    for (std::int64_t c = 0; c < width; ++c) out[c] = source[c] + (position ? position[c] : T(0));
  }
};

/// out[row, :] = weight · in[row, :] + bias (+ positions[row mod length, :]) for a piece of rows. One column of the
/// weight is done for all of them, then the next: vectors of outputs, and nothing is read across.
struct embed_reals {
  using types = Reals;
  template <class T>
  using cpu = Tile<64, 0, Block<cpu_lanes<T>, 1, 1>>;
  template <class T>
  using gpu = Tile<1, 0, Scalar>;

  template <class T>
  struct Arguments {
    const T *in, *weight, *bias, *positions;
    T* out;
    std::int64_t rows, length, features, width;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, divide_up(a.rows, Shape::rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.features, a.width);
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t piece, std::size_t, const Arguments<T>& a) {
    run_block(typename Shape::blocks(), piece_of(piece, Shape::rows, a.rows), a);
  }

 private:
  template <class T, class Block>
  CHORD_INLINE static void run_block(List<Block>, Range rows, const Arguments<T>& a) {
    constexpr int Width = Block::width;
    const std::int64_t width = a.width, features = a.features;
    const T *in = a.in, *weight = a.weight, *bias = a.bias;
    T* out = a.out;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const T* position = a.positions ? a.positions + row % a.length * width : nullptr;
      for (std::int64_t c = 0; c < width; ++c) out[row * width + c] = position ? bias[c] + position[c] : bias[c];
    }
    std::int64_t c = 0;
    for (; c + Width <= width; c += Width)
      for (std::int64_t f = 0; f < features; ++f) {
        vector<T, Width> column = {};
#pragma GCC unroll 8
        for (int i = 0; i < Width; ++i) column[i] = weight[(c + i) * features + f];
        for (std::size_t row = rows.first; row < rows.last; ++row)
          store<Width>(out + row * width + c, load<Width>(out + row * width + c) + in[row * features + f] * column);
      }
    for (; c < width; ++c)
      for (std::size_t row = rows.first; row < rows.last; ++row)
        for (std::int64_t f = 0; f < features; ++f)
          out[row * width + c] += weight[c * features + f] * in[row * features + f];
  }
};

/// partial[worker, token, :] = Σ gradient[row, :] over the worker's rows with that token; none for `padding`.
struct embed_tokens_gradient : Everywhere {
  template <class T>
  struct Arguments {
    const std::int32_t* tokens;
    const T* gradient;
    T* partial;
    std::int64_t rows, rows_each, workers, vocabulary, width, padding;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.rows * a.width);
    return {values, (values + double(a.workers * a.vocabulary * a.width)) * sizeof(T) + 4 * double(a.rows)};
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    const std::int64_t width = a.width, table = a.vocabulary * width;
    T* mine = a.partial + worker * table;
    for (std::int64_t i = 0; i < table; ++i) mine[i] = T(0);
    const Range rows = piece_of(worker, a.rows_each, a.rows);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const std::int64_t token = clamped(a.tokens[row], a.vocabulary);
      if (token == a.padding) continue;
      T* sum = mine + token * width;
      for (std::int64_t c = 0; c < width; ++c) sum[c] += a.gradient[row * width + c];
    }
  }
};

/// Σ_row factor[row] · gradient[row, c…] over some rows; without factors, Σ_row gradient[row, c…].
template <class T, int Width>
CHORD_INLINE vector<T, Width> column_sum(const T* gradient, std::int64_t width, const T* factor, std::int64_t features,
                                         std::int64_t rows) {
  vector<T, Width> sum = {};
  for (std::int64_t row = 0; row < rows; ++row)
    sum += factor ? factor[row * features] * load<Width>(gradient + row * width) : load<Width>(gradient + row * width);
  return sum;
}

/// partial[worker] = the gradients of weight [width, features] and bias [width] over the worker's rows.
struct embed_reals_gradient : InVectors {
  template <class T>
  struct Arguments {
    const T *in, *gradient;
    T* partial;
    std::int64_t rows, rows_each, workers, features, width;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.features, a.width);
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    constexpr int Width = Shape::width;
    const std::int64_t width = a.width, features = a.features;
    T* weight = a.partial + worker * width * (features + 1);
    T* bias = weight + width * features;
    const Range rows = piece_of(worker, a.rows_each, a.rows);
    const std::int64_t count = rows.last - rows.first;
    const T* mine = a.gradient + rows.first * width;
    const T* inputs = a.in + rows.first * features;
    std::int64_t c = 0;
    for (; c + Width <= width; c += Width) {
      store<Width>(bias + c, column_sum<T, Width>(mine + c, width, nullptr, 0, count));
      for (std::int64_t f = 0; f < features; ++f) {
        const vector<T, Width> sum = column_sum<T, Width>(mine + c, width, inputs + f, features, count);
#pragma GCC unroll 8
        for (int i = 0; i < Width; ++i) weight[(c + i) * features + f] = sum[i];
      }
    }
    for (; c < width; ++c) {
      bias[c] = column_sum<T, 1>(mine + c, width, nullptr, 0, count)[0];
      for (std::int64_t f = 0; f < features; ++f)
        weight[c * features + f] = column_sum<T, 1>(mine + c, width, inputs + f, features, count)[0];
    }
  }
};

/// out[row, :] (+)= Σ_sequences gradient[sequence, row, :]
struct positions_gradient : Everywhere {
  template <class T>
  struct Arguments {
    const T* gradient;
    T* out;
    std::int64_t sequences, length, width;
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.length)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.length * a.width);
    return {double(a.sequences) * values, (double(a.sequences) + (a.accumulate ? 2 : 1)) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t, const Arguments<T>& a) {
    const std::int64_t width = a.width;
    T* sum = a.out + row * width;
    if (!a.accumulate)
      for (std::int64_t c = 0; c < width; ++c) sum[c] = T(0);
    for (std::int64_t b = 0; b < a.sequences; ++b)
      for (std::int64_t c = 0; c < width; ++c) sum[c] += a.gradient[(b * a.length + row) * width + c];
  }
};

}  // namespace chord::CHORD_KERNELS
