// What a descent minimises: half a sum of squares, as a function of parameters on a device.
#pragma once

#include <cstdint>

namespace chord {

template <class T>
class DescentObjective {
 public:
  virtual ~DescentObjective() = default;
  virtual std::int64_t parameters() const = 0;
  /// Queues the work: gradient, and as many partial values as squares_count() tells; twice the objective is their sum.
  virtual void evaluate(const T* parameters, T* gradient) = 0;
  /// The partial values go there from now on: beside what else the caller wants to read.
  virtual void keep_squares_at(double* place) = 0;
  virtual std::int64_t squares_count() const = 0;
};

}  // namespace chord
