#include "factorize/descent.hpp"

#include <algorithm>
#include <cmath>

#include "common/size.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

// Strong Wolfe conditions, with the usual constants of quasi-Newton methods.
constexpr double sufficient_decrease = 1e-4, sufficient_flatness = 0.9;
constexpr int most_trials = 25;
constexpr double least_curvature = 1e-12;

// Smaller chunks are not worth a thread, or a GPU's work-group, and more of them are no use.
constexpr std::int64_t smallest_chunk = 2048, smallest_of_group = 256, most_chunks = 256;

// Steps a descent remembers: more make it better and slower, and take memory.
constexpr std::int64_t most_pairs = 12, fewest_pairs = 4;
constexpr std::int64_t history_bytes = std::int64_t(1) << 30;

std::int64_t chunk_size_for(const DeviceDescription& device, std::int64_t parameters) {
  return std::max(device.cpu_like() ? smallest_chunk : smallest_of_group,
                  std::int64_t(kernels::divide_up(parameters, most_chunks)));
}

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

template <class T>
std::int64_t Descent<T>::pairs_for(std::int64_t parameters) {
  return std::clamp(history_bytes / (2 * parameters * std::int64_t(sizeof(T))), fewest_pairs, most_pairs);
}

template <class T>
std::size_t Descent<T>::bytes(const DeviceDescription& device, std::int64_t parameters, std::int64_t pairs) {
  const std::int64_t chunks = std::int64_t(kernels::divide_up(parameters, chunk_size_for(device, parameters)));
  return std::size_t(checked_multiply(checked_multiply(parameters, 2 * pairs + 5), sizeof(T)) +
                     std::int64_t(sizeof(double)) * (2 * pairs + 1) * (3 * chunks + 1));
}

template <class T>
Descent<T>::Descent(DescentObjective<T>& objective, Context& context, std::int64_t pairs, std::function<bool()> expired)
    : objective_(objective),
      context_(context),
      pairs_(pairs),
      chunk_size_(chunk_size_for(context.device(), objective.parameters())),
      expired_(std::move(expired)),
      history_(context, 2 * pairs * objective.parameters() * sizeof(T)),
      vectors_(context, 5 * objective.parameters() * sizeof(T)),
      coefficients_(context, rows() * sizeof(double)),
      sums_(context, sums_count() * sizeof(double)),
      gram_(std::size_t(rows() * rows())),
      sums_host_(std::size_t(sums_count())),
      new_products_(std::size_t(rows() * 3)) {
  T* next = vectors_.as<T>();
  for (T** vector : {&x_, &trial_, &gradient_, &new_gradient_, &direction_}) {
    *vector = next;
    next += objective.parameters();
  }
  objective.keep_squares_at(sums_.as<double>() + dots_count());
}

template <class T>
Descent<T>::~Descent() {
  context_.drain();  // copies to this object's vectors
}

template <class T>
std::int64_t Descent<T>::chunks() const {
  return std::int64_t(kernels::divide_up(objective_.parameters(), chunk_size_));
}

template <class T>
std::int64_t Descent<T>::dots_count() const {
  return chunks() * rows() * 3;
}

template <class T>
std::int64_t Descent<T>::sums_count() const {
  return dots_count() + objective_.squares_count();
}

template <class T>
double Descent<T>::gradient_norm() const {
  return std::sqrt(gram(gradient_row(), gradient_row()));
}

template <class T>
void Descent<T>::start(const T* parameters) {
  const std::size_t bytes = std::size_t(objective_.parameters()) * sizeof(T);
  context_.submit()->copy(x_, parameters, bytes);
  context_.submit()->copy(trial_, parameters, bytes);
  order_.clear();
  written_ = slot_ = 0;
  objective_.evaluate(trial_, new_gradient_);
  {  // no step has been taken: its pair is zero
    auto queue = context_.submit();
    queue->copy(gradient_, new_gradient_, bytes);
  }
  accept(evaluate(0, false));
}

