// Runs blocks of a launch: their threads as fibres, barriers, exchanges within warps, and the checks of accesses that a
// kernel's own code did not let pass. One thread of the CPU uses an object of this.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fibres.hpp"
#include "launch.hpp"
#include "options.hpp"
#include "races.hpp"

namespace chord::standin {

class BlockRunner {
 public:
  /// Blocks of a launch until none is left.
  void run(Execution& execution);

  // What kernels call.
  unsigned char* checked_bytes(PtxThread* thread, std::uint64_t address, int bytes, int kind, int site);
  void watch(PtxThread* thread, std::uint64_t address, int bytes, int kind, int site);
  void wait_at_barrier(PtxThread* thread, std::uint32_t number, std::uint32_t wanted, int site);
  std::uint32_t exchange(PtxThread* thread, std::uint32_t mask, std::uint64_t value, std::uint64_t* all, int site);
  [[noreturn]] void stop_thread(PtxThread* thread, const char* why, int site);

 private:
  enum class State : unsigned char { ready, at_barrier, in_exchange, finished };
  struct Barrier {
    std::uint32_t arrived = 0, wanted = 0;
    std::uint32_t first = 0;                 ///< the thread that came first
    std::array<std::uint64_t, 32> places{};  ///< where each warp waits (the block, if all of it is wanted); 0: not yet
  };
  /// Lanes of a warp that hand each other a value.
  struct Exchange {
    std::uint32_t mask, arrived = 0;
    int site;
    std::array<std::uint64_t, 32> values{};
    std::array<std::uint64_t*, 32> results{};  ///< where each lane wants them
  };
  struct Warp {
    std::uint32_t lanes = 0;  ///< that exist
    std::uint16_t epoch = 0;
    std::vector<Exchange> exchanges;
  };

  // Running
  const Launch& launch() const { return execution_->launch; }
  void run_block(std::uint64_t number);
  void run_without_waiting(PtxThread first);
  void run_with_waiting(const PtxThread& first);
  PtxThread first_thread(std::uint64_t number);
  void place(PtxThread& thread, std::uint32_t linear);
  void use_stack(PtxThread& thread, std::uint32_t fibre);
  static void thread_main(void* runner);
  static void block_main(void* runner);
  [[noreturn]] void finish_thread(PtxThread* thread);
  /// Called on a fibre that is not to go on.
  [[noreturn]] void abandon();

  // Waiting
  void expect_same_place(PtxThread* thread, Barrier& barrier, int site);
  void open(std::uint32_t number);
  void report_deadlock();

  // Checking
  unsigned char* unusual_bytes(std::uint64_t address, int bytes) const;
  bool note_shared_access(std::uint32_t offset, int bytes, bool reads);
  void watch_initialised(PtxThread* thread, std::uint64_t address, int bytes, int site);
  void watch_races(PtxThread* thread, std::uint64_t address, int bytes, int kind, int site);
  void fault(const char* kind, cuda::Result error, const std::string& message);
  std::string where(const PtxThread* thread) const;
  const char* instruction(int site) const { return launch().module->site[site].text; }
  std::string describe(std::uint64_t address) const;

  Execution* execution_ = nullptr;
  std::uint64_t block_number_ = 0;
  Fibres fibres_;
  std::vector<PtxThread> threads_;
  std::vector<std::uint32_t> order_;
  std::mt19937_64 random_{options().seed};

  std::vector<State> states_;
  std::vector<int> waits_at_;             ///< of each thread that waits: the instruction
  std::vector<std::uint32_t> waits_for_;  ///< and the barrier
  std::uint32_t finished_ = 0;
  std::array<Barrier, 16> barriers_;
  std::vector<Warp> warps_;
  std::uint16_t epoch_ = 0;  ///< barriers that the block has passed

  std::vector<unsigned char> shared_;
  std::vector<bool> shared_written_;
  std::unique_ptr<Races> shared_races_;
  Races* global_races_ = nullptr;
  bool all_races_ = true;  ///< of this block: also those of its reads, and in its shared memory
  std::vector<PtxCounts>* counts_ = nullptr;
};

}  // namespace chord::standin
