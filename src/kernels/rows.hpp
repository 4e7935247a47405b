// Plain work on rows: copies between strided tensors, sums, padding, unit vectors. A CPU's worker takes whole rows, a
// GPU's lane 16 bytes of one, or a value.
#pragma once

#include "team_sums.hpp"

namespace chord::CHORD_KERNELS {

/// For kernels that do the same to every value of a row. Their arguments have `lanes`, which the host sets where whole
/// lanes can be taken.
struct ByLanes {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Lane<T>;
};

/// The points of some rows; where lanes take them, those of a row are neighbours.
template <class T, class Shape>
CHORD_INLINE Grid grid_of_rows(std::int64_t sequences, std::int64_t rows, std::int64_t columns, std::int32_t lanes) {
  if constexpr (is_lane<Shape>)
    return {std::size_t(sequences), std::size_t(rows), std::size_t(lanes ? columns / Shape::width : columns)};
  else
    return {std::size_t(sequences), std::size_t(rows)};
}

/// action(width, column) for the columns of a lane.
template <class Shape, class Action>
CHORD_INLINE void with_lane(std::size_t lane, std::int32_t lanes, Action action) {
  if (lanes)
    action(Width<Shape::width>(), std::int64_t(lane) * Shape::width);
  else
    action(Width<1>(), std::int64_t(lane));
}

/// For kernels with a run_row(factor, sequence, row, lane, arguments): on GPUs lanes are one of the grid's dimensions,
/// so two of the outer ones are one.
template <class Kernel>
struct ByLanesOfFactors : ByLanes {
  template <class T, class Shape, class Arguments>
  static Grid grid(const Arguments& a) {
    if constexpr (is_lane<Shape>) return grid_of_rows<T, Shape>(a.factors * a.sequences, a.rows, a.columns, a.lanes);
    return {std::size_t(a.factors), std::size_t(a.sequences), std::size_t(a.rows)};
  }

  template <class T, class Shape, class Arguments>
  static void run(std::size_t i, std::size_t j, std::size_t k, const Arguments& a) {
    if constexpr (is_lane<Shape>) {
      const std::size_t factor = std::uint32_t(i) / std::uint32_t(a.sequences);
      Kernel::template run_row<Shape>(factor, i - factor * std::size_t(a.sequences), j, k, a);
    } else {
      Kernel::template run_row<Shape>(i, j, k, 0, a);
    }
  }
};

/// to[a,b,c,:] = from[a,b,c,:] for any strides: factors, sequences and rows are the three outer dimensions.
struct copy_strided : ByLanesOfFactors<copy_strided> {
  using types = Words;
  template <class T>
  struct Arguments {
    View<const T> from;
    View<T> to;
    std::int64_t from_column_stride, to_column_stride;
    std::int64_t factors, sequences, rows, columns;
    std::int32_t lanes = 0;
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>)
      a.lanes = a.from_column_stride == 1 && a.to_column_stride == 1 && a.columns % Shape::width == 0 &&
                has_lanes(a.from) && has_lanes(a.to);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, 2 * double(a.factors * a.sequences) * double(a.rows * a.columns) * sizeof(T)};
  }

  template <class Shape, class T>
  CHORD_INLINE static void run_row(std::size_t factor, std::size_t sequence, std::size_t row, std::size_t lane,
                                   const Arguments<T>& a) {
    const T* source = a.from.factor(factor).sequence(sequence).row(row);
    T* target = a.to.factor(factor).sequence(sequence).row(row);
    const std::int64_t step = a.to_column_stride, from_step = a.from_column_stride;
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.lanes, [&]<int W>(Width<W>, std::int64_t c) {
        store_aligned<W>(target + c * step, load_aligned<W>(source + c * from_step));
      });
    else
      for (std::int64_t i = 0; i < a.columns; ++i) target[i * step] = source[i * from_step];
  }
};

