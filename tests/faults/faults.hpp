// Faults of the machine, made by this program's own malloc, open, pthread_create and others, which the library finds
// before the system's: the n-th of them fails, once or from then on.
#pragma once

#include <cstdint>

namespace faults {

enum class Kind { memory, files, threads };

/// Begins to count the places where this kind of thing can fail. `place`: the one that does, from 1; 0: none.
void begin(Kind kind, std::int64_t place, bool from_then_on) noexcept;
/// Nothing fails any more. Returns how many places there were.
std::int64_t end() noexcept;

/// Whether what this thread is about to do is to fail. For those that stand in for the system.
bool due(Kind kind) noexcept;

/// While one lives, nothing fails in this thread and nothing is counted.
class Paused {
 public:
  Paused() noexcept;
  ~Paused();
  Paused(const Paused&) = delete;
  Paused& operator=(const Paused&) = delete;
};

/// Blocks of memory that were allocated and not freed.
std::int64_t live_blocks() noexcept;
void count_block(int change) noexcept;

/// The stand-in for NVIDIA's driver: its own memory is left alone, its devices' may fail. Nothing without it.
void watch_standin();

}  // namespace faults
