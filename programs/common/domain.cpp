#include "domain.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "text.hpp"

namespace program {
namespace {

template <class Integer>
bool holds(const std::string& text, Integer& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc() && stopped == end;
}

Json integer(const std::string& text) {
  int64_t value = 0;
  uint64_t large = 0;
  if (holds(text, value)) return value;
  return holds(text, large) ? Json(large) : Json(Json::value_t::discarded);
}

Json real(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = !text.empty() && *end == '\0' && std::isfinite(value);
  return whole ? Json(value) : Json(Json::value_t::discarded);
}

/// Discarded if it is none of this kind.
Json literal(Domain::Kind kind, const std::string& text) {
  switch (kind) {
    case Domain::Kind::integer: return integer(text);
    case Domain::Kind::real: return real(text);
    case Domain::Kind::boolean: return parse_json(text);
    case Domain::Kind::text: break;
  }
  return text;
}

std::string shown(double value) { return Json(int64_t(value)).dump(); }

/// "auto, normal or low"
std::string alternatives(const Json& values) {
  std::string text;
  for (const Json& each : values) {
    const char* const separator = text.empty() ? "" : &each == &values.back() ? " or " : ", ";
    text += separator + (each.is_string() ? each.get<std::string>() : each.dump());
  }
  return text;
}

using Kind = Domain::Kind;

}  // namespace

Json Domain::parse(const std::string& text) const {
  const Json value = literal(kind, text);
  if (value.is_discarded()) throw std::invalid_argument("is '" + text + "'; expected " + expected);
  check(value);
  return value;
}

void Domain::check(const Json& value) const {
  if (!contains(value)) throw std::invalid_argument("is " + value.dump() + "; expected " + expected);
}

Domain integers_between(double lowest, double highest) {
  return {Kind::integer, "a whole number, " + shown(lowest) + " to " + shown(highest), [=](const Json& value) {
            return value.is_number_integer() && value.get<double>() >= lowest && value.get<double>() <= highest;
          }};
}

Domain counts_from(int lowest) { return integers_between(lowest, 1e9); }

Domain seeds() {
  return {Kind::integer, "a whole number, 0 to 18446744073709551615", [](const Json& value) {
            return value.is_number_unsigned() || (value.is_number_integer() && value.get<int64_t>() >= 0);
          }};
}

Domain positive_reals() {
  return {Kind::real, "a number above 0",
          [](const Json& value) { return value.is_number() && value.get<double>() > 0; }};
}

Domain reals_below(double lowest, double limit) {
  const std::string end = std::isfinite(limit) ? " to below " + number(limit) : " or more";
  return {Kind::real, "a number, " + number(lowest) + end, [=](const Json& value) {
            return value.is_number() && value.get<double>() >= lowest && value.get<double>() < limit;
          }};
}

Domain reals_between(double lowest, double highest) {
  return {Kind::real, "a number, " + number(lowest) + " to " + number(highest), [=](const Json& value) {
            return value.is_number() && value.get<double>() >= lowest && value.get<double>() <= highest;
          }};
}

Domain booleans() {
  return {Kind::boolean, "true or false", [](const Json& value) { return value.is_boolean(); }};
}

Domain texts() {
  return {Kind::text, "a text", [](const Json& value) { return value.is_string() && value != ""; }};
}

Domain one_of(const Json& values) {
  return {values.front().is_string() ? Kind::text : Kind::integer, alternatives(values),
          [=](const Json& value) { return std::find(values.begin(), values.end(), value) != values.end(); }};
}

}  // namespace program
