#include "factorize/descents.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

// Smaller chunks are not worth a thread, or a GPU's work-group, and more of them are no use, but for a GPU: its threads
// are to be done soon.
constexpr std::int64_t smallest_chunk = 1024, smallest_of_group = 256, largest_of_group = 1280, most_chunks = 256;

// Steps a descent remembers: more make it better and slower, and take memory.
constexpr std::int64_t most_pairs = 12, fewest_pairs = 4;
constexpr std::int64_t history_bytes = std::int64_t(1) << 30;

std::int64_t chunk_size_for(const DeviceDescription& device, std::int64_t parameters) {
  const auto chunk = std::int64_t(kernels::divide_up(parameters, most_chunks));
  if (device.cpu_like()) return std::max(smallest_chunk, chunk);
  constexpr std::int64_t lane = 4;  // chunks begin where its 16 bytes do
  return std::clamp((chunk + lane - 1) / lane * lane, smallest_of_group, largest_of_group);
}

}  // namespace

template <class T>
std::int64_t Descents<T>::pairs_for(std::int64_t parameters) {
  return std::clamp(history_bytes / (2 * parameters * std::int64_t(sizeof(T))), fewest_pairs, most_pairs);
}

template <class T>
std::size_t Descents<T>::bytes(const DeviceDescription& device, std::int64_t parameters, std::int64_t pairs,
                               std::int64_t count) {
  const std::int64_t chunks = std::int64_t(kernels::divide_up(parameters, chunk_size_for(device, parameters)));
  return std::size_t(
      count * (checked_multiply(checked_multiply(parameters, 2 * pairs + 5), sizeof(T)) +
               std::int64_t(sizeof(double)) * ((2 * pairs + 1) * (3 * chunks + 1) + kernels::DescentOrder::numbers)));
}

template <class T>
Descents<T>::Descents(DescentObjective<T>& objective, Context& context, std::int64_t pairs,
                      const std::function<bool()>& expired)
    : objective_(objective),
      context_(context),
      pairs_(pairs),
      chunk_size_(chunk_size_for(context.device(), objective.parameters())),
      descents_(std::size_t(objective.sets()), Descent(pairs, expired)),
      history_(context, std::size_t(count() * 2 * pairs * objective.parameters()) * sizeof(T)),
      vectors_(context, std::size_t(count() * 5 * objective.parameters()) * sizeof(T)),
      orders_(context, std::size_t(count() * order_size()) * sizeof(double)),
      sums_(context, std::size_t(sums_count()) * sizeof(double)),
      orders_host_(std::size_t(count() * order_size())),
      sums_host_(std::size_t(sums_count())),
      products_(std::size_t(rows() * 3)) {
  T* next = vectors_.as<T>();
  for (T** vector : {&x_, &trial_, &gradient_, &new_gradient_, &direction_}) {
    *vector = next;
    next += count() * objective.parameters();
  }
  objective.keep_squares_at(sums_.as<double>() + count() * dots_count());
  const std::int64_t turn = rows() + 1;
  objective.watch(orders_.as<double>() + turn, order_size());
}

template <class T>
Descents<T>::~Descents() {
  context_.drain();  // copies to this object's vectors
}

template <class T>
std::int64_t Descents<T>::chunks() const {
  return std::int64_t(kernels::divide_up(objective_.parameters(), chunk_size_));
}

template <class T>
Coroutine<double> Descents<T>::start(std::int64_t number, const T* parameters) {
  const std::int64_t size = objective_.parameters();
  context_.submit()->copy(trial_ + number * size, parameters, std::size_t(size) * sizeof(T));
  return descents_[std::size_t(number)].start();
}

template <class T>
const T* Descents<T>::parameters(std::int64_t number) const {
  return (descents_[std::size_t(number)].moved() ? trial_ : x_) + number * objective_.parameters();
}

/// What all descents under way wait for; they go on with it.
template <class T>
void Descents<T>::evaluate() {
  queue_evaluation();
  context_.wait();
  std::vector<std::int64_t> waiting;
  for (std::int64_t number = 0; number < count(); ++number)
    if (descents_[std::size_t(number)].waits()) waiting.push_back(number);
  for (const std::int64_t number : waiting) read(number);
}

template <class T>
void Descents<T>::queue_evaluation() {
  for (std::int64_t number = 0; number < count(); ++number) {
    const Descent& descent = descents_[std::size_t(number)];
    const Descent::Evaluation& wanted = descent.wanted();
    double* order = orders_host_.data() + number * order_size();
    std::copy(wanted.coefficients.begin(), wanted.coefficients.end(), order);
    const kernels::DescentTurn turn = descent.waits() ? wanted.turn : kernels::DescentTurn::none;
    const double numbers[kernels::DescentOrder::numbers] = {wanted.length, double(int(turn)), double(wanted.slot),
                                                            double(wanted.used)};
    std::copy(std::begin(numbers), std::end(numbers), order + rows());
  }
  const std::int64_t size = objective_.parameters();
  {
    auto queue = context_.submit();
    queue->upload(orders_.as<double>(), orders_host_.data(), orders_host_.size() * sizeof(double));
    launch<kernels::descent_step, T>(*queue, {.history = history_.as<T>(),
                                              .new_gradient = new_gradient_,
                                              .orders = orders_.as<double>(),
                                              .x = x_,
                                              .gradient = gradient_,
                                              .direction = direction_,
                                              .trial = trial_,
                                              .descents = count(),
                                              .rows = rows() - 1,
                                              .size = size,
                                              .chunk_size = chunk_size_});
  }
  objective_.evaluate(trial_, new_gradient_);
  auto queue = context_.submit();
  launch<kernels::descent_dots, T>(*queue, {.history = history_.as<T>(),
                                            .x = x_,
                                            .trial = trial_,
                                            .gradient = gradient_,
                                            .new_gradient = new_gradient_,
                                            .orders = orders_.as<double>(),
                                            .dots = sums_.as<double>(),
                                            .descents = count(),
                                            .pairs = pairs_,
                                            .size = size,
                                            .chunk_size = chunk_size_});
  queue->copy(sums_host_.data(), sums_.as<double>(), sums_host_.size() * sizeof(double));
}

/// Hands a descent what was found for it.
template <class T>
void Descents<T>::read(std::int64_t number) {
  Descent& descent = descents_[std::size_t(number)];
  const double* squares = sums_host_.data() + count() * dots_count() + number * objective_.squares_count();
  double sum = 0;
  for (std::int64_t i = 0; i < objective_.squares_count(); ++i) sum += squares[i];
  std::fill(products_.begin(), products_.end(), 0.0);
  const std::int64_t used = descent.wanted().used;
  for (std::int64_t chunk = 0; chunk < chunks(); ++chunk) {
    const double* dots = sums_host_.data() + number * dots_count() + chunk * rows() * 3;
    const auto add = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first * 3; i < last * 3; ++i) products_[std::size_t(i)] += dots[i];
    };
    add(0, used);
    add(pairs_, pairs_ + used);
    add(rows() - 1, rows());
  }
  descent.go_on(products_, sum / 2);
}

template class Descents<float>;
template class Descents<double>;

}  // namespace chord