/// to[a,b,c,:] = value, as above.
struct fill_strided : ByLanesOfFactors<fill_strided> {
  using types = Words;
  template <class T>
  struct Arguments {
    View<T> to;
    std::int64_t column_stride;
    std::int64_t factors, sequences, rows, columns;
    T value;
    std::int32_t lanes = 0;
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>) a.lanes = a.column_stride == 1 && a.columns % Shape::width == 0 && has_lanes(a.to);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(a.factors * a.sequences) * double(a.rows * a.columns) * sizeof(T)};
  }

  template <class Shape, class T>
  CHORD_INLINE static void run_row(std::size_t factor, std::size_t sequence, std::size_t row, std::size_t lane,
                                   const Arguments<T>& a) {
    T* target = a.to.factor(factor).sequence(sequence).row(row);
    const std::int64_t step = a.column_stride;
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.lanes, [&]<int W>(Width<W>, std::int64_t c) {
        store_aligned<W>(target + c * step, all_of<W>(a.value));
      });
    else
      for (std::int64_t i = 0; i < a.columns; ++i) target[i * step] = a.value;
  }
};

/// For kernels that take a row of a batch at a time.
template <class T>
struct RowArguments {
  View<const T> from;
  View<T> to;
  std::int64_t sequences, rows, columns;
  std::int32_t lanes = 0;

  template <class Shape>
  void prepare() {
    if constexpr (is_lane<Shape>) lanes = columns % Shape::width == 0 && has_lanes(from) && has_lanes(to);
  }
  template <class Shape>
  Grid grid() const {
    return grid_of_rows<T, Shape>(sequences, rows, columns, lanes);
  }
};

/// to (+)= from
struct add_rows : ByLanes {
  template <class T>
  struct Arguments {
    RowArguments<T> batch;
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    a.batch.template prepare<Shape>();
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return a.batch.template grid<Shape>();
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.batch.sequences) * double(a.batch.rows * a.batch.columns);
    return {a.accumulate ? values : 0, (a.accumulate ? 3 : 2) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const T* source = a.batch.from.sequence(sequence).row(row);
    T* target = a.batch.to.sequence(sequence).row(row);
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.batch.lanes, [&]<int W>(Width<W>, std::int64_t c) {
        vector<T, W> value = load_aligned<W>(source + c);
        if (a.accumulate) value = load_aligned<W>(target + c) + value;
        store_aligned<W>(target + c, value);
      });
    else
      for (std::int64_t c = 0; c < a.batch.columns; ++c) target[c] = a.accumulate ? target[c] + source[c] : source[c];
  }
};

/// to = ½(to + from)
struct average_rows : ByLanes {
  template <class T>
  using Arguments = RowArguments<T>;

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    a.template prepare<Shape>();
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return a.template grid<Shape>();
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.sequences) * double(a.rows * a.columns);
    return {2 * values, 3 * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const T* source = a.from.sequence(sequence).row(row);
    T* target = a.to.sequence(sequence).row(row);
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.lanes, [&]<int W>(Width<W>, std::int64_t c) {
        store_aligned<W>(target + c, T(0.5) * (load_aligned<W>(target + c) + load_aligned<W>(source + c)));
      });
    else
      for (std::int64_t c = 0; c < a.columns; ++c) target[c] = T(0.5) * (target[c] + source[c]);
  }
};

