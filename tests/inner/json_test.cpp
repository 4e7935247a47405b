// JSON read into plain values, and written.
#include "io/json.hpp"

#include <doctest/doctest.h>

#include "common/error.hpp"

using chord::Json;
using chord::parse_json;

namespace {

std::string message_of(const std::string& text, int deepest = 4) {
  try {
    parse_json(text, "it", deepest);
  } catch (const chord::Error& error) {
    CHECK(error.status() == chord::Status::invalid_argument);
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& whole, const std::string& part) { return whole.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("values of all kinds") {
  const Json json = parse_json(
      R"({"n": null, "t": true, "i": -3, "u": 18446744073709551615, "r": 1.5, "s": "a\u00e9\n", "a": [1, []], "o": {}})",
      "it", 3);
  CHECK(*json.find("t")->as<bool>());
  CHECK(*json.find("i")->as<std::int64_t>() == -3);
  CHECK(*json.find("u")->as<std::uint64_t>() == 18446744073709551615u);
  CHECK(json.find("i")->real() == -3.0);
  CHECK(json.find("r")->real() == 1.5);
  CHECK_FALSE(json.find("s")->real());
  CHECK(*json.find("s")->as<std::string>() == "a\u00e9\n");
  CHECK(json.find("a")->as<Json::Array>()->size() == 2);
  CHECK(json.find("missing") == nullptr);
  CHECK(json.find("i")->find("x") == nullptr);
  const char* kinds[] = {"null", "boolean", "number", "number", "number", "string", "array", "object"};
  const auto& members = *json.as<Json::Object>();
  REQUIRE(members.size() == 8);
  for (std::size_t i = 0; i < members.size(); ++i) CHECK(std::string(members[i].value.kind_name()) == kinds[i]);
}

TEST_CASE("what is no JSON, is there twice or is too deep") {
  CHECK(contains(message_of(""), "it is not valid JSON"));
  CHECK(contains(message_of("{\"a\":1}x"), "it is not valid JSON"));
  CHECK(contains(message_of("\"\xff\""), "it is not valid JSON"));
  CHECK(contains(message_of("1e999"), "it is not valid JSON"));
  CHECK(message_of(R"({"a": 1, "b": {"a": 2}, "a": 3})") == "it has 'a' twice");
  CHECK(message_of("[[[[1]]]]") == "no error");
  CHECK(message_of("[[[[[1]]]]]") == "it is nested more than 4 deep");
}

TEST_CASE("any depth is refused, and costs nothing") {
  const std::string deep(5'000'000, '[');
  CHECK(message_of(deep) == "it is nested more than 4 deep");
  std::string objects;
  for (int i = 0; i < 500'000; ++i) objects += "{\"a\":";
  CHECK(message_of(objects) == "it is nested more than 4 deep");
}

TEST_CASE("texts of JSON") {
  CHECK(chord::json_string("a\"\\\b\f\n\r\t\x01\u00e9\U0001F600") ==
        "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001\u00e9\U0001F600\"");
  for (const char* bad :
       {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80", "\xf0\x9f\x98"})
    CHECK_THROWS_AS(chord::json_string(bad), chord::Error);
  CHECK(chord::json_real(0) == "0.0");
  CHECK(chord::json_real(0.4) == "0.4");
  CHECK(chord::json_real(-3) == "-3.0");
  CHECK(parse_json(chord::json_real(1e300), "it", 1).real() == 1e300);
  CHECK(chord::json_integers(std::vector<int>{1, -2}) == "[1,-2]");
  CHECK(chord::json_object({{"a", "1"}, {"b\"", "[]"}}) == R"({"a":1,"b\"":[]})");
  CHECK(chord::json_array({}) == "[]");
}

TEST_CASE("descriptions are of one line, and cut") {
  CHECK(describe(parse_json(R"({"a": [1, true, null, "x", 0.5, {}]})", "it", 3)) ==
        R"({"a":[1,true,null,"x",0.5,{}]})");
  std::string many = "\"";
  for (int i = 0; i < 1000; ++i) many += "\u00e9";
  const std::string cut = describe(parse_json(many + "\"", "it", 1));
  CHECK(cut.size() < 90);
  CHECK(cut.ends_with("\u00e9…"));
}
