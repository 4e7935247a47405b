// Memory that LAPACK computes in. oneMKL chooses its instructions by where an array begins, and its last bits with
// them: only arrays that begin at multiples of 64 bytes always get the same.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace chord {

template <class T>
struct LapackMemory {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  LapackMemory() = default;
  template <class Other>
  LapackMemory(const LapackMemory<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > std::size_t(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, alignment); }

  friend bool operator==(const LapackMemory&, const LapackMemory&) { return true; }
};

using LapackVector = std::vector<double, LapackMemory<double>>;

}  // namespace chord
