// A work-group as the worker of a kernel, which is then written in phases:
//
//   T* shared = g.template local<T>(count);      memory that the group's lanes share, aligned to 16 bytes
//   auto sums = g.template keep<T>();            a value of each lane's own that outlives a phase: sums[lane]
//   g.each([&](int lane) CHORD_INLINED { … });   a phase: all lanes do it, and none goes on before all have
//
// What is outside of phases every lane does alike, so loops there have the same bounds for all of them. On a GPU a
// phase is the lane's own work and a barrier; on the host (device/pretend) it is a loop over the lanes.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// Bytes that local<T>(count) takes.
template <class T>
CHORD_INLINE std::size_t local_size(std::size_t count) {
  return (count * sizeof(T) + 15) / 16 * 16;
}

/// What local memory consists of, so that it begins where 16 bytes can be read at once.
struct alignas(16) LocalLine {
  unsigned char bytes[16];
};

/// A lane's number, of which the compiler has forgotten where it comes from. It would find the places that a lane has
/// in every phase before the first, and keep them all: mlp_backward had more of them than there are registers.
CHORD_INLINE int forgotten(int lane) {
#if defined(__NVPTX__) || defined(__AMDGCN__)
#ifdef __NVPTX__
  asm volatile("" : "+r"(lane));
#else
  asm volatile("" : "+v"(lane));
#endif
  __builtin_assume(lane >= 0 && lane < most_group_lanes);
#endif
  return lane;
}

/// A group as one of its lanes sees it on a device. An Item has index() of its group, lane() and lanes(), barrier(),
/// and local(), where the group's memory begins.
template <class Item>
class LaneOfGroup {
 public:
  CHORD_INLINE explicit LaneOfGroup(const Item& item) : item_(item) {}

  CHORD_INLINE std::size_t index() const { return item_.index(); }
  CHORD_INLINE int lanes() const { return item_.lanes(); }

  template <class T>
  CHORD_INLINE T* local(std::size_t count) {
    T* place = reinterpret_cast<T*>(item_.local() + taken_ / sizeof(LocalLine));
    taken_ += local_size<T>(count);
    return place;
  }

  template <class T>
  struct Kept {
    T value;
    CHORD_INLINE T& operator[](int) { return value; }
  };
  template <class T>
  CHORD_INLINE Kept<T> keep() const {
    Kept<T> undefined;  // as it begins: a zero would have to be kept, too
    return undefined;
  }

  template <class Phase>
  CHORD_INLINE void each(Phase phase) const {
    phase(forgotten(item_.lane()));
    item_.barrier();
  }

 private:
  Item item_;
  std::size_t taken_ = 0;
};

}  // namespace chord::CHORD_KERNELS
