// A work-group on the host: phases are loops over its lanes, the last one first, and no lane sees memory that nobody
// has written.
#pragma once

#include <cstring>
#include <vector>

#include "common/error.hpp"
#include "device/pretend/pretend_memory.hpp"
#include "kernels/group.hpp"

namespace chord {

class GroupOnHost {
 public:
  GroupOnHost(std::size_t index, int lanes, std::size_t local_bytes)
      : index_(index), lanes_(lanes), bytes_(local_bytes), memory_(local_bytes / sizeof(Line) + 2) {
    std::memset(memory_.data(), PretendMemory::poison, memory_.size() * sizeof(Line));
  }

  std::size_t index() const { return index_; }
  int lanes() const { return lanes_; }

  template <class T>
  T* local(std::size_t count) {
    T* place = reinterpret_cast<T*>(reinterpret_cast<char*>(memory_.data()) + taken_);
    taken_ += kernels::local_size<T>(count);
    if (taken_ > bytes_)
      fail(Status::internal, "a kernel takes ", taken_, " bytes of local memory, its record says ", bytes_);
    return place;
  }

  /// Of all lanes.
  template <class T>
  struct Kept {
    std::vector<T> values;
    T& operator[](int lane) { return values[std::size_t(lane)]; }
  };
  template <class T>
  Kept<T> keep() const {
    Kept<T> kept{std::vector<T>(std::size_t(lanes_))};
    std::memset(kept.values.data(), PretendMemory::poison, kept.values.size() * sizeof(T));
    return kept;
  }

  template <class Phase>
  void each(Phase phase) const {
    for (int lane = lanes_; lane-- > 0;) phase(lane);
  }

  /// Throws where a kernel has written behind the end of its local memory.
  void expect_all_is_well() const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(memory_.data());
    for (std::size_t i = bytes_; i < memory_.size() * sizeof(Line); ++i)
      if (bytes[i] != PretendMemory::poison)
        fail(Status::device_failure, "a kernel wrote behind the end of its ", bytes_, " bytes of local memory");
  }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };

  std::size_t index_;
  int lanes_;
  std::size_t bytes_, taken_ = 0;
  std::vector<Line> memory_;
};

}  // namespace chord
