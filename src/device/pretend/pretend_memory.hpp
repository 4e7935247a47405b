// Memory as of a GPU: addresses that the host may not touch. It is readable only while the device works, and holds NaNs
// (every byte 0xFF) wherever nothing was written since it was allocated.
#pragma once

#include <cstddef>
#include <map>

namespace chord {

class PretendMemory {
 public:
  static constexpr unsigned char poison = 0xff;

  explicit PretendMemory(std::size_t capacity);
  ~PretendMemory();
  PretendMemory(const PretendMemory&) = delete;
  PretendMemory& operator=(const PretendMemory&) = delete;

  void* allocate(std::size_t bytes);  ///< throws Status::out_of_memory
  void release(void* memory) noexcept;

  /// Whether an address is of this device at all, whoever owns it.
  bool has(const void* place) const;
  /// Whether these bytes lie in one block that was allocated and not released.
  bool owns(const void* place, std::size_t bytes) const;
  /// Throws Status::device_failure where somebody has written behind the end of a block.
  void expect_gaps_untouched() const;

  /// The device works: for as long as this lives the memory can be touched.
  class Unlocked {
   public:
    explicit Unlocked(const PretendMemory& memory);
    ~Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

   private:
    const PretendMemory& memory_;
  };

 private:
  char* first_fit(std::size_t bytes) const;

  std::size_t capacity_, used_ = 0;  // used_: up to the end of the last block there ever was
  char* base_;
  std::map<char*, std::size_t> blocks_;  // live ones and their bytes; a poisoned gap follows each
};

}  // namespace chord
