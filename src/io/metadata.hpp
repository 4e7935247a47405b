// Numbers in the metadata of safetensors files, which are text: written so that they are read back to the bit.
#pragma once

#include <charconv>
#include <string>

#include "common/error.hpp"
#include "io/safetensors.hpp"

namespace chord {

template <class Number>
std::string number(Number value) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

inline const std::string& entry(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail(Status::invalid_file, "the metadata has no \"", key, "\"");
  return found->second;
}

template <class Number>
Number number(const Metadata& metadata, const char* key) {
  const std::string& digits = entry(metadata, key);
  Number value{};
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failed != std::errc() || end != digits.data() + digits.size())
    fail(Status::invalid_file, "\"", key, "\" is \"", digits, "\"; expected a number");
  return value;
}

}  // namespace chord