/// The value at `length` along the direction, and the products its pair would have.
template <class T>
typename Descent<T>::Trial Descent<T>::evaluate(double length, bool new_direction) {
  const std::int64_t size = objective_.parameters();
  if (length > 0) {
    launch<kernels::descent_step, T>(*context_.submit(), {.history = new_direction ? history_.as<T>() : nullptr,
                                                          .gradient = gradient_,
                                                          .coefficients = coefficients_.as<double>(),
                                                          .x = x_,
                                                          .direction = direction_,
                                                          .trial = trial_,
                                                          .rows = rows() - 1,
                                                          .size = size,
                                                          .chunk_size = chunk_size_,
                                                          .length = length});
    objective_.evaluate(trial_, new_gradient_);
  }
  const std::int64_t used = std::max(written_, slot_ + 1);
  auto queue = context_.submit();
  launch<kernels::descent_dots, T>(*queue, {.history = history_.as<T>(),
                                            .x = x_,
                                            .trial = trial_,
                                            .gradient = gradient_,
                                            .new_gradient = new_gradient_,
                                            .dots = sums_.as<double>(),
                                            .pairs = pairs_,
                                            .slot = slot_,
                                            .used = used,
                                            .size = size,
                                            .chunk_size = chunk_size_});
  queue->copy(sums_host_.data(), sums_.as<double>(), sums_host_.size() * sizeof(double));
  queue.lock.unlock();
  context_.wait();

  double squares = 0;
  for (std::int64_t i = dots_count(); i < sums_count(); ++i) squares += sums_host_[i];
  std::fill(new_products_.begin(), new_products_.end(), 0.0);
  for (std::int64_t chunk = 0; chunk < chunks(); ++chunk) {
    const double* dots = sums_host_.data() + chunk * rows() * 3;
    const auto add = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first * 3; i < last * 3; ++i) new_products_[i] += dots[i];
    };
    add(0, used);
    add(pairs_, pairs_ + used);
    add(gradient_row(), rows());
  }
  const double along = new_products_[step_row(slot_) * 3 + 2];  // of the step and the new gradient
  return {length, squares / 2, length > 0 ? along / length : 0};
}

/// Moves to the last trial evaluated.
template <class T>
void Descent<T>::accept(const Trial& trial) {
  std::swap(x_, trial_);
  std::swap(gradient_, new_gradient_);
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
template <class T>
double Descent<T>::product(std::int64_t row, const std::vector<double>& coefficients) const {
  double sum = coefficients[gradient_row()] * gram(row, gradient_row());
  for (const std::int64_t slot : order_)
    sum += coefficients[step_row(slot)] * gram(row, step_row(slot)) +
           coefficients[change_row(slot)] * gram(row, change_row(slot));
  return sum;
}

/// The coefficients of −H·gradient: the two loops of L-BFGS, carried out on coefficients instead of vectors.
template <class T>
std::vector<double> Descent<T>::direction_coefficients() const {
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

template <class T>
bool Descent<T>::iterate() {
  while (gradient_norm() > 0) {
    const std::vector<double> coefficients = direction_coefficients();
    const double slope = product(gradient_row(), coefficients);
    if (slope < 0) {
      // The slot for the new pair: a free one, or the oldest's, which the direction no longer needs afterwards.
      context_.submit()->upload(coefficients_.as<double>(), coefficients.data(), coefficients.size() * sizeof(double));
      slot_ = 0;
      while (std::find(order_.begin(), order_.end(), slot_) != order_.end()) ++slot_;
      if (slot_ == pairs_) {
        slot_ = order_.front();
        order_.erase(order_.begin());
      }
      if (search(slope)) return true;
    }
    // What is remembered may mislead: once more, downhill, before giving up.
    if (order_.empty()) return false;
    order_.clear();
  }
  return false;
}

/// Brackets a length that satisfies the strong Wolfe conditions and closes in on it (Nocedal and Wright, 3.5 and 3.6).
template <class T>
bool Descent<T>::search(double slope) {
  const double start = value_;
  Trial low{0, start, slope}, high{};
  bool bracketed = false;
  double length = 1;
  for (int count = 0; count < most_trials; ++count) {
    const Trial trial = evaluate(length, count == 0);
    const bool decreased = trial.value <= start + sufficient_decrease * length * slope;
    if (decreased && std::abs(trial.slope) <= -sufficient_flatness * slope) {
      accept(trial);
      return true;
    }
    if (expired_()) {
      if (trial.value < start) accept(trial);
      return true;
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
  if (low.length == 0 || low.value >= start) return false;
  accept(evaluate(low.length, false));
  return true;
}

template class Descent<float>;
template class Descent<double>;

}  // namespace chord
