#include "scale.hpp"

#include <algorithm>
#include <cmath>

#include "../text.hpp"
#include "ticks.hpp"

namespace program {
namespace {

struct Spread {
  double lowest, highest, largest;
  double typical;  // the median magnitude of those that are not zero; 0 if all are
  bool uneven() const { return largest > 20 * typical; }
};

Spread spread_of(const std::vector<double>& values) {
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  Spread spread{*lowest, *highest, std::max(std::abs(*lowest), std::abs(*highest)), 0};
  std::vector<double> magnitudes;
  for (const double each : values)
    if (each != 0) magnitudes.push_back(std::abs(each));
  if (magnitudes.empty()) return spread;
  const auto middle = magnitudes.begin() + magnitudes.size() / 2;
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  spread.typical = *middle;
  return spread;
}

}  // namespace

Scale::Scale(double low, double high, double knee) : low_(low), high_(high), knee_(knee) {
  // One colour for all needs a scale, too.
  if (low_ == high_) high_ += low_ == 0 ? 1 : std::abs(low_);
}

Scale Scale::linear(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return Scale(*low, *high, 0);
}

Scale Scale::about_zero(double largest, double knee) {
  return largest > 0 ? Scale(-largest, largest, knee) : Scale(-1, 1, 0);
}

Scale Scale::of_matrix(const std::vector<double>& values) {
  const Spread spread = spread_of(values);
  // Entries of common size must differ from zero at a glance.
  const double knee = spread.uneven() ? spread.typical / 10 : 0;
  return spread.lowest < 0 ? about_zero(spread.largest, knee) : Scale(spread.lowest, spread.highest, knee);
}

Scale Scale::of_residuals(const std::vector<double>& values) {
  const Spread spread = spread_of(values);
  // Noise of common size must not look like the large errors, and next to nothing like nothing.
  return about_zero(spread.largest, spread.uneven() ? std::max(spread.typical, spread.largest / 200) : 0);
}

double Scale::stretched(double value) const { return knee_ > 0 ? std::asinh(value / knee_) : value; }

double Scale::position(double value) const {
  const double low = stretched(low_), high = stretched(high_);
  return std::clamp((stretched(value) - low) / (high - low), 0.0, 1.0);
}

std::vector<double> Scale::ticks() const {
  std::vector<double> ticks = {low_, high_, 0};
  if (knee_ == 0) {
    const auto round = linear_ticks(low_, high_, 5);
    ticks.insert(ticks.end(), round.begin(), round.end());
  } else {
    for (double power = std::pow(10, std::floor(std::log10(high_))); power >= knee_; power /= 10)
      ticks.insert(ticks.end(), {power, -power});
  }
  const auto outside = [this](double tick) { return tick < low_ || tick > high_; };
  ticks.erase(std::remove_if(ticks.begin(), ticks.end(), outside), ticks.end());
  return ticks;
}

std::string Scale::description() const {
  if (knee_ == 0) return "linear";
  return "logarithmic (asinh), nearly linear below " + mathematical(knee_, 3);
}

}  // namespace program
