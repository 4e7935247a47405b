// Stacks on which functions run that can stop in the middle and go on later: the threads of a block. A switch is a
// function call that returns on another stack. One CPU thread uses an object of this.
#pragma once

#include <cstdint>
#include <vector>

namespace chord::standin {

class Fibres {
 public:
  using Start = void (*)(void* argument);
  static constexpr std::uint64_t stack_bytes = 256 << 10;

  Fibres() = default;
  Fibres(const Fibres&) = delete;
  ~Fibres();

  /// A fibre that will call `start`, which must not return; what the fibre was doing is forgotten.
  void prepare(std::uint32_t fibre, Start start, void* argument);
  /// Runs it until it pauses.
  void resume(std::uint32_t fibre);
  /// Called on a fibre: back to whoever resumed it.
  void pause();

  std::uint32_t current() const { return current_; }
  std::uint64_t stack_low(std::uint32_t fibre) const;

 private:
  std::vector<char*> stacks_;  ///< each with a closed page below
  std::vector<void*> contexts_;
  void* home_ = nullptr;
  std::uint32_t current_ = 0;
};

}  // namespace chord::standin
