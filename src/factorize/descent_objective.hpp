// What descents minimise: half a sum of squares, as a function of parameters on a device.
#pragma once

#include <cstdint>

namespace chord {

template <class T>
class DescentObjective {
 public:
  virtual ~DescentObjective() = default;
  virtual std::int64_t parameters() const = 0;
  /// Sets of parameters that it evaluates together, one behind the other.
  virtual std::int64_t sets() const { return 1; }
  /// Queues the work: gradients, and as many partial values of each set as squares_count() tells; twice the objective
  /// is their sum.
  virtual void evaluate(const T* parameters, T* gradient) = 0;
  /// The partial values go there from now on: beside what else the caller wants to read.
  virtual void keep_squares_at(double* place) = 0;
  /// Where it is told from now on, in device memory, which sets may be left out.
  virtual void watch(const double* /*busy*/, std::int64_t /*apart*/) {}
  virtual std::int64_t squares_count() const = 0;
};

}  // namespace chord
