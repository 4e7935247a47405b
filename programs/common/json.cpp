#include "json.hpp"

#include <algorithm>

namespace program {
namespace {

constexpr int deepest = 32;
struct TooDeep {};

bool expect_shallow(int depth, Json::parse_event_t, Json&) {
  if (depth > deepest) throw TooDeep();
  return true;
}

}  // namespace

Json parse_json(const std::string& text) {
  try {
    return Json::parse(text, expect_shallow, false);
  } catch (const TooDeep&) {
    return Json(Json::value_t::discarded);
  }
}

std::string why_discarded(const std::string& text) {
  try {
    [[maybe_unused]] const Json accepted = Json::parse(text, expect_shallow);
  } catch (const TooDeep&) {
    return "is nested more than " + std::to_string(deepest) + " deep";
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + std::ptrdiff_t(std::min(error.byte, text.size()));
    return "is not JSON: line " + std::to_string(1 + std::count(text.begin(), end, '\n')) + " is wrong";
  }
  return "is not JSON";
}

}  // namespace program
