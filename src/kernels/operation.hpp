// What an operation's record is made of.
//
// A record is a struct with the operation's name, beside its kernel:
//
//   using types                      the types of T it is compiled for
//   template <T> using cpu, gpu      its shape on either kind of device, or NotThere
//   template <T> struct Arguments    views, sizes and flags, by name; nothing but pointers and numbers at the bottom
//   grid<T, Shape>(arguments)        the points it is run for
//   work(arguments)                  operations of floating point, and the bytes that must pass through memory at least
//   run<T, Shape>(i, j, k, arguments)   the kernel: the work of one point
//
// From the records, listed in list.hpp, follow everything else: entry points of devices, the host's table, the text for
// compilers at run time, launches, rooflines.
#pragma once

#include "grid.hpp"
#include "vector.hpp"
#include "view.hpp"

namespace chord::CHORD_KERNELS {

template <class... Items>
struct List {};

using Reals = List<float, double>;
using Words = List<std::uint32_t, std::uint64_t>;  ///< any type of that size: nothing is computed

struct Work {
  double flop = 0, bytes = 0;
};

/// Registers a kernel computes in at a time: Vectors vectors of Width values for each of Rows rows.
template <int Width, int Vectors, int Rows>
struct Block {
  static constexpr int width = Width, vectors = Vectors, rows = Rows, columns = Width * Vectors;
};
using Scalar = Block<1, 1, 1>;

/// What one point of the grid takes: Rows rows and Columns columns (0: all there are), in blocks, the widest first. All
/// but the last take whole blocks of columns only; the last takes any number.
template <int Rows, int Columns, class... Blocks>
struct Tile {
  static constexpr int rows = Rows, columns = Columns;
  using blocks = List<Blocks...>;
};

struct NotThere {};

/// Values in a vector register of a CPU.
template <class T>
inline constexpr int cpu_lanes = 32 / sizeof(T);

/// For kernels that are the same on every device.
struct Everywhere {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Scalar;
};

/// For kernels whose workers need a cache; GPUs take the same steps in launches of their own.
struct CpuOnly {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = NotThere;
};

CHORD_INLINE std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// [first, last)
struct Range {
  std::size_t first, last;
};

/// Piece number `index` of `count` things in pieces of `length`.
CHORD_INLINE Range piece_of(std::size_t index, std::size_t length, std::size_t count) {
  const std::size_t first = index * length;
  return {first, first + length < count ? first + length : count};
}

}  // namespace chord::CHORD_KERNELS
