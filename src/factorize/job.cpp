#include "factorize/job.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "device/process.hpp"

namespace chord {
namespace {

// How often a job looks whether it is cancelled.
constexpr double seconds_between_looks = 0.01;

/// The jobs that run now. A process that exits takes the devices' runtimes away, so it ends them first.
struct Running {
  std::mutex mutex;
  std::condition_variable ended;
  int count = 0;
  std::atomic<bool> stop{false};

  void end_one() {
    const std::lock_guard lock(mutex);
    --count;
    ended.notify_all();
  }
  void wait_at_exit() {
    if (!in_owner_process()) return;  // a forked child has none of the threads
    stop = true;
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return count == 0; });
  }
};

Running& running() {
  static Running& all = *[] {
    auto* const made = new Running;  // never destroyed: jobs may look at it until they end
    std::atexit([] { running().wait_at_exit(); });
    return made;
  }();
  return all;
}

}  // namespace

FitJob::FitJob(const Splits& splits, const FitOptions& options, std::shared_ptr<const void> kept)
    : splits_(splits), options_(options), kept_(std::move(kept)) {
  options_.callback_seconds = seconds_between_looks;
  options_.callback = [this](const FitProgress& progress) { return watch(progress); };
}

std::shared_ptr<FitJob> FitJob::start(const Splits& splits, const FitOptions& options,
                                      std::shared_ptr<const void> kept) {
  options.completed(splits.front());  // what makes no sense is refused here
  const std::shared_ptr<FitJob> job(new FitJob(splits, options, std::move(kept)));
  Running& all = running();
  const std::lock_guard lock(all.mutex);
  std::thread([mine = job]() mutable {
    mine->run();
    mine.reset();  // and with it, maybe, the last of its context
    running().end_one();
  }).detach();
  ++all.count;
  return job;
}

bool FitJob::watch(const FitProgress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
  return cancelled_ || running().stop;
}

void FitJob::run() noexcept {
  std::optional<Factorization> result;
  std::exception_ptr error;
  try {
    result = factorize(splits_, options_);
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  error_ = error;
  done_ = true;
  ended_.notify_all();
}

bool FitJob::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::optional<FitProgress> FitJob::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

bool FitJob::wait(double seconds) const {
  constexpr double longest = 1e9;  // which a clock can count
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return done_; };
  if (seconds < 0 || seconds > longest)
    ended_.wait(lock, is_done);
  else
    ended_.wait_for(lock, std::chrono::duration<double>(seconds), is_done);
  return done_;
}

const Factorization& FitJob::result() const {
  wait(-1);
  if (error_) std::rethrow_exception(error_);
  return *result_;
}

}  // namespace chord
