// Memory that LAPACK computes in. oneMKL chooses its instructions by where an array begins, and its last bits with
// them: only arrays that begin at multiples of 64 bytes always get the same. Large ones have large pages.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "device/host/host_memory.hpp"

namespace chord {

template <class T>
struct LapackMemory {
  using value_type = T;

  LapackMemory() = default;
  template <class Other>
  LapackMemory(const LapackMemory<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > std::size_t(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_host(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) { release_host(memory); }

  friend bool operator==(const LapackMemory&, const LapackMemory&) { return true; }
};

using LapackVector = std::vector<double, LapackMemory<double>>;

}  // namespace chord
