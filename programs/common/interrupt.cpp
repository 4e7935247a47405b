#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace program {
namespace {

std::atomic<int> signal_caught{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

void on_signal(int signal) {
  int none = 0;
  // A terminal that goes away may say so twice, and nobody means the run to end without its results.
  if (!signal_caught.compare_exchange_strong(none, signal) && signal != SIGHUP) _exit(128 + signal);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

int interrupted() { return signal_caught; }

}  // namespace program
