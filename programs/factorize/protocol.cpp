#include "protocol.hpp"

#include <charconv>
#include <stdexcept>

namespace factorize {
namespace {

int64_t integer(const std::string& text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stopped != end) throw std::invalid_argument("'" + text + "' is no whole number");
  return value;
}

std::vector<int64_t> integers(const std::string& text) {
  std::vector<int64_t> values;
  for (std::size_t begin = 0, comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = text.find(',', begin);
    values.push_back(integer(text.substr(begin, comma - begin)));
  }
  return values;
}

}  // namespace

Protocol::Protocol(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const bool has_value = colon != std::string::npos;
  const std::string value = has_value ? text.substr(colon + 1) : "";
  if (name == "chord" || name == "symmetric") {
    kind_ = name == "chord" ? Kind::chord : Kind::symmetric;
    if (has_value) base_ = integer(value);
    if (base_ < 2) throw std::invalid_argument("the base is " + value + "; expected 2 or more");
  } else if (name == "custom" && has_value) {
    kind_ = Kind::custom;
    offsets_ = integers(value);
  } else {
    throw std::invalid_argument("is '" + text + "'; expected chord, chord:BASE, symmetric, symmetric:BASE or " +
                                "custom:OFFSET,OFFSET,…");
  }
}

chord::Pattern Protocol::pattern(chord::Context& context, int64_t n, int64_t links) const {
  switch (kind_) {
    case Kind::chord: return chord::Pattern::chord(context, n, base_, links);
    case Kind::symmetric: return chord::Pattern::symmetric(context, n, base_, links);
    case Kind::custom: break;
  }
  return chord::Pattern::custom(context, n, offsets_);
}

}  // namespace factorize
