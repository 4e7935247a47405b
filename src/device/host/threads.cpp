#include "device/host/threads.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace chord {
namespace {

// How long a thread looks out for the next piece before it sleeps: the launches of one operation follow each other
// within microseconds, and waking a thread takes some tens of them.
constexpr auto patience = std::chrono::microseconds(100);

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Until condition() holds or patience ends; returns whether it holds.
template <class Condition>
bool spin_until(Condition condition) {
  constexpr int between_looks_at_the_clock = 64;
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < between_looks_at_the_clock; ++i) {
      if (condition()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return condition();
}

/// Threads, each with a share of the pieces: those that lie one behind the other, the same for all launches of as many.
/// Pieces are made in the order of what they work on, so a thread finds in its own cache what it has left there in the
/// launch before; fetching it from another core's costs several times as much. Who has done his share helps others.
class Threads {
 public:
  /// With as many threads as can be started: the caller's alone would do.
  explicit Threads(int count) : shares_(std::size_t(count)) {
    try {
      for (int i = 1; i < count; ++i) std::thread([this, i] { work_forever(std::size_t(i)); }).detach();
    } catch (const std::exception&) {
      // Those that were started stay, and so must this object, at which they look.
    }
  }

  void run(std::size_t pieces, void (*piece)(const void*, std::size_t), const void* data) {
    for (Share& share : shares_) share.next.store(job_ << 32 | closed);
    ++job_;
    piece_.store(piece, std::memory_order_relaxed);
    data_.store(data, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    pieces_.store(pieces, std::memory_order_release);
    for (std::size_t i = 0; i < shares_.size(); ++i) shares_[i].next.store(job_ << 32 | begin(i, pieces));
    if (sleepers_.load() > 0) {
      const std::lock_guard lock(mutex_);
      wake_.notify_all();
    }
    work(0);
    // The pieces left are being worked on by others.
    const auto all_done = [&] { return done_.load(std::memory_order_acquire) == pieces; };
    while (!spin_until(all_done)) std::this_thread::yield();
  }

 private:
  static constexpr std::uint32_t closed = 0xFFFFFFFF;

  // The number of the job in the upper half, the share's next piece in the lower: one exchange takes a piece. Shares
  // are closed before any of a job is changed, so an exchange that succeeds is of the job that was read, and that job
  // cannot be over before the piece is done. In a cache line of its own, at which its thread looks while it waits.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> next{0};
  };

  std::size_t begin(std::size_t share, std::size_t pieces) const { return share * pieces / shares_.size(); }

  /// All pieces that nobody has taken yet, one's own first.
  void work(std::size_t own) {
    for (std::size_t i = 0; i < shares_.size(); ++i)
      while (take_piece((own + i) % shares_.size())) {
      }
  }

  bool take_piece(std::size_t share) {
    std::uint64_t next = shares_[share].next.load(std::memory_order_acquire);
    for (;;) {
      const std::size_t pieces = pieces_.load(std::memory_order_acquire);
      const auto piece = piece_.load(std::memory_order_relaxed);
      const void* data = data_.load(std::memory_order_relaxed);
      const std::uint32_t i = std::uint32_t(next);
      if (i >= begin(share + 1, pieces)) return false;
      if (!shares_[share].next.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel)) continue;
      piece(data, i);
      done_.fetch_add(1, std::memory_order_release);
      return true;
    }
  }

  [[noreturn]] void work_forever(std::size_t own) {
    std::uint64_t seen = 0;  // the last job that had nothing left
    const auto is_new = [&] { return shares_[own].next.load() >> 32 != seen; };
    for (;;) {
      if (!spin_until(is_new)) {
        std::unique_lock lock(mutex_);
        ++sleepers_;
        wake_.wait(lock, is_new);
        --sleepers_;
      }
      const std::uint64_t job = shares_[own].next.load() >> 32;
      work(own);
      seen = job;
    }
  }

  std::vector<Share> shares_;
  std::uint64_t job_ = 0;
  std::atomic<std::size_t> pieces_{0}, done_{0};
  std::atomic<void (*)(const void*, std::size_t)> piece_{nullptr};
  std::atomic<const void*> data_{nullptr};
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
};

int wanted_threads() {
  if (const char* text = std::getenv("OMP_NUM_THREADS")) {
    const long wanted = std::strtol(text, nullptr, 10);
    if (wanted >= 1 && wanted <= 4096) return int(wanted);
  }
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
  const int all = int(std::thread::hardware_concurrency());
  return all > 0 ? all : 1;
}

}  // namespace

int host_threads() {
  static const int count = wanted_threads();
  return count;
}

void run_on_threads(std::size_t pieces, void (*piece)(const void* data, std::size_t i), const void* data) {
  static std::mutex one_at_a_time;
  const auto alone = [&] {
    for (std::size_t i = 0; i < pieces; ++i) piece(data, i);
  };
  if (pieces < 2 || host_threads() < 2) return alone();
  const std::unique_lock lock(one_at_a_time, std::try_to_lock);
  if (!lock) return alone();
  // Never destroyed: its threads may still be looking at it while the process exits.
  static Threads& threads = *new Threads(host_threads());
  threads.run(pieces, piece, data);
}

}  // namespace chord
