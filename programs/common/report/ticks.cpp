#include "ticks.hpp"

#include <cmath>

namespace program {
namespace {

/// The multiples of each decade that lie between.
std::vector<double> in_decades(double low, double high, const std::vector<int>& multiples, int step) {
  std::vector<double> ticks;
  for (int decade = int(std::floor(std::log10(low))); decade <= int(std::ceil(std::log10(high))); ++decade)
    for (const int multiple : multiples) {
      const double tick = multiple * std::pow(10.0, decade);
      if (decade % step == 0 && tick >= low && tick <= high) ticks.push_back(tick);
    }
  return ticks;
}

}  // namespace

std::vector<double> linear_ticks(double low, double high, int count) {
  const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  std::vector<double> ticks;
  // Counted, not summed up, so that 0 is 0.
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push_back(k * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  if (decades > 2) return in_decades(low, high, {1}, int(std::ceil(decades / 8)));
  if (decades > 0.9) return in_decades(low, high, {1, 2, 5}, 1);
  return linear_ticks(low, high, 5);
}

}  // namespace program
