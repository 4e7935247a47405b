#include "domain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "common/text.hpp"

namespace train {
namespace {

using Kind = Domain::Kind;

/// Discarded if it is none of this kind.
Json literal(Kind kind, const std::string& text) {
  if (kind == Kind::integer || kind == Kind::boolean) return Json::parse(text, nullptr, false);
  if (kind != Kind::real) return text;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return Json(Json::value_t::discarded);
  return value;
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

Domain integers_from(double lowest) {
  return {Kind::integer, "a whole number, " + shown(lowest) + " or more",
          [=](const Json& value) { return value.is_number_integer() && value.get<double>() >= lowest; }};
}

Domain integers_between(double lowest, double highest) {
  return {Kind::integer, "a whole number, " + shown(lowest) + " to " + shown(highest), [=](const Json& value) {
            return value.is_number_integer() && value.get<double>() >= lowest && value.get<double>() <= highest;
          }};
}

Domain positive_reals() {
  return {Kind::real, "a number above 0",
          [](const Json& value) { return value.is_number() && value.get<double>() > 0; }};
}

Domain reals_below(double lowest, double limit) {
  const std::string end = std::isfinite(limit) ? " to below " + program::number(limit) : " or more";
  return {Kind::real, "a number, " + program::number(lowest) + end, [=](const Json& value) {
            return value.is_number() && value.get<double>() >= lowest && value.get<double>() < limit;
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

}  // namespace train
