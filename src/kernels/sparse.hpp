// A sparse matrix of any pattern, by rows.
#pragma once

#include "rows.hpp"

namespace chord::CHORD_KERNELS {

/// z[row, :] += Σ_e values[e] · v[columns[e], :] over the row's entries, starts[row] to below starts[row + 1].
struct add_entries : ByLanes {
  template <class T>
  struct Arguments {
    View<const T> v;
    View<T> z;
    const std::int64_t* starts;
    const std::int32_t* columns;
    const T* values;
    std::int64_t sequences, rows, width, entries;
    std::int32_t lanes = 0;
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>) a.lanes = a.width % Shape::width == 0 && has_lanes(a.v) && has_lanes(a.z);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return grid_of_rows<T, Shape>(a.sequences, a.rows, a.width, a.lanes);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double products = double(a.sequences * a.entries) * double(a.width);
    return {2 * products, products * sizeof(T) + double(a.entries) * (sizeof(T) + sizeof(std::int32_t))};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const View<const T> v = a.v.sequence(sequence);
    T* z = a.z.sequence(sequence).row(row);
    if constexpr (is_lane<Shape>)
      with_lane<Shape>(lane, a.lanes, [&]<int W>(Width<W>, std::int64_t c) {
        if (a.starts[row] == a.starts[row + 1]) return;
        vector<T, W> sum = load_aligned<W>(z + c);
        for (std::int64_t e = a.starts[row]; e < a.starts[row + 1]; ++e)
          sum += a.values[e] * load_aligned<W>(v.row(std::size_t(a.columns[e])) + c);
        store_aligned<W>(z + c, sum);
      });
    else
      for (std::int64_t e = a.starts[row]; e < a.starts[row + 1]; ++e) {
        const T* source = v.row(std::size_t(a.columns[e]));
        for (std::int64_t c = 0; c < a.width; ++c) z[c] += a.values[e] * source[c];
      }
  }
};

}  // namespace chord::CHORD_KERNELS