/// to[factor,row,:] (+)= Σ_p partial[p,factor,row,:], always in the same order.
struct sum_partials : Everywhere {
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    const T* partial;
    View<T> to;
    std::int64_t partials, partial_size;  ///< partial_size: from one to the next
    std::int64_t factors, rows, columns;
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.factors), std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.factors) * double(a.rows * a.columns);
    return {double(a.partials) * values, (double(a.partials) + (a.accumulate ? 2 : 1)) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t factor, std::size_t row, std::size_t, const Arguments<T>& a) {
    const T* source = a.partial + (factor * a.rows + row) * a.columns;
    T* target = a.to.factor(factor).row(row);
    std::int64_t c = 0;
    for (constexpr int Width = native_lanes<T>; c + Width <= a.columns; c += Width)
      sum_columns<Width>(source + c, a, target + c);
    for (; c < a.columns; ++c) sum_columns<1>(source + c, a, target + c);
  }

  static constexpr int each = 4;
  using Sums = TeamSums<each, 2>;

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return Sums::groups(a.factors * a.rows, a.columns, lanes);
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    return Sums::local_bytes<T>(lanes);
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    const auto rows = std::uint32_t(a.rows);
    Sums::run<T>(
        g, a.factors * a.rows, a.columns, a.accumulate,
        [&](std::uint32_t row, std::int64_t column, int share)
            CHORD_INLINED { return sum_of(a, std::int64_t(row) * a.columns, column, share); },
        [&](std::uint32_t row, std::int64_t column)
            CHORD_INLINED { return a.to.factor(row / rows).row(row % rows) + column; });
  }

 private:
  template <int Width, class T>
  CHORD_INLINE static void sum_columns(const T* source, const Arguments<T>& a, T* target) {
    vector<T, Width> sum = {};
    if (a.accumulate) sum = load<Width>(target);
    for (std::int64_t p = 0; p < a.partials; ++p) sum += load<Width>(source + p * a.partial_size);
    store<Width>(target, sum);
  }

  /// The sums of four columns of a row over one share of the partials.
  template <class T>
  CHORD_INLINE static vector<T, each> sum_of(const Arguments<T>& a, std::int64_t row, std::int64_t column, int share) {
    const T* source = a.partial + row + column;
    const Range range = piece_of(share, divide_up(a.partials, Sums::shares), a.partials);
    vector<T, each> sum = {};
    if (column + each <= a.columns && is_aligned<each>(source) && a.partial_size % each == 0) {
#pragma GCC unroll 4
      for (std::size_t p = range.first; p < range.last; ++p) sum += load_aligned<each>(source + p * a.partial_size);
    } else {
      for (std::size_t p = range.first; p < range.last; ++p)
#pragma GCC unroll 4
        for (int i = 0; i < each; ++i)
          if (column + i < a.columns) sum[i] += source[p * a.partial_size + i];
    }
    return sum;
  }
};

/// x[factor,sequence,row,:] = 0 for the rows from lengths[sequence] on: what is there is padding, and never read.
struct clear_padding : ByLanesOfFactors<clear_padding> {
  using types = List<std::int32_t, float, double>;
  template <class T>
  struct Arguments {
    View<T> x;
    const std::int32_t* lengths;
    std::int64_t factors, sequences, rows, columns;
    std::int32_t lanes = 0;
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>) a.lanes = a.columns % Shape::width == 0 && has_lanes(a.x);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(a.sequences) * sizeof(std::int32_t)};
  }

  template <class Shape, class T>
  CHORD_INLINE static void run_row(std::size_t factor, std::size_t sequence, std::size_t row, std::size_t lane,
                                   const Arguments<T>& a) {
    if (std::int64_t(row) < a.lengths[sequence]) return;
    T* target = a.x.factor(factor).sequence(sequence).row(row);
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.lanes,
                       [&]<int W>(Width<W>, std::int64_t c) { store_aligned<W>(target + c, vector<T, W>{}); });
    else
      for (std::int64_t c = 0; c < a.columns; ++c) target[c] = T(0);
  }
};

/// Column c of z becomes the unit vector of indices[c], or of first + c where there are no indices.
struct unit_columns : ByLanes {
  template <class T>
  struct Arguments {
    View<T> z;
    const std::int64_t* indices;
    std::int64_t rows, columns, first;
    std::int32_t lanes = 0;
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>) a.lanes = a.columns % Shape::width == 0 && has_lanes(a.z);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return grid_of_rows<T, Shape>(1, a.rows, a.columns, a.lanes);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(a.rows * a.columns) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    T* target = a.z.row(row);
    const auto one = [&](std::int64_t c) {
      return std::int64_t(row) == (a.indices ? a.indices[c] : a.first + c) ? T(1) : T(0);
    };
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.lanes, [&]<int W>(Width<W>, std::int64_t c) {
        vector<T, W> value = {};
#pragma GCC unroll 4
        for (int b = 0; b < W; ++b) value[b] = one(c + b);
        store_aligned<W>(target + c, value);
      });
    else
      for (std::int64_t c = 0; c < a.columns; ++c) target[c] = one(c);
  }
};

}  // namespace chord::CHORD_KERNELS
