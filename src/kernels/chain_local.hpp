// A whole chain of factors of short sequences in one launch of a GPU: a work-group takes some columns of a sequence
// through all of them, in local memory. Longer sequences take a launch for each factor.
#pragma once

#include "group.hpp"
#include "product_lane.hpp"
#include "walk.hpp"

namespace chord::CHORD_KERNELS {

/// z = chain(v) or, transposed, the transpose of that linear map, residuals included. Where a tape is given, the
/// outputs of all steps but the last are left there: of factor f in entry f or, transposed, in entry f − 1.
struct chain_local {
  using types = Reals;
  template <class T>
  using cpu = NotThere;
  template <class T>
  using gpu = Group;

  /// Columns of a group: whole sectors.
  template <class T>
  static constexpr int panel = 32 / int(sizeof(T));

  template <class T>
  struct Arguments {
    View<const T> w, v;
    View<T> z, tape;
    Links links;
    std::int64_t factors, sequences, columns;
    std::int32_t residual, transposed;
    std::int32_t lanes = 0;  ///< by prepare()
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    const bool values =
        a.columns % Lane<T>::width == 0 && has_near_lanes(a.v) && has_near_lanes(a.z) && has_near_lanes(a.tape);
    const bool weights = a.links.count % Lane<T>::width == 0 && has_lanes(a.w);
    a.lanes = !values ? lanes_of_nothing : weights ? lanes_of_all : lanes_of_values;
  }

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(a.sequences) * divide_up(a.columns, panel<T>);
  }
  /// Two panels, the weights of a factor, the offsets.
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int) {
    return bytes_of<T>(a.links);
  }
  template <class T>
  static std::size_t bytes_of(const Links& links) {
    const std::size_t n = std::size_t(links.n), count = std::size_t(links.count);
    return local_size<T>(2 * n * panel<T>) + local_size<T>(n * row_of_weights(count)) + local_size<std::int32_t>(count);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.sequences) * double(a.links.n), factors = double(a.factors);
    const double weights = factors * double(a.w.sequence_stride ? a.sequences : 1) * double(a.links.n * a.links.count);
    return {2 * factors * rows * double(a.links.count * a.columns),
            (weights + rows * double(a.columns) * (a.tape ? factors + 1 : 2)) * sizeof(T)};
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    if (a.lanes)
      Worker<T, Group, Lane<T>::width>(group, a).run();
    else
      Worker<T, Group, 1>(group, a).run();
  }

 private:
  /// An odd number: neighbouring rows begin in different banks.
  CHORD_INLINE static std::size_t row_of_weights(std::size_t count) { return count | 1; }

  template <class T, class Group, int Width>
  struct Worker {
    /// Of a step: where values come from and go to. What is not kept has a place, too: a null pointer among others
    /// would be of any kind of memory.
    struct Place {
      const T* in;
      T *out, *kept;
      bool keep, first, last;
    };

    Group& group;
    const Arguments<T>& a;
    int n, count, row_size, pieces;  ///< pieces: of Width columns, of a row
    View<const T> v;
    View<T> z, tape;
    const T* w;
    T *values, *weights;
    std::int32_t* offsets;

    CHORD_INLINE Worker(Group& of, const Arguments<T>& arguments)
        : group(of),
          a(arguments),
          n(int(a.links.n)),
          count(int(a.links.count)),
          row_size(int(row_of_weights(std::size_t(count)))),
          v(a.v),
          z(a.z),
          tape(a.tape) {
      const auto panels = std::uint32_t(divide_up(a.columns, panel<T>));
      const std::uint32_t sequence = std::uint32_t(group.index()) / panels,
                          number = std::uint32_t(group.index()) - sequence * panels;
      const int first = int(number) * panel<T>, left = int(a.columns) - first;
      pieces = (left < panel<T> ? left : panel<T>) / Width;
      v = a.v.sequence(sequence).columns(std::size_t(first));
      z = a.z.sequence(sequence).columns(std::size_t(first));
      tape = a.tape.sequence(sequence).columns(std::size_t(first));
      w = a.w.data + sequence * a.w.sequence_stride;
      values = group.template local<T>(std::size_t(2 * n * panel<T>));
      weights = group.template local<T>(std::size_t(n * row_size));
      offsets = group.template local<std::int32_t>(std::size_t(count));
    }

    CHORD_INLINE void run() {
      group.each([&](int lane) {
        for (int k = lane; k < count; k += group.lanes()) offsets[k] = a.links.offsets[k];
        for_items(lane, [&](int row, int column) {
          store_aligned<Width>(values + row * panel<T> + column,
                               load_aligned<Width>(v.data + std::int64_t(row) * v.row_stride + column));
        });
      });
      const int last = int(a.factors) - 1;
#pragma GCC unroll 1
      for (int step = 0; step <= last; ++step) {
        const int factor = a.transposed ? last - step : step;
        group.each([&](int lane) { load_weights(lane, w + factor * a.w.factor_stride); });
        const T* in = values + step % 2 * (n * panel<T>);
        T* out = values + (step + 1) % 2 * (n * panel<T>);
        const Place place{in,
                          out,
                          (a.tape ? tape.data : z.data) + (a.transposed ? factor - 1 : factor) * tape.factor_stride,
                          step < last && a.tape,
                          step == 0,
                          step == last};
        group.each([&](int lane) {
          if (a.transposed)
            for_items(lane, [&](int row, int c) { take_back(row, c, place); });
          else
            for_items(lane, [&](int row, int c) { take_forward(row, c, place); });
        });
      }
    }

    /// action(row, column) for those that are a lane's own.
    template <class Action>
    CHORD_INLINE void for_items(int lane, Action action) const {
      for (int item = lane; item < n * pieces; item += group.lanes()) {
        // A panel of whole lanes has one of them, or two.
        const int row = Width > 1 ? item >> (pieces - 1) : int(std::uint32_t(item) / std::uint32_t(pieces));
        action(row, (item - row * pieces) * Width);
      }
    }

    /// Four lanes a row, so that neighbours read side by side.
    CHORD_INLINE void load_weights(int lane, const T* from) const {
      constexpr int Whole = Lane<T>::width;
      for (int row = lane / 4; row < n; row += group.lanes() / 4) {
        const T* source = from + std::int64_t(row) * a.w.row_stride;
        T* target = weights + row * row_size;
        if (a.lanes == lanes_of_all)
          for (int k = lane % 4 * Whole; k < count; k += 4 * Whole) {
            const vector<T, Whole> some = load_aligned<Whole>(source + k);
#pragma GCC unroll 4
            for (int b = 0; b < Whole; ++b) target[k + b] = some[b];
          }
        else
          for (int k = lane % 4; k < count; k += 4) target[k] = source[k];
      }
    }

    template <bool Transposed>
    CHORD_INLINE vector<T, Width> gathered(int row, int column, const T* in) const {
      const Neighbours<Transposed> neighbour(std::size_t(row), n);
      vector<T, Width> sum = {};
#pragma GCC unroll 4
      for (int k = 0; k < count; ++k) {
        const int from = int(neighbour(offsets[k]));
        const T weight = weights[(Transposed ? from : row) * row_size + k];
        sum += weight * load_aligned<Width>(in + from * panel<T> + column);
      }
      return sum;
    }

    CHORD_INLINE void take_forward(int row, int column, const Place& place) const {
      vector<T, Width> sum = gathered<false>(row, column, place.in);
      if (a.residual) sum += load_aligned<Width>(v.data + std::int64_t(row) * v.row_stride + column);
      if (place.last) store_aligned<Width>(z.data + std::int64_t(row) * z.row_stride + column, sum);
      put(row, column, place, sum);
    }

    // Nobody reads it after the last step; but a choice of one place or the other would be one of two kinds of memory.
    CHORD_INLINE void put(int row, int column, const Place& place, const vector<T, Width>& sum) const {
      store_aligned<Width>(place.out + row * panel<T> + column, sum);
      if (place.keep) store_aligned<Width>(place.kept + std::int64_t(row) * tape.row_stride + column, sum);
    }

    /// With residuals every output of the chain counts for its input: their gradients are summed in z.
    CHORD_INLINE void take_back(int row, int column, const Place& place) const {
      vector<T, Width> sum = gathered<true>(row, column, place.in);
      T* result = z.data + std::int64_t(row) * z.row_stride + column;
      if (a.residual) {
        vector<T, Width> all = load_aligned<Width>(place.in + row * panel<T> + column);
        if (!place.first) all += load_aligned<Width>(result);
        if (place.last)
          sum += all;
        else
          store_aligned<Width>(result, all);
      }
      if (place.last) store_aligned<Width>(result, sum);
      put(row, column, place, sum);
    }
  };
};

}  // namespace chord::CHORD_KERNELS
