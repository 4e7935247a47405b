// The sizes and flags an operation is run with, by name: a case lists some and reads them again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ops {

class Variant {
 public:
  std::int64_t operator[](const std::string& name) const {
    for (const auto& [each, value] : numbers_)
      if (each == name) return value;
    throw std::logic_error("a variant has no " + name);
  }
  Variant with(const std::string& name, std::int64_t value) const {
    Variant more = *this;
    more.numbers_.emplace_back(name, value);
    return more;
  }
  const std::vector<std::pair<std::string, std::int64_t>>& numbers() const { return numbers_; }
  std::string text() const {
    std::string all;
    for (const auto& [name, value] : numbers_) all += (all.empty() ? "" : " ") + name + "=" + std::to_string(value);
    return all;
  }

 private:
  std::vector<std::pair<std::string, std::int64_t>> numbers_;
};

using Variants = std::vector<Variant>;

struct Axis {
  const char* name;
  std::vector<std::int64_t> values;
};

/// Every combination.
inline Variants all(const std::vector<Axis>& axes) {
  Variants variants{Variant()};
  for (const Axis& axis : axes) {
    Variants longer;
    for (const Variant& each : variants)
      for (const std::int64_t value : axis.values) longer.push_back(each.with(axis.name, value));
    variants = std::move(longer);
  }
  return variants;
}

inline Variants operator+(Variants a, const Variants& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// One of every so many, the last among them: the first of some operations has nothing to compute. And whatever has a
/// number that none before it has.
inline Variants sample(const Variants& variants, std::size_t every) {
  Variants some;
  std::set<std::pair<std::string, std::int64_t>> seen;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto& numbers = variants[i].numbers();
    const bool is_new =
        std::any_of(numbers.begin(), numbers.end(), [&](const auto& number) { return !seen.count(number); });
    if (!is_new && i % every != (variants.size() - 1) % every) continue;
    seen.insert(numbers.begin(), numbers.end());
    some.push_back(variants[i]);
  }
  return some;
}

template <class Condition>
Variants only(const Variants& variants, Condition condition) {
  Variants some;
  for (const Variant& each : variants)
    if (condition(each)) some.push_back(each);
  return some;
}

}  // namespace ops
