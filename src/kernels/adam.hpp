// Adam (Kingma and Ba), in PyTorch's form: p = kept · p − rate · m / (√v · correction + ε), where kept is 1, or less
// with a weight decay of its own (AdamW: Loshchilov and Hutter). The gradients may be scaled down to a norm first.
#pragma once

#include "step.hpp"
#include "team_sums.hpp"

namespace chord::CHORD_KERNELS {

CHORD_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
CHORD_INLINE double square_root(double x) { return __builtin_sqrt(x); }

/// squares[piece] = Σ g² over a piece of all gradients: the first half of the sum whose root is their norm.
struct square_gradients {
  static constexpr int piece = 4096;
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    const T* gradients;
    T* squares;
    std::int64_t count;
  };

  /// How many sums there are.
  CHORD_INLINE static std::int64_t pieces(std::int64_t count) { return std::int64_t(divide_up(count, piece)); }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(pieces(a.count))};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {2 * double(a.count), double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    const Range range = piece_of(index, piece, a.count);
    T sum = 0;
    for (std::size_t i = range.first; i < range.last; ++i) sum += a.gradients[i] * a.gradients[i];
    a.squares[index] = sum;
  }

  /// A group has a piece.
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(pieces(a.count));
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int) {
    return GroupSum::local_bytes<T>();
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    GroupSum::run(
        group, piece_of(group.index(), piece, a.count),
        [&](std::size_t i) CHORD_INLINED { return a.gradients[i] * a.gradients[i]; }, a.squares + group.index());
  }
};

/// One step for a piece of the parameters, or for a lane of them; nothing where the batch had a fault.
struct adam {
  static constexpr int piece = 4096;
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Lane<T>;

  template <class T>
  struct Arguments {
    T* parameters;
    const T* gradients;
    T *m, *v;          ///< the moments
    const T* rates;    ///< those of begin_step
    const T* squares;  ///< those of square_gradients
    Faults faults;
    std::int64_t count, squares_count;  ///< no squares: nothing is clipped
    std::int32_t lanes = 0;             ///< for GPUs, by prepare()
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>)
      a.lanes = a.count >= threads_of_gpu * Shape::width && has_lanes(a.parameters) && has_lanes(a.gradients) &&
                has_lanes(a.m) && has_lanes(a.v);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    if constexpr (is_lane<Shape>) return {1, divide_up(a.count, a.lanes ? Shape::width : 1)};
    return {1, divide_up(a.count, piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {15 * double(a.count), 7 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    if (a.faults.any()) return;
    const T rate = a.rates[adam_rate], correction = a.rates[adam_correction], epsilon = a.rates[adam_epsilon];
    const T decay1 = a.rates[adam_decay1], beta2 = a.rates[adam_beta2], decay2 = a.rates[adam_decay2];
    const T kept = a.rates[adam_kept], scale = scale_of(a);
    if constexpr (is_lane<Shape>) {
      const auto take = [&]<int W>(Width<W>, std::size_t i) {
        const vector<T, W> g = load_aligned<W>(a.gradients + i) * scale, before = load_aligned<W>(a.m + i);
        const vector<T, W> m = before + (g - before) * decay1;
        const vector<T, W> v = load_aligned<W>(a.v + i) * beta2 + g * g * decay2;
        vector<T, W> root = {};
#pragma GCC unroll 4
        for (int b = 0; b < W; ++b) root[b] = square_root(v[b]);
        store_aligned<W>(a.m + i, m);
        store_aligned<W>(a.v + i, v);
        store_aligned<W>(a.parameters + i,
                         load_aligned<W>(a.parameters + i) * kept - rate * m / (root * correction + epsilon));
      };
      const Range range = piece_of(index, a.lanes ? Shape::width : 1, a.count);
      if (range.last - range.first == Shape::width) return take(Width<Shape::width>(), range.first);
      for (std::size_t i = range.first; i < range.last; ++i) take(Width<1>(), i);
    } else {
      const Range range = piece_of(index, piece, a.count);
      for (std::size_t i = range.first; i < range.last; ++i) {
        const T g = a.gradients[i] * scale;
        const T m = a.m[i] + (g - a.m[i]) * decay1;
        const T v = a.v[i] * beta2 + g * g * decay2;
        a.m[i] = m;
        a.v[i] = v;
        a.parameters[i] = a.parameters[i] * kept - rate * m / (square_root(v) * correction + epsilon);
      }
    }
  }

 private:
  /// The other half of the sum, by everyone who needs it, in the same order.
  template <class T>
  CHORD_INLINE static T scale_of(const Arguments<T>& a) {
    if (a.squares_count == 0) return 1;
    T sum = 0;
    for (std::int64_t i = 0; i < a.squares_count; ++i) sum += a.squares[i];
    const T scale = a.rates[adam_clip] / (square_root(sum) + T(1e-6));
    return scale < T(1) ? scale : T(1);
  }
};

}  // namespace chord::CHORD_KERNELS
