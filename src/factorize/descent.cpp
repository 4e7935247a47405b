#include "factorize/descent.hpp"

#include <algorithm>
#include <cmath>

namespace chord {
namespace {

// Strong Wolfe conditions, with the usual constants of quasi-Newton methods.
constexpr double sufficient_decrease = 1e-4, sufficient_flatness = 0.9;
constexpr int most_trials = 25;
constexpr double least_curvature = 1e-12;

/// The minimiser of the cubic through two values and slopes, kept off the ends of the interval.
double between(double a, double fa, double da, double b, double fb, double db) {
  const double h = b - a, z = 3 * (fa - fb) / h + da + db, square = z * z - da * db;
  double at = a + h / 2;
  if (square >= 0) {
    const double root = std::copysign(std::sqrt(square), h);
    const double cubic = a + h * (1 - (db + root - z) / (db - da + 2 * root));
    if (std::isfinite(cubic)) at = cubic;
  }
  const double low = std::min(a, b), margin = std::abs(h) / 10;
  return std::clamp(at, low + margin, low + std::abs(h) - margin);
}

}  // namespace

using kernels::DescentTurn;

Descent::Descent(std::int64_t pairs, std::function<bool()> expired)
    : pairs_(pairs),
      expired_(std::move(expired)),
      new_products_(std::size_t(rows() * 3)),
      gram_(std::size_t(rows() * rows())) {
  wanted_.coefficients.resize(std::size_t(rows()));
}

double Descent::gradient_norm() const { return std::sqrt(gram(gradient_row(), gradient_row())); }

Coroutine<double> Descent::start() {
  order_.clear();
  written_ = slot_ = 0;
  const Trial trial = co_await evaluate(DescentTurn::begin, 0);
  accept(trial);
  co_return value_;
}

/// The value at `length` along the direction, and the products its pair would have.
Coroutine<Descent::Trial> Descent::evaluate(DescentTurn turn, double length) {
  wanted_.turn = turn == DescentTurn::turn && moved_ ? DescentTurn::move : turn;
  wanted_.length = length;
  wanted_.slot = slot_;
  wanted_.used = std::max(written_, slot_ + 1);
  moved_ = false;
  struct Wait {
    Descent* descent;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> here) const noexcept { descent->waiting_ = here; }
    void await_resume() const noexcept {}
  };
  co_await Wait{this};
  const double along = new_products_[std::size_t(step_row(slot_) * 3 + 2)];  // of the step and the new gradient
  co_return Trial{length, new_value_, length > 0 ? along / length : 0};
}

void Descent::go_on(const std::vector<double>& products, double value) {
  new_products_ = products;
  new_value_ = value;
  std::exchange(waiting_, nullptr).resume();
}

/// Moves to the last trial evaluated.
void Descent::accept(const Trial& trial) {
  moved_ = true;
  value_ = trial.value;
  written_ = std::max(written_, slot_ + 1);
  const std::int64_t s = step_row(slot_), y = change_row(slot_), g = gradient_row();
  for (std::int64_t row = 0; row < rows(); ++row) {
    const double* products = &new_products_[row * 3];
    gram(row, s) = gram(s, row) = products[0];
    gram(row, y) = gram(y, row) = products[1];
    gram(row, g) = gram(g, row) = products[2];
  }
  if (gram(s, y) > least_curvature * std::sqrt(gram(s, s) * gram(y, y))) order_.push_back(slot_);
}

/// ⟨vector of a row, sum of all vectors with these coefficients⟩
double Descent::product(std::int64_t row, const std::vector<double>& coefficients) const {
  double sum = coefficients[gradient_row()] * gram(row, gradient_row());
  for (const std::int64_t slot : order_)
    sum += coefficients[step_row(slot)] * gram(row, step_row(slot)) +
           coefficients[change_row(slot)] * gram(row, change_row(slot));
  return sum;
}

/// The coefficients of −H·gradient: the two loops of L-BFGS, carried out on coefficients instead of vectors.
std::vector<double> Descent::direction_coefficients() const {
  std::vector<double> sum(rows(), 0.0), alpha(pairs_, 0.0);
  if (order_.empty()) {
    // Nothing is known about curvature: to where the value, which is never negative, would be 0 if it fell on like
    // this.
    sum[gradient_row()] = -value_ / gram(gradient_row(), gradient_row());
    return sum;
  }
  sum[gradient_row()] = -1;
  const auto curvature = [&](std::int64_t slot) { return gram(step_row(slot), change_row(slot)); };
  for (auto each = order_.rbegin(); each != order_.rend(); ++each) {
    const std::int64_t slot = *each;
    alpha[slot] = product(step_row(slot), sum) / curvature(slot);
    sum[change_row(slot)] -= alpha[slot];
  }
  const std::int64_t newest = order_.back(), change = change_row(newest);
  const double scale = curvature(newest) / gram(change, change);
  for (double& coefficient : sum) coefficient *= scale;
  for (const std::int64_t slot : order_)
    sum[step_row(slot)] += alpha[slot] - product(change_row(slot), sum) / curvature(slot);
  return sum;
}

Coroutine<bool> Descent::iterate() {
  while (gradient_norm() > 0) {
    wanted_.coefficients = direction_coefficients();
    const double slope = product(gradient_row(), wanted_.coefficients);
    if (slope < 0) {
      // The slot for the new pair: a free one, or the oldest's, which the direction no longer needs afterwards.
      slot_ = 0;
      while (std::find(order_.begin(), order_.end(), slot_) != order_.end()) ++slot_;
      if (slot_ == pairs_) {
        slot_ = order_.front();
        order_.erase(order_.begin());
      }
      if (co_await search(slope)) co_return true;
    }
    // What is remembered may mislead: once more, downhill, before giving up.
    if (order_.empty()) co_return false;
    order_.clear();
  }
  co_return false;
}

/// Brackets a length that satisfies the strong Wolfe conditions and closes in on it (Nocedal and Wright, 3.5 and 3.6).
Coroutine<bool> Descent::search(double slope) {
  const double start = value_;
  Trial low{0, start, slope}, high{};
  bool bracketed = false;
  double length = 1;
  for (int count = 0; count < most_trials; ++count) {
    const Trial trial = co_await evaluate(count == 0 ? DescentTurn::turn : DescentTurn::again, length);
    const bool decreased = trial.value <= start + sufficient_decrease * length * slope;
    if (decreased && std::abs(trial.slope) <= -sufficient_flatness * slope) {
      accept(trial);
      co_return true;
    }
    if (expired_()) {
      if (trial.value < start) accept(trial);
      co_return true;
    }
    if (!decreased || (low.length > 0 && trial.value >= low.value)) {
      high = trial;
      bracketed = true;
    } else {
      if (trial.slope * (bracketed ? high.length - low.length : 1) >= 0) {
        high = low;
        bracketed = true;
      }
      low = trial;
    }
    if (!bracketed) {
      length *= 4;
      continue;
    }
    if (std::abs(high.length - low.length) <= 1e-12 * std::max(high.length, low.length)) break;
    length = between(low.length, low.value, low.slope, high.length, high.value, high.slope);
    if (!std::isfinite(high.value)) length = low.length + (high.length - low.length) / 10;
  }
  if (low.length == 0 || low.value >= start) co_return false;
  const Trial trial = co_await evaluate(DescentTurn::again, low.length);
  accept(trial);
  co_return true;
}

}  // namespace chord
