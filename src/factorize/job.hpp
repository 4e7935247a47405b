// A fit in a thread of its own, which others look at, cancel and wait for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "factorize/factorize.hpp"

namespace chord {

class FitJob : public std::enable_shared_from_this<FitJob> {
 public:
  /// `kept` is whatever the splits and the options point to. The thread keeps the job alive until it is done.
  static std::shared_ptr<FitJob> start(const Splits& splits, const FitOptions& options,
                                       std::shared_ptr<const void> kept);

  void cancel() { cancelled_ = true; }
  bool done() const;
  /// None before the first.
  std::optional<FitProgress> progress() const;
  /// At most so long, or, below 0, as long as it takes; returns whether the job is done.
  bool wait(double seconds) const;
  /// Waits; throws what the fit has thrown.
  const Factorization& result() const;

 private:
  FitJob(const Splits& splits, const FitOptions& options, std::shared_ptr<const void> kept);
  void run() noexcept;
  bool watch(const FitProgress& progress);

  Splits splits_;
  FitOptions options_;
  std::shared_ptr<const void> kept_;
  std::atomic<bool> cancelled_{false};

  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  std::optional<FitProgress> progress_;
  bool done_ = false;
  std::optional<Factorization> result_;
  std::exception_ptr error_;
};

}  // namespace chord
