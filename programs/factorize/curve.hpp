// How the error fell, in as many points as a chart can show.
#pragma once

#include <cstddef>
#include <vector>

namespace factorize {

struct CurvePoint {
  double seconds;
  double error;  ///< the best so far
  int start;     ///< the one worked on
};

class Curve {
 public:
  void add(const CurvePoint& point) {
    if (seen_++ % stride_ != 0) return;
    points_.push_back(point);
    if (points_.size() == most) halve();
  }
  const std::vector<CurvePoint>& points() const { return points_; }

 private:
  static constexpr std::size_t most = 2000;

  void halve() {
    for (std::size_t i = 0; i < most / 2; ++i) points_[i] = points_[2 * i];
    points_.resize(most / 2);
    stride_ *= 2;
  }

  std::vector<CurvePoint> points_;
  std::size_t seen_ = 0, stride_ = 1;
};

}  // namespace factorize
