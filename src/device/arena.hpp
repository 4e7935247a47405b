// Blocks of a pool that some work keeps, so that it can be run again at the very same addresses.
#pragma once

#include <mutex>
#include <vector>

#include "device/context.hpp"

namespace chord {

/// Several works may share an arena: a queue does one after the other, and none leaves anything for the next.
class Arena {
 public:
  explicit Arena(Context& context) : context_(context) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::size_t bytes() const;

  /// For as long as it lives, what is taken from the pool is of the arena, which grows where it has to. Other threads
  /// get nothing from the pool meanwhile.
  class Use {
   public:
    /// `order`: the blocks taken, one after the other. Where it is empty it is filled; otherwise the same blocks are
    /// given again, and nothing else is.
    Use(Arena& arena, std::vector<void*>& order);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Arena& arena_;
    std::unique_lock<std::recursive_mutex> lock_;
  };

 private:
  friend class Pool;
  void* take(std::size_t size);
  bool put(void* memory) noexcept;  ///< false where it is none of its blocks

  struct Block {
    void* memory;
    std::size_t size;
    bool taken = false;
  };
  Block* smallest_free(std::size_t size);
  Block* again(std::size_t size);
  Block* find(void* memory);

  Context& context_;
  std::vector<Block> blocks_;
  std::vector<void*>* order_ = nullptr;  // of the work under way
  bool again_ = false;                   // it is run again: the order is known
  std::size_t next_ = 0;
};

}  // namespace chord
