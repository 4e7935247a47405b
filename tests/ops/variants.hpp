// The sizes and flags an operation is run with, by name: a case lists some and reads them again.
#pragma once

#include <cstdint>
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

template <class Condition>
Variants only(const Variants& variants, Condition condition) {
  Variants some;
  for (const Variant& each : variants)
    if (condition(each)) some.push_back(each);
  return some;
}

}  // namespace ops
