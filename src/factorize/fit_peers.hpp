// Processes that share the work of a fit: each has pieces of X's columns, and all take the same steps with the sum of
// what they found. Those that have all of X may also part, for work that each does by itself, until the next sum.
// Nothing here knows how they talk.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/error.hpp"

namespace chord {

class FitPeers {
 public:
  /// Leaves in the first row of `values`, of [pieces of this process, numbers], the sum over the pieces of all
  /// processes, the same bits everywhere; false where others are gone.
  using Sum = std::function<bool(double* values, std::int64_t pieces, std::int64_t numbers)>;

  /// What must be known of all of X by a process that has its own columns alone.
  struct Whole {
    double norm;
    bool sparse;  ///< X was given by its entries
  };

  /// This process has `count` pieces from `first` on, and all of X where there is no `whole`.
  FitPeers(std::int64_t pieces, std::int64_t first, std::int64_t count, Sum sum, std::optional<Whole> whole = {})
      : pieces_(pieces), first_(first), count_(count), sum_(std::move(sum)), whole_(whole) {}

  const std::optional<Whole>& whole() const { return whole_; }

  std::int64_t pieces() const { return pieces_; }
  std::int64_t first() const { return first_; }
  std::int64_t own() const { return count_; }
  /// The first of X's columns that a piece of this process has; that of piece own() is behind them.
  std::int64_t first_column(std::int64_t piece, std::int64_t n) const { return n * (first_ + piece) / pieces_; }

  /// Makes room for so many numbers of each own piece, which are all to be written before sum().
  void begin_sum(std::int64_t numbers) {
    numbers_ = numbers;
    rows_.resize(std::size_t(count_ * (numbers + more)));  // kept: fresh pages would cost more than the sum
  }
  double* row(std::int64_t piece) { return rows_.data() + piece * (numbers_ + more); }
  /// The sum over the pieces of all processes. What else all must agree about goes with it.
  const double* sum() {
    for (std::int64_t piece = 0; piece < count_; ++piece) {
      row(piece)[numbers_] = first_ + piece == 0 ? own_seconds() : 0;
      row(piece)[numbers_ + 1] = asked_ ? 1 : 0;
    }
    if (!sum_(rows_.data(), count_, numbers_ + more)) fail(Status::stopped, "other processes are gone");
    seconds_ = rows_[std::size_t(numbers_)];
    stopped_ = rows_[std::size_t(numbers_ + 1)] > 0;
    apart_ = false;
    return rows_.data();
  }

  /// The piece whose process does the i-th of so many things: all have about as many.
  std::int64_t piece_for(std::size_t i, std::size_t things) const {
    return std::int64_t(i) * pieces_ / std::int64_t(things);
  }
  bool has(std::int64_t piece) const { return first_ <= piece && piece < first_ + count_; }
  /// What the process with this piece has, to all. The others' values are as many.
  void share(std::int64_t piece, std::vector<double>& values) {
    begin_sum(std::int64_t(values.size()));
    std::fill(rows_.begin(), rows_.end(), 0.0);
    if (has(piece)) std::copy(values.begin(), values.end(), row(piece - first_));
    std::copy_n(sum(), values.size(), values.begin());
  }

  /// Until the next sum, each works by itself, with its own clock, and asks nobody.
  void part() { apart_ = true; }
  bool apart() const { return apart_; }

  /// The time at the last sum, by the clock of the process that has the first piece.
  double seconds() const { return apart_ ? own_seconds() : seconds_; }
  /// Asks for an end; true once all know that one of them has asked.
  bool agree_to_stop(bool wish) {
    asked_ = asked_ || wish;
    return stopped_ || (apart_ && asked_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t more = 2;  ///< numbers behind those of a row: the time, and who asks for an end
  double own_seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  const std::int64_t pieces_, first_, count_;
  const Sum sum_;
  const std::optional<Whole> whole_;
  const Clock::time_point begin_ = Clock::now();
  std::int64_t numbers_ = 0;
  std::vector<double> rows_;
  double seconds_ = 0;
  bool asked_ = false, stopped_ = false, apart_ = false;
};

}  // namespace chord
