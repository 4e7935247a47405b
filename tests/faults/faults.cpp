#include "faults.hpp"

#include <dlfcn.h>

#include <atomic>

namespace faults {
namespace {

constexpr int nothing = -1;
std::atomic<int> active{nothing};
std::atomic<std::int64_t> count{0}, wanted{0}, blocks{0};
std::atomic<bool> on{false};
constinit thread_local int paused = 0;

}  // namespace

void begin(Kind kind, std::int64_t place, bool from_then_on) noexcept {
  count = 0;
  wanted = place;
  on = from_then_on;
  active = int(kind);
}

std::int64_t end() noexcept {
  active = nothing;
  return count;
}

bool due(Kind kind) noexcept {
  if (active.load(std::memory_order_relaxed) != int(kind) || paused > 0) return false;
  const std::int64_t place = ++count;
  return wanted > 0 && (on ? place >= wanted : place == wanted);
}

Paused::Paused() noexcept { ++paused; }
Paused::~Paused() { --paused; }

std::int64_t live_blocks() noexcept { return blocks; }
void count_block(int change) noexcept { blocks.fetch_add(change, std::memory_order_relaxed); }

void watch_standin() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return;
  using Watch = void (*)(void (*)(int), int (*)());
  if (const auto watch = reinterpret_cast<Watch>(dlsym(driver, "chord_standin_watch_memory")))
    watch([](int begins) { paused += begins ? 1 : -1; },
          [] {
            --paused;  // the device's memory is what is asked for
            const bool fails = due(Kind::memory);
            ++paused;
            return int(fails);
          });
}

}  // namespace faults
