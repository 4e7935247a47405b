// JSON as plain values. nlohmann's parser reads it, but not into its own values: their destructor allocates, which ends
// the process where there is no memory, and copying deep ones overflows the stack. Here nothing is deeper than a limit.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace chord {

struct JsonMember;

struct Json {
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;  ///< in the order of the text; no key is there twice

  /// An integer is unsigned where it is beyond the other.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value;

  /// Null where it is something else.
  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&value);
  }
  /// Of any number; none of what is something else.
  std::optional<double> real() const;
  /// The member of this key; null where there is none, or this is no object.
  const Json* find(std::string_view key) const;
  /// "null", "boolean", "number", "string", "array" or "object".
  const char* kind_name() const;
};

struct JsonMember {
  std::string key;
  Json value;
};

/// `what` begins the message where the text is not JSON, has a key twice in one object, or is deeper than allowed: an
/// array of numbers is 1 deep. Throws Status::invalid_argument then.
Json parse_json(std::string_view text, const char* what, int deepest);

/// What a text becomes in memory at most, for those who must not take whatever a file has.
std::size_t parsed_json_bytes(std::size_t text_bytes);

/// For messages: on one line, and cut where it is long.
std::string describe(const Json& json);

// Texts of JSON, made of those of its parts. A string that is not UTF-8 throws Status::invalid_argument.
std::string json_string(std::string_view text);
/// As short as it is exact, and seen to be a real.
std::string json_real(double number);
std::string json_array(const std::vector<std::string>& elements);
std::string json_object(const std::vector<std::pair<std::string_view, std::string>>& members);

template <class Integers>
std::string json_integers(const Integers& integers) {
  std::vector<std::string> elements;
  for (const auto each : integers) elements.push_back(std::to_string(each));
  return json_array(elements);
}

}  // namespace chord
