#include "nn/description.hpp"

#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/size.hpp"
#include "operations/pattern.hpp"

namespace chord {
namespace {

using Json = nlohmann::ordered_json;

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

/// visitor(name, member, …) for every key, in the order of the JSON: one list for reading, checking and writing.
template <class Description, class Visitor>
void visit_keys(Description& d, Visitor& visitor) {
  visitor.choice("input", d.input, {"tokens", "reals"});
  visitor.integer("vocabulary", d.vocabulary, 0, most);
  visitor.integer("features", d.features, 0, most);
  visitor.integer("length", d.length, 1, most);
  visitor.integer("width", d.width, 1, most);
  visitor.integer("factors", d.factors, 0, 1 << 16);
  visitor.integer("links", d.links, 1, 1 << 16);
  visitor.integer("hidden_f", d.hidden_f, 1, most);
  visitor.integer("hidden_g", d.hidden_g, 1, most);
  visitor.integer("channels", d.channels, 1, most);
  visitor.boolean("residual", d.residual);
  visitor.boolean("positions", d.positions);
  visitor.integer("blocks", d.blocks, 1, 1 << 10);
  visitor.real("dropout_input", d.dropout_input, 1, "a number from 0 to below 1");
  visitor.real("dropout_values", d.dropout_values, 1, "a number from 0 to below 1");
  visitor.real("dropout_output", d.dropout_output, 1, "a number from 0 to below 1");
  visitor.integer("padding", d.padding, -1, most);
  visitor.choice("pooling", d.pooling, {"flatten", "cls"});
  visitor.integer("head_hidden", d.head_hidden, 0, most);
  visitor.integer("classes", d.classes, 1, most);
  visitor.choice("loss", d.loss, {"cross_entropy", "mse"});
  visitor.real("tolerance", d.tolerance, unlimited, "a number that is not negative");
  visitor.choice("embedding", d.embedding, {"normal", "uniform"});
  visitor.integer("precision", d.precision, 32, 64);
}

using Names = std::initializer_list<const char*>;

std::string quoted(Names names) {
  std::string list;
  for (const char* name : names) list += text(list.empty() ? "\"" : " or \"", name, "\"");
  return list;
}

/// Reads the keys there are; the others keep what they have.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  void integer(const char* key, std::int64_t& value, std::int64_t lowest, std::int64_t highest) {
    const Json* given = find(key);
    if (!given) return;
    if (!given->is_number_integer()) wrong(key, *given, "a whole number");
    const bool huge = given->is_number_unsigned() && given->get<std::uint64_t>() > std::uint64_t(highest);
    value = huge ? highest : given->get<std::int64_t>();
    if (huge || value < lowest || value > highest) wrong(key, *given, text(lowest, " to ", highest));
  }
  void boolean(const char* key, bool& value) {
    const Json* given = find(key);
    if (!given) return;
    if (!given->is_boolean()) wrong(key, *given, "true or false");
    value = given->get<bool>();
  }
  /// From 0 to below the limit.
  void real(const char* key, double& value, double limit, const char* expected) {
    const Json* given = find(key);
    if (!given) return;
    if (!given->is_number() || !(given->get<double>() >= 0 && given->get<double>() < limit))
      wrong(key, *given, expected);
    value = given->get<double>();
  }
  template <class Choice>
  void choice(const char* key, Choice& value, Names names) {
    const Json* given = find(key);
    if (!given) return;
    std::int32_t place = 0;
    for (const char* name : names) {
      if (*given == name) {
        value = Choice(place);
        return;
      }
      ++place;
    }
    wrong(key, *given, quoted(names));
  }

 private:
  const Json* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  [[noreturn]] static void wrong(const char* key, const Json& given, const std::string& expected) {
    fail(Status::invalid_argument, "/", key, " is ", given.dump(), "; expected ", expected);
  }

  const Json& json_;
};

class Writer {
 public:
  void integer(const char* key, std::int64_t value, std::int64_t, std::int64_t) { json[key] = value; }
  void boolean(const char* key, bool value) { json[key] = value; }
  void real(const char* key, double value, double, const char*) { json[key] = value; }
  template <class Choice>
  void choice(const char* key, Choice value, Names names) {
    json[key] = std::begin(names)[std::int32_t(value)];
  }

  Json json = Json::object();
};

Json to_object(const ModelDescription& description) {
  Writer writer;
  visit_keys(description, writer);
  return std::move(writer.json);
}

