// Descents side by side, as many as the objective evaluates together, and their vectors on the device. They go on in
// step: when all that are under way wait for an evaluation, there is one for them all.
#pragma once

#include <algorithm>
#include <optional>

#include "device/context.hpp"
#include "factorize/descent.hpp"
#include "factorize/descent_objective.hpp"

namespace chord {

template <class T>
class Descents {
 public:
  /// As for each Descent.
  Descents(DescentObjective<T>& objective, Context& context, std::int64_t pairs, const std::function<bool()>& expired);
  ~Descents();
  Descents(const Descents&) = delete;
  Descents& operator=(const Descents&) = delete;

  Descent& operator[](std::int64_t number) { return descents_[std::size_t(number)]; }
  const Descent& operator[](std::int64_t number) const { return descents_[std::size_t(number)]; }
  std::int64_t count() const { return std::int64_t(descents_.size()); }

  /// One of them begins anew at these parameters, in device memory.
  Coroutine<double> start(std::int64_t number, const T* parameters);
  const T* parameters(std::int64_t number) const;

  /// Runs tasks that wait for these descents alone, until all are done.
  template <class Result>
  std::vector<Result> run(std::vector<Coroutine<Result>> tasks) {
    begin_run();
    for (Coroutine<Result>& task : tasks) task.begin();
    while (!std::all_of(tasks.begin(), tasks.end(), [](const Coroutine<Result>& task) { return task.done(); }))
      evaluate();
    std::vector<Result> results;
    for (Coroutine<Result>& task : tasks) results.push_back(task.result());
    return results;
  }
  template <class Result>
  Result run(Coroutine<Result> task) {
    std::vector<Coroutine<Result>> tasks;
    tasks.push_back(std::move(task));
    return run(std::move(tasks)).front();
  }

  /// Iterates the first `number` of them, each as long as goes_on(its number, what its last iteration returned) says
  /// so. That is asked between evaluations and by no coroutine, so it may call whatever a user has given us.
  template <class GoesOn>
  void iterate(std::size_t number, GoesOn goes_on) {
    begin_run();
    std::vector<std::optional<Coroutine<bool>>> iterations(number);
    const auto renew = [&](std::size_t i, bool lowered) {
      iterations[i].reset();
      while (goes_on(i, lowered)) {
        iterations[i].emplace(descents_[i].iterate());
        iterations[i]->begin();
        if (!iterations[i]->done()) return;
        lowered = iterations[i]->result();
        iterations[i].reset();
      }
    };
    for (std::size_t i = 0; i < number; ++i) renew(i, true);
    while (std::any_of(iterations.begin(), iterations.end(), [](const auto& each) { return each.has_value(); })) {
      evaluate();
      for (std::size_t i = 0; i < number; ++i)
        if (iterations[i] && iterations[i]->done()) renew(i, iterations[i]->result());
    }
  }

  /// How many steps are worth remembering, and fit into memory.
  static std::int64_t pairs_for(std::int64_t parameters);
  /// Memory that so many descents allocate, before they do.
  static std::size_t bytes(const DeviceDescription& device, std::int64_t parameters, std::int64_t pairs,
                           std::int64_t count = 1);

 private:
  /// A run before may have been given up.
  void begin_run() {
    for (Descent& descent : descents_) descent.wait_no_longer();
  }
  void evaluate();
  void queue_evaluation();
  void read(std::int64_t number);

  std::int64_t rows() const { return 2 * pairs_ + 1; }
  std::int64_t order_size() const { return rows() + kernels::DescentOrder::numbers; }
  std::int64_t chunks() const;
  std::int64_t dots_count() const { return chunks() * rows() * 3; }  ///< of a descent
  std::int64_t sums_count() const { return count() * (dots_count() + objective_.squares_count()); }

  DescentObjective<T>& objective_;
  Context& context_;
  std::int64_t pairs_, chunk_size_;
  std::vector<Descent> descents_;
  Scratch history_, vectors_, orders_;
  Scratch sums_;  // dot products of all, then the objective's squares: read together
  T *x_, *trial_, *gradient_, *new_gradient_, *direction_;  // of the first, in vectors_
  std::vector<double> orders_host_, sums_host_, products_;
};

}  // namespace chord
