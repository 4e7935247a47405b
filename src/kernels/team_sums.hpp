// Sums whose terms the lanes of a team or a group share: there are many terms and, at times, few sums.
#pragma once

#include "group.hpp"

namespace chord::CHORD_KERNELS {

/// A team takes Each · Across neighbouring columns of a row, Each a lane; the lanes that have the same columns have a
/// share each of the terms. The first lanes then sum the shares, always in the same order.
template <int Each, int Across>
struct TeamSums {
  static constexpr int shares = team / Across, width = Each * Across;

  CHORD_INLINE static std::size_t groups(std::int64_t rows, std::int64_t columns, int lanes) {
    return divide_up(rows * divide_up(columns, width) * team, lanes);
  }

  template <class T>
  CHORD_INLINE static std::size_t local_bytes(int lanes) {
    return local_size<T>(lanes * Each);
  }

  /// *target(row, column) (+)= the sum of all shares' sum_of(row, first of Each columns, share).
  template <class T, class G, class SumOf, class Target>
  CHORD_INLINE static void run(G& g, std::int64_t rows, std::int64_t columns, bool accumulate, SumOf sum_of,
                               Target target) {
    const auto pieces = std::uint32_t(divide_up(columns, width)), count = std::uint32_t(rows) * pieces,
               first = std::uint32_t(g.index()) * std::uint32_t(g.lanes() / team);
    T* sums = g.template local<T>(g.lanes() * Each);
    g.each([&](int lane) CHORD_INLINED {
      const std::uint32_t number = first + std::uint32_t(lane / team), row = number / pieces;
      if (number >= count) return;
      const std::int64_t column = std::int64_t(number % pieces) * width + lane % Across * Each;
      store_aligned<Each>(sums + lane * Each, sum_of(row, column, lane % team / Across));
    });
    g.each([&](int lane) CHORD_INLINED {
      const std::uint32_t number = first + std::uint32_t(lane / team), row = number / pieces;
      const std::int64_t column = std::int64_t(number % pieces) * width + lane % team;
      if (number >= count || lane % team >= width || column >= columns) return;
      T* to = target(row, column);
      T sum = accumulate ? *to : T(0);
#pragma GCC unroll 8
      for (int i = 0; i < shares; ++i) sum += sums[lane / team * team * Each + i * width + lane % team];
      *to = sum;
    });
  }
};

/// One sum by a whole group. There are as many parts of it for every size of the group.
struct GroupSum {
  static constexpr int parts = most_group_lanes;

  template <class T>
  CHORD_INLINE static std::size_t local_bytes() {
    return local_size<T>(parts);
  }

  /// *to = Σ term(i) for the i of a range.
  template <class T, class G, class Term>
  CHORD_INLINE static void run(G& g, Range range, Term term, T* to) {
    T* local = g.template local<T>(parts);
    g.each([&](int lane) CHORD_INLINED {
      for (int part = lane; part < parts; part += g.lanes()) {
        T sum = 0;
        for (std::size_t i = range.first + std::size_t(part); i < range.last; i += parts) sum += term(i);
        local[part] = sum;
      }
    });
    g.each([&](int lane) CHORD_INLINED {
      if (lane < team)
        for (int part = lane + team; part < parts; part += team) local[lane] += local[part];
    });
    g.each([&](int lane) CHORD_INLINED {
      if (lane > 0) return;
      T sum = 0;
      for (int part = 0; part < team; ++part) sum += local[part];
      *to = sum;
    });
  }
};

}  // namespace chord::CHORD_KERNELS
