// Plain work on rows: copies between strided tensors, sums, unit vectors.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// to[a,b,c,:] = from[a,b,c,:] for any strides: factors, sequences and rows are the three outer dimensions.
struct copy_strided : Everywhere {
  using types = Words;
  template <class T>
  struct Arguments {
    View<const T> from;
    View<T> to;
    std::int64_t from_column_stride, to_column_stride;
    std::int64_t factors, sequences, rows, columns;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.factors), std::size_t(a.sequences), std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, 2 * double(a.factors * a.sequences) * double(a.rows * a.columns) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t factor, std::size_t sequence, std::size_t row, const Arguments<T>& a) {
    const T* source = a.from.factor(factor).sequence(sequence).row(row);
    T* target = a.to.factor(factor).sequence(sequence).row(row);
    const std::int64_t step = a.to_column_stride, from_step = a.from_column_stride;
    for (std::int64_t i = 0; i < a.columns; ++i) target[i * step] = source[i * from_step];
  }
};

/// to[a,b,c,:] = value, as above.
struct fill_strided : Everywhere {
  using types = Words;
  template <class T>
  struct Arguments {
    View<T> to;
    std::int64_t column_stride;
    std::int64_t factors, sequences, rows, columns;
    T value;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.factors), std::size_t(a.sequences), std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(a.factors * a.sequences) * double(a.rows * a.columns) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t factor, std::size_t sequence, std::size_t row, const Arguments<T>& a) {
    T* target = a.to.factor(factor).sequence(sequence).row(row);
    const std::int64_t step = a.column_stride;
    for (std::int64_t i = 0; i < a.columns; ++i) target[i * step] = a.value;
  }
};

/// For kernels that take a row of a batch at a time.
template <class T>
struct RowArguments {
  View<const T> from;
  View<T> to;
  std::int64_t sequences, rows, columns;
};
template <class T>
CHORD_INLINE Grid grid_of(const RowArguments<T>& a) {
  return {std::size_t(a.sequences), std::size_t(a.rows)};
}

/// to (+)= from
struct add_rows : Everywhere {
  template <class T>
  struct Arguments {
    RowArguments<T> batch;
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return grid_of(a.batch);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.batch.sequences) * double(a.batch.rows * a.batch.columns);
    return {a.accumulate ? values : 0, (a.accumulate ? 3 : 2) * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t, const Arguments<T>& a) {
    const T* source = a.batch.from.sequence(sequence).row(row);
    T* target = a.batch.to.sequence(sequence).row(row);
    for (std::int64_t c = 0; c < a.batch.columns; ++c) target[c] = a.accumulate ? target[c] + source[c] : source[c];
  }
};

/// to = ½(to + from)
struct average_rows : Everywhere {
  template <class T>
  using Arguments = RowArguments<T>;

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return grid_of(a);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.sequences) * double(a.rows * a.columns);
    return {2 * values, 3 * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t, const Arguments<T>& a) {
    const T* source = a.from.sequence(sequence).row(row);
    T* target = a.to.sequence(sequence).row(row);
    for (std::int64_t c = 0; c < a.columns; ++c) target[c] = T(0.5) * (target[c] + source[c]);
  }
};

/// to[factor,row,:] (+)= Σ_p partial[p,factor,row,:], always in the same order.
struct sum_partials : Everywhere {
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
    for (std::int64_t c = 0; c < a.columns; ++c) {
      T sum = a.accumulate ? target[c] : T(0);
      for (std::int64_t p = 0; p < a.partials; ++p) sum += source[p * a.partial_size + c];
      target[c] = sum;
    }
  }
};

/// Column c of z becomes the unit vector of indices[c], or of first + c where there are no indices.
struct unit_columns : Everywhere {
  template <class T>
  struct Arguments {
    View<T> z;
    const std::int64_t* indices;
    std::int64_t rows, columns, first;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(a.rows * a.columns) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t, const Arguments<T>& a) {
    T* target = a.z.row(row);
    for (std::int64_t c = 0; c < a.columns; ++c)
      target[c] = std::int64_t(row) == (a.indices ? a.indices[c] : a.first + c) ? T(1) : T(0);
  }
};

}  // namespace chord::CHORD_KERNELS
