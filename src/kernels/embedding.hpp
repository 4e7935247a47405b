// The first layer: a row per token, or a linear map of a few reals; plus a row per position, where they are learned.
#pragma once

#include "dense.hpp"
#include "indices.hpp"

namespace chord::CHORD_KERNELS {

/// out[sequence, row, :] = table[token, :] (+ positions[row, :])
struct embed_tokens : RowsOrColumns {
  template <class T>
  struct Arguments {
    const std::int32_t* tokens;
    const T *table, *positions;
    T* out;
    std::int64_t sequences, length, vocabulary, width;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.sequences), std::size_t(a.length), by_columns<Shape> ? divide_up(a.width, 4) : 1};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.sequences * a.length), values = rows * double(a.width);
    return {a.positions ? values : 0, values * sizeof(T) + rows * sizeof(std::int32_t)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const std::int64_t width = a.width, at = sequence * a.length + row;
    const T* source = a.table + clamped(a.tokens[at], a.vocabulary) * width;
    const T* position = a.positions ? a.positions + row * width : nullptr;
    T* out = a.out + at * width;
    if constexpr (by_columns<Shape>) {
      const std::int64_t c = std::int64_t(lane) * 4, left = width - c;
      vector<T, 4> values = load_some<4>(source + c, left);
      if (position) values += load_some<4>(position + c, left);
      return store_some<4>(out + c, values, left);
    }
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
  using gpu = FourColumns;

  template <class T>
  struct Arguments {
    const T *in, *weight, *bias, *positions;
    T* out;
    std::int64_t rows, length, features, width;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, divide_up(a.rows, Shape::rows), by_columns<Shape> ? divide_up(a.width, 4) : 1};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.features, a.width);
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t piece, std::size_t lane, const Arguments<T>& a) {
    if constexpr (by_columns<Shape>)
      run_columns(piece, std::int64_t(lane) * 4, a);
    else
      run_block(typename Shape::blocks(), piece_of(piece, Shape::rows, a.rows), a);
  }

 private:
  template <class T>
  CHORD_INLINE static void run_columns(std::size_t row, std::int64_t c, const Arguments<T>& a) {
    const std::int64_t left = a.width - c;
    vector<T, 4> sum = load_some<4>(a.bias + c, left);
    if (a.positions)
      sum += load_some<4>(a.positions + std::uint32_t(row) % std::uint32_t(a.length) * a.width + c, left);
    if (a.features <= 4 && left >= 4 && is_aligned<4>(a.weight))
      with_number(int(a.features), [&](auto number) CHORD_INLINED {
        add_features<number.value>(a.weight + c * number.value, a.in + row * number.value, sum);
      });
    else
      for (std::int64_t f = 0; f < a.features; ++f) {
        const T value = a.in[row * a.features + f];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
          if (i < left) sum[i] += a.weight[(c + i) * a.features + f] * value;
      }
    store_some<4>(a.out + row * a.width + c, sum, left);
  }

  /// sum[i] += Σ_f weight[i, f] · in[f] for few features: the weights of four columns lie side by side.
  template <int Features, class T>
  CHORD_INLINE static void add_features(const T* weight, const T* in, vector<T, 4>& sum) {
    vector<T, 4> weights[Features];
#pragma GCC unroll 4
    for (int q = 0; q < Features; ++q) weights[q] = load_aligned<4>(weight + 4 * q);
#pragma GCC unroll 4
    for (int f = 0; f < Features; ++f)
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) sum[i] += weights[(i * Features + f) / 4][(i * Features + f) % 4] * in[f];
  }

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
  using gpu = Group;

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

  // A group sums some columns of some tokens for a worker, in local memory. A lane has one of the columns, of every
  // second or fourth of the tokens, so that no two lanes add to the same sum.
  static constexpr int columns_each = 32, tokens_each = 256;

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(a.workers) * divide_up(a.width, columns_each) * divide_up(a.vocabulary, tokens_each);
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int) {
    return local_size<T>(columns_each * (a.vocabulary < tokens_each ? a.vocabulary : tokens_each));
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    const auto slices = std::uint32_t(divide_up(a.vocabulary, tokens_each)),
               pieces = std::uint32_t(divide_up(a.width, columns_each)), index = std::uint32_t(g.index());
    const std::uint32_t worker = index / (pieces * slices), slice = index / pieces % slices, piece = index % pieces;
    const Range tokens = piece_of(slice, tokens_each, a.vocabulary), columns = piece_of(piece, columns_each, a.width),
                rows = piece_of(worker, a.rows_each, a.rows);
    const int sharing = g.lanes() / columns_each;
    T* table = g.template local<T>(columns_each * (tokens.last - tokens.first));
    g.each([&](int lane) CHORD_INLINED {
      const int column = lane % columns_each, mine = lane / columns_each;
      if (columns.first + std::size_t(column) >= columns.last) return;
      for (int t = mine; t < int(tokens.last - tokens.first); t += sharing) table[t * columns_each + column] = T(0);
      const T* gradient = a.gradient + columns.first + column;
      for (std::size_t row = rows.first; row < rows.last; ++row) {
        const std::int64_t token = clamped(a.tokens[row], a.vocabulary), t = token - std::int64_t(tokens.first);
        if (token == a.padding || t < 0 || t >= tokens_each || (t & (sharing - 1)) != mine) continue;
        table[t * columns_each + column] += gradient[row * a.width];
      }
      T* to = a.partial + (worker * a.vocabulary + tokens.first) * a.width + columns.first + column;
      for (int t = mine; t < int(tokens.last - tokens.first); t += sharing)
        to[t * a.width] = table[t * columns_each + column];
    });
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

  /// A lane of a GPU has one number.
  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    if (Shape::width == 1) return {std::size_t(a.workers), std::size_t(a.features + 1), std::size_t(a.width)};
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.features, a.width);
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t feature, std::size_t column, const Arguments<T>& a) {
    constexpr int Width = column_lanes<T, Shape>;
    const std::int64_t width = a.width, features = a.features;
    T* weight = a.partial + worker * width * (features + 1);
    T* bias = weight + width * features;
    const Range rows = piece_of(worker, a.rows_each, a.rows);
    const std::int64_t count = rows.last - rows.first;
    const T* mine = a.gradient + rows.first * width;
    const T* inputs = a.in + rows.first * features;
    if constexpr (Width == 1) {
      if (std::int64_t(feature) == features)
        bias[column] = column_sum<T, 1>(mine + column, width, nullptr, 0, count)[0];
      else
        weight[column * features + feature] =
            column_sum<T, 1>(mine + column, width, inputs + feature, features, count)[0];
      return;
    }
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
struct positions_gradient : RowsOrColumns {
  template <class T>
  struct Arguments {
    const T* gradient;
    T* out;
    std::int64_t sequences, length, width;
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.length), by_columns<Shape> ? divide_up(a.width, 4) : 1};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.length * a.width);
    return {double(a.sequences) * values, (double(a.sequences) + (a.accumulate ? 2 : 1)) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const std::int64_t width = a.width;
    T* sum = a.out + row * width;
    if constexpr (by_columns<Shape>) {
      const std::int64_t c = std::int64_t(lane) * 4, left = width - c;
      vector<T, 4> four = {};
      if (a.accumulate) four = load_some<4>(sum + c, left);
      for (std::int64_t b = 0; b < a.sequences; ++b)
        four += load_some<4>(a.gradient + (b * a.length + row) * width + c, left);
      return store_some<4>(sum + c, four, left);
    }
    if (!a.accumulate)
      for (std::int64_t c = 0; c < width; ++c) sum[c] = T(0);
    for (std::int64_t b = 0; b < a.sequences; ++b)
      for (std::int64_t c = 0; c < width; ++c) sum[c] += a.gradient[(b * a.length + row) * width + c];
  }
};

}  // namespace chord::CHORD_KERNELS
