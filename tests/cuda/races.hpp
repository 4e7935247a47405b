// Who touched what in a launch: for every four bytes the last writer and up to two readers. Two accesses race if
// different threads make them, one of them writes, not both are atomic, and no barrier lies between them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace chord::standin {

class Races {
 public:
  struct Access {
    std::uint32_t block, site;
    std::uint16_t thread;
    std::uint16_t epoch, warp_epoch;  ///< barriers that its block and its warp have passed
    bool atomic, present;             ///< not present: nobody yet
  };
  struct Conflict {
    Access other;
    const char* how;
    std::uint64_t offset;
  };

  /// Of a memory of so many bytes.
  explicit Races(std::uint64_t bytes);
  Races(const Races&) = delete;
  ~Races();

  /// Nothing before races with anything after: another launch, for shared memory another block.
  void begin() { ++stamp_; }

  /// The first conflict of an access with those before it.
  std::optional<Conflict> touch(std::uint64_t offset, int bytes, const Access& access, bool writes);

 private:
  struct Cell {
    std::uint32_t stamp;
    bool split;  ///< its bytes have records of their own
    Access writer;
    std::array<Access, 2> readers;
  };

  std::optional<Conflict> touch_word(std::uint64_t word, int first, int bytes, const Access& access, bool writes);
  static std::optional<Conflict> touch_cell(Cell& cell, std::uint64_t offset, const Access& access, bool writes);

  std::uint64_t words_;
  Cell* cells_;
  std::uint32_t stamp_ = 0;
  std::unordered_map<std::uint64_t, std::array<Cell, 4>> bytes_of_;  ///< split words
};

/// Of the memory of a device.
class Arena;
Races& races_of(const Arena& arena);

}  // namespace chord::standin