// What each task's model has beside the defaults; factors and links follow from the length unless they are given.
const std::map<std::string, Json>& preset_keys() {
  static const std::map<std::string, Json> presets = {
      {"adding",
       {{"input", "reals"},
        {"features", 2},
        {"length", 128},
        {"width", 32},
        {"hidden_f", 32},
        {"hidden_g", 32},
        {"channels", 8},
        {"residual", true},
        {"classes", 1},
        {"loss", "mse"}}},
      {"order",
       {{"input", "tokens"},
        {"vocabulary", 6},
        {"length", 128},
        {"width", 32},
        {"hidden_f", 32},
        {"hidden_g", 32},
        {"channels", 8},
        {"residual", true},
        {"positions", true},
        {"classes", 4}}},
      {"listops",
       {{"input", "tokens"},
        {"vocabulary", 17},
        {"length", 2000},
        {"width", 512},
        {"factors", 11},
        {"hidden_f", 128},
        {"hidden_g", 128},
        {"channels", 128},
        {"positions", true},
        {"padding", 15},
        {"pooling", "cls"},
        {"classes", 10}}},
      {"text",
       {{"input", "tokens"},
        {"vocabulary", 97},
        {"length", 4097},
        {"width", 32},
        {"factors", 12},
        {"hidden_f", 128},
        {"hidden_g", 128},
        {"channels", 32},
        {"residual", true},
        {"dropout_input", 0.4},
        {"padding", 95},
        {"pooling", "cls"},
        {"classes", 2},
        {"embedding", "uniform"}}},
      {"image",
       {{"input", "tokens"},
        {"vocabulary", 256},
        {"length", 1024},
        {"width", 16},
        {"factors", 10},
        {"hidden_f", 16},
        {"hidden_g", 16},
        {"channels", 16},
        {"positions", true},
        {"dropout_values", 0.2},
        {"dropout_output", 0.8},
        {"head_hidden", 16},
        {"classes", 10}}},
      {"pathfinder",
       {{"input", "tokens"},
        {"vocabulary", 225},
        {"length", 1024},
        {"width", 32},
        {"factors", 11},
        {"hidden_f", 128},
        {"hidden_g", 128},
        {"channels", 32},
        {"positions", true},
        {"classes", 2}}},
  };
  return presets;
}

std::string preset_names() {
  std::string names;
  for (const auto& [name, keys] : preset_keys()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

const Json& keys_of_preset(const std::string& name) {
  const auto found = preset_keys().find(name);
  if (found == preset_keys().end())
    fail(Status::invalid_argument, "there is no preset \"", name, "\"; there are ", preset_names());
  return found->second;
}

void expect_known_keys(const Json& given, const Json& known) {
  for (const auto& [key, value] : given.items()) {
    if (known.contains(key)) continue;
    std::string names;
    for (const auto& [name, unused] : known.items()) names += (names.empty() ? "" : ", ") + name;
    fail(Status::invalid_argument, "/", key, " is no key of a model; there are preset, ", names);
  }
}

/// The preset's keys with the given ones on top.
Json with_preset(Json given) {
  const auto preset = given.find("preset");
  if (preset == given.end()) return given;
  if (!preset->is_string()) fail(Status::invalid_argument, "/preset is ", preset->dump(), "; expected a name");
  Json keys = keys_of_preset(preset->get<std::string>());
  given.erase("preset");
  // A preset's number of factors belongs to its length.
  if (given.contains("length") && given["length"] != keys["length"]) keys.erase("factors");
  keys.update(given);
  return keys;
}

void expect_keys(const Json& given, Names names) {
  for (const char* name : names)
    if (!given.contains(name)) fail(Status::invalid_argument, "/", name, " is missing");
}

/// What no key alone can show.
void check(const ModelDescription& d) {
  if (d.precision != 32 && d.precision != 64)
    fail(Status::invalid_argument, "/precision is ", d.precision, "; expected 32 or 64");
  const bool tokens = d.input == InputKind::tokens;
  if (tokens && d.vocabulary < 1)
    fail(Status::invalid_argument, "/vocabulary is ", d.vocabulary, "; expected 1 or more");
  if (!tokens && d.features < 1) fail(Status::invalid_argument, "/features is ", d.features, "; expected 1 or more");
  if (d.padding >= 0 && (!tokens || d.padding >= d.vocabulary))
    fail(Status::invalid_argument, "/padding is ", d.padding, "; expected a token below the vocabulary, ", d.vocabulary,
         ", or -1");
  // Every product of two sizes that a layer has must be a size, too.
  for (const auto& [a, b] : {std::pair{d.vocabulary, d.width},
                             {d.length, d.width},
                             {d.length, d.channels},
                             {d.width, d.hidden_f},
                             {d.channels, d.hidden_f},
                             {d.hidden_g, d.channels},
                             {d.links, d.hidden_f}})
    checked_int32(checked_multiply(a, b), "a layer of the model");
  checked_multiply(checked_multiply(d.pooled(), d.head_hidden > 0 ? d.head_hidden : d.classes), 8);
}

}  // namespace

ModelDescription ModelDescription::parse(const std::string& text_of_json) {
  const Json parsed = Json::parse(text_of_json, nullptr, false);
  if (parsed.is_discarded()) fail(Status::invalid_argument, "the description of a model is not JSON");
  if (!parsed.is_object())
    fail(Status::invalid_argument, "the description of a model is ", parsed.type_name(), "; expected an object");
  const Json given = with_preset(parsed);
  ModelDescription description;
  description.factors = description.links = -1;
  expect_known_keys(given, to_object(ModelDescription()));
  expect_keys(given, {"input", "length", "width", "hidden_f", "hidden_g", "channels", "classes"});
  Reader reader(given);
  visit_keys(description, reader);
  if (description.factors < 0) description.factors = full_chain_length(description.length, 2);
  if (description.links < 0) description.links = description.factors + 1;
  check(description);
  return description;
}

std::string ModelDescription::to_json() const { return to_object(*this).dump(); }

const std::string& preset_json(const std::string& name) {
  static const std::map<std::string, std::string> presets = [] {
    std::map<std::string, std::string> all;
    for (const auto& [preset, keys] : preset_keys()) all[preset] = ModelDescription::parse(keys.dump()).to_json();
    return all;
  }();
  keys_of_preset(name);
  return presets.at(name);
}

}  // namespace chord
