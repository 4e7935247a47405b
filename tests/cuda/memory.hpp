// The memory of a device. The addresses it hands out are closed to the host: their bytes live elsewhere in the process.
// Around every allocation is memory that nobody may touch, fresh memory holds NaN, and freed addresses are used again
// as late as possible.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace chord::standin {

struct Range {
  std::uint64_t first = 0, bytes = 0;
  explicit operator bool() const { return bytes != 0; }
  bool contains(std::uint64_t address, std::uint64_t count) const {
    return address >= first && count <= bytes && address - first <= bytes - count;
  }
};

/// Ranges that do not overlap.
class Ranges {
 public:
  void add(Range range) { ranges_[range.first] = range.bytes; }
  bool remove(std::uint64_t first) { return ranges_.erase(first) != 0; }
  void remove_within(Range range);
  /// The one that an address is in, the last that begins before it, the first after it.
  Range around(std::uint64_t address) const;
  Range before(std::uint64_t address) const;
  Range after(std::uint64_t address) const;

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;
};

/// Pages of the process that cost nothing until they are touched; a process that cannot have them ends.
void* reserve(std::uint64_t bytes);

class Arena {
 public:
  explicit Arena(std::uint64_t capacity);
  Arena(const Arena&) = delete;

  /// 0 if there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  bool release(std::uint64_t address);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t base() const { return base_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t delta() const { return delta_; }
  /// Of every 8 bytes, how many (the first ones) are allocated.
  const unsigned char* shadow() const { return shadow_; }

  bool holds(std::uint64_t address) const { return address - base_ < size_; }
  unsigned char* bytes(std::uint64_t address) const { return reinterpret_cast<unsigned char*>(address + delta_); }
  /// An aligned access of up to 16 bytes.
  bool is_allocated(std::uint64_t address, int bytes) const;
  Range allocation(std::uint64_t address) const { return allocated_.around(address); }
  /// Where an address is, in words.
  std::string describe(std::uint64_t address) const;

  // Which bytes have a value, where CHORD_STANDIN_UNINIT asks for it.
  void mark_written(std::uint64_t address, std::uint64_t bytes, bool written = true);
  void copy_marks(std::uint64_t to, const Arena& source, std::uint64_t from, std::uint64_t bytes);
  std::uint64_t unwritten(std::uint64_t address, std::uint64_t bytes) const;

 private:
  void mark(std::uint64_t offset, bool written);
  bool is_marked(std::uint64_t offset) const { return written_[offset / 8] >> offset % 8 & 1; }
  std::uint64_t take(std::uint64_t bytes);
  void give_back(Range range);

  std::uint64_t capacity_, size_, base_ = 0, delta_ = 0, next_ = 0, used_ = 0;
  int file_ = -1;
  unsigned char *shadow_, *written_;
  Ranges allocated_, freed_;
  std::map<std::uint64_t, std::uint64_t> room_;  ///< free ranges, red zones included
};

}  // namespace chord::standin
