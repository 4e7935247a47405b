// A sparse matrix of any pattern, by rows.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// z[row, :] += Σ_e values[e] · v[columns[e], :] over the row's entries, starts[row] to below starts[row + 1].
struct add_entries : Everywhere {
  template <class T>
  struct Arguments {
    View<const T> v;
    View<T> z;
    const std::int64_t* starts;
    const std::int32_t* columns;
    const T* values;
    std::int64_t sequences, rows, width, entries;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.sequences), std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double products = double(a.sequences * a.entries) * double(a.width);
    return {2 * products, products * sizeof(T) + double(a.entries) * (sizeof(T) + sizeof(std::int32_t))};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t, const Arguments<T>& a) {
    const View<const T> v = a.v.sequence(sequence);
    T* z = a.z.sequence(sequence).row(row);
    for (std::int64_t e = a.starts[row]; e < a.starts[row + 1]; ++e) {
      const T* source = v.row(std::size_t(a.columns[e]));
      for (std::int64_t c = 0; c < a.width; ++c) z[c] += a.values[e] * source[c];
    }
  }
};

}  // namespace chord::CHORD_KERNELS
