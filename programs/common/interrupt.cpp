#include "interrupt.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace program {
namespace {

std::atomic<int> signal_caught{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

// Whole before their size is.
char last_words[8192];
std::atomic<std::size_t> last_words_size{0};
std::atomic<int> speaker{0};
static_assert(std::atomic<std::size_t>::is_always_lock_free, "nor any other memory");

void say_last_words() {
  const std::size_t size = last_words_size;
  if (size == 0 || (speaker != 0 && kill(speaker, 0) == 0)) return;
  if (write(STDERR_FILENO, last_words, size) < 0) return;  // nobody to tell
}

void on_signal(int signal) {
  const int errno_before = errno;
  int none = 0;
  if (signal_caught == 0) say_last_words();
  // A terminal that goes away may say so twice, and nobody means the run to end without its results.
  if (!signal_caught.compare_exchange_strong(none, signal) && signal != SIGHUP) _exit(128 + signal);
  errno = errno_before;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

int interrupted() { return signal_caught; }

void say_when_interrupted(const std::string& text, int unless) {
  const std::size_t size = std::min(text.size(), sizeof last_words);
  std::memcpy(last_words, text.data(), size);
  speaker = unless;
  last_words_size = size;
}

}  // namespace program
