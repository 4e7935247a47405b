#include "confusion.hpp"

#include <numeric>

namespace train {

Confusion::Confusion(const std::vector<Answer>& answers, int64_t classes)
    : classes_(classes), counts_(std::size_t(classes * classes), 0) {
  for (const Answer& each : answers) ++counts_[std::size_t(int64_t(each.expected) * classes + int64_t(each.given))];
}

int64_t Confusion::count(int64_t expected) const {
  const auto row = counts_.begin() + expected * classes_;
  return std::accumulate(row, row + classes_, int64_t(0));
}

double Confusion::share(int64_t expected, int64_t given) const {
  const int64_t all = count(expected);
  return all > 0 ? double(count(expected, given)) / double(all) : 0;
}

double Confusion::accuracy(int64_t expected) const { return 100 * share(expected, expected); }

}  // namespace train
