// What an operation's record is made of.
//
// A record is a struct with the operation's name, beside its kernel:
//
//   using types                      the types of T it is compiled for
//   template <T> using cpu, gpu      its shape on either kind of device, or NotThere
//   template <T> struct Arguments    views, sizes and flags, by name; nothing but pointers and numbers at the bottom
//   prepare<T, Shape>(arguments)     where it is there: what the host finds out about the arguments before a launch
//   grid<T, Shape>(arguments)        the points it is run for
//   work(arguments)                  operations of floating point, and the bytes that must pass through memory at least
//   run<T, Shape>(i, j, k, arguments)   the kernel: the work of one point
//
// Where a GPU's worker is a work-group (its shape is `Group`), it has instead for these shapes:
//
//   groups<T, Shape>(arguments, lanes)        how many groups it is run for
//   local_bytes<T, Shape>(arguments, lanes)   what local() of one of them takes together
//   run_group<T, Shape>(group, arguments)     the kernel in phases: group.hpp
//
// A group has 64, 128 or 256 lanes, whatever the device likes best; results are the same bits for all of them.
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

/// What a GPU's work-item takes: 16 bytes of a row where all that it touches is aligned to that, one value elsewhere.
template <class T>
struct Lane {
  static constexpr int width = 16 / int(sizeof(T));
};
template <class Shape>
inline constexpr bool is_lane = false;
template <class T>
inline constexpr bool is_lane<Lane<T>> = true;

struct NotThere {};

/// The shape of a kernel that is written for a work-group.
// In the C++ of 2017: what compiles SYCL at run time knows no other by default.
struct Group {};
CHORD_INLINE constexpr bool is_group_shape(const Group*) { return true; }
CHORD_INLINE constexpr bool is_group_shape(const void*) { return false; }
template <class Shape>
inline constexpr bool is_group = is_group_shape(static_cast<const Shape*>(nullptr));
inline constexpr int least_group_lanes = 64, most_group_lanes = 256;

/// A team is as many lanes as the smallest group has. Kernels cut their work into what teams do; a larger group is
/// several of them side by side, which may share what they read, and nothing depends on how many.
inline constexpr int team = least_group_lanes;

/// Values in a vector register of a CPU.
template <class T>
inline constexpr int cpu_lanes = 32 / sizeof(T);

/// Whether registers of the processor this copy is compiled for hold 64 bytes: so its instruction set says, or, of a
/// SYCL device that is asked for its vectors, the one who has it compiled.
#if defined(__AVX512F__) || defined(CHORD_WIDE_REGISTERS)
inline constexpr bool wide_registers = true;
#else
inline constexpr bool wide_registers = false;
#endif

/// Values in a register of that processor: where sums do not depend on it.
template <class T>
inline constexpr int native_lanes = (wide_registers ? 2 : 1) * cpu_lanes<T>;

/// Values of a vector for kernels of this shape whose columns have nothing to do with each other.
template <class T, class Shape>
inline constexpr int column_lanes = Shape::width > 1 ? native_lanes<T> : 1;

/// For kernels that are the same on every device.
struct Everywhere {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Scalar;
};

/// For kernels that take rows on CPUs, where a lane of a GPU takes four columns of one.
using FourColumns = Block<4, 1, 1>;
struct RowsOrColumns {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = FourColumns;
};
template <class Shape>
inline constexpr bool by_columns = false;
template <>
inline constexpr bool by_columns<FourColumns> = true;

/// For kernels whose workers need a cache; GPUs take the same steps in launches of their own.
struct CpuOnly {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = NotThere;
};

/// Whether 16 bytes can be taken at a time, from a place on or of the rows of a view. What is not there can.
CHORD_INLINE bool has_lanes(const void* data) { return (std::uintptr_t(data) & 15) == 0; }
template <class T>
CHORD_INLINE bool has_lanes(const View<T>& view) {
  return ((std::uint32_t(std::uintptr_t(view.data)) |
           std::uint32_t(view.factor_stride | view.sequence_stride | view.row_stride) * std::uint32_t(sizeof(T))) &
          15) == 0;
}

/// Threads that fill a large GPU, roughly. Whole lanes are for launches that have as many of them; smaller ones are
/// done sooner by more threads.
inline constexpr std::int64_t threads_of_gpu = 1 << 15;

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

/// What one of `shares` workers takes of `count` things that follow each other: the first ones take one more where they
/// cannot all take as many.
CHORD_INLINE Range share_of(std::size_t share, std::size_t shares, std::size_t count) {
  const std::size_t each = count / shares, more = count % shares;
  const std::size_t first = share * each + (share < more ? share : more);
  return {first, first + each + (share < more ? 1 : 0)};
}

}  // namespace chord::CHORD_KERNELS
