#include "io/json.hpp"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "common/error.hpp"
#include "io/excerpt.hpp"

namespace chord {
namespace {

/// Takes what nlohmann's parser finds, one thing after the other.
class JsonBuilder {
 public:
  JsonBuilder(const char* what, int deepest) : what_(what), deepest_(std::size_t(deepest)) {}

  Json take() { return std::move(root_); }

  bool null() { return add({nullptr}); }
  bool boolean(bool value) { return add({value}); }
  bool number_integer(std::int64_t value) { return add({value}); }
  bool number_unsigned(std::uint64_t value) {
    const bool fits = value <= std::uint64_t(std::numeric_limits<std::int64_t>::max());
    return fits ? add({std::int64_t(value)}) : add({value});
  }
  bool number_float(double value, const std::string&) { return add({value}); }
  bool string(std::string& value) { return add({std::move(value)}); }
  template <class Bytes>
  bool binary(Bytes&) {
    return false;  // JSON as text has none
  }

  bool start_object(std::size_t) { return open({Json::Object()}); }
  bool start_array(std::size_t) { return open({Json::Array()}); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (!open_.back().keys.insert(name).second) fail(Status::invalid_argument, what_, " has ", excerpt(name), " twice");
    key_ = std::move(name);
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& error) {
    fail(Status::invalid_argument, what_, " is not valid JSON: ", error.what());
  }

 private:
  /// An array or object that has not ended, and lies where it will stay while it is open.
  struct Open {
    Json* json;
    std::set<std::string> keys;
  };

  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    auto& parent = open_.back().json->value;
    if (auto* const array = std::get_if<Json::Array>(&parent)) return array->emplace_back(std::move(value));
    return std::get<Json::Object>(parent).emplace_back(JsonMember{std::move(key_), std::move(value)}).value;
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json empty) {
    if (open_.size() == deepest_) fail(Status::invalid_argument, what_, " is nested more than ", deepest_, " deep");
    Json& placed = place(std::move(empty));
    open_.push_back({&placed, {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const char* what_;
  std::size_t deepest_;
  Json root_;
  std::vector<Open> open_;
  std::string key_;
};

/// How many bytes the UTF-8 character at the beginning has; 0 where it is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  // Neither in more bytes than needed, nor halves of a pair, nor beyond the last.
  const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < least || byte(1) > most || !follows(2)) return 0;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 && follows(3) ? 4 : 0;
}

void append_control(std::string& result, char each) {
  switch (each) {
    case '\b': result += "\\b"; return;
    case '\f': result += "\\f"; return;
    case '\n': result += "\\n"; return;
    case '\r': result += "\\r"; return;
    case '\t': result += "\\t"; return;
    default: break;
  }
  constexpr const char* digits = "0123456789abcdef";
  result += "\\u00";
  result += digits[each >> 4];
  result += digits[each & 15];
}

std::string whole_text(const Json& json);

struct TextOfValue {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return json_real(value); }
  std::string operator()(const std::string& value) const { return json_string(value); }
  std::string operator()(const Json::Array& values) const {
    std::vector<std::string> elements;
    for (const Json& each : values) elements.push_back(whole_text(each));
    return json_array(elements);
  }
  std::string operator()(const Json::Object& values) const {
    std::vector<std::pair<std::string_view, std::string>> members;
    for (const JsonMember& each : values) members.emplace_back(each.key, whole_text(each.value));
    return json_object(members);
  }
};

std::string whole_text(const Json& json) { return std::visit(TextOfValue(), json.value); }

}  // namespace

std::optional<double> Json::real() const {
  if (const auto* number = as<std::int64_t>()) return double(*number);
  if (const auto* number = as<std::uint64_t>()) return double(*number);
  if (const auto* number = as<double>()) return *number;
  return {};
}

const Json* Json::find(std::string_view key) const {
  if (const auto* object = as<Object>())
    for (const JsonMember& member : *object)
      if (member.key == key) return &member.value;
  return nullptr;
}

const char* Json::kind_name() const {
  constexpr const char* names[] = {"null", "boolean", "number", "number", "number", "string", "array", "object"};
  return names[value.index()];
}

Json parse_json(std::string_view text, const char* what, int deepest) {
  JsonBuilder builder(what, deepest);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

// "0," becomes a value, in a vector that has been growing: its old and its new place are there together for a moment.
std::size_t parsed_json_bytes(std::size_t text_bytes) { return text_bytes * sizeof(Json) * 3 / 2; }

std::string describe(const Json& json) {
  constexpr std::size_t longest = 80;
  std::string result = whole_text(json);
  if (result.size() <= longest) return result;
  std::size_t end = longest;
  while ((static_cast<unsigned char>(result[end]) & 0xC0) == 0x80) --end;
  return result.substr(0, end) + "…";
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(i));
    if (bytes == 0) fail(Status::invalid_argument, "byte ", i, " of ", excerpt(text), " is not UTF-8");
    if (text[i] == '"' || text[i] == '\\') result += '\\';
    if (static_cast<unsigned char>(text[i]) < ' ')
      append_control(result, text[i]);
    else
      result += text.substr(i, bytes);
    i += bytes;
  }
  return result + '"';
}

std::string json_real(double number) {
  char digits[32];
  std::string result(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  return result.find_first_of(".e") == std::string::npos ? result + ".0" : result;
}

std::string json_array(const std::vector<std::string>& elements) {
  std::string result = "[";
  for (const std::string& each : elements) result += (result.size() > 1 ? "," : "") + each;
  return result + "]";
}

std::string json_object(const std::vector<std::pair<std::string_view, std::string>>& members) {
  std::string result = "{";
  for (const auto& [key, value] : members) result += (result.size() > 1 ? "," : "") + json_string(key) + ":" + value;
  return result + "}";
}

}  // namespace chord
