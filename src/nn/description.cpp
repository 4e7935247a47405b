#include "nn/description.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "common/error.hpp"
#include "common/size.hpp"
#include "io/json.hpp"
#include "nn/presets.hpp"
#include "operations/pattern.hpp"

namespace chord {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

using Names = std::initializer_list<const char*>;
using Integers = std::initializer_list<std::int64_t>;

/// visitor(name, member, what it may be, what it means) for every key, in the order of the JSON: the one list for
/// reading, checking, writing and describing them.
template <class Description, class Visitor>
void visit_keys(Description& d, Visitor& visitor) {
  visitor.choice("input", d.input, {"tokens", "reals"}, "What a position holds: a token, or reals");
  visitor.integer("vocabulary", d.vocabulary, 0, most, "Tokens are 0 to vocabulary - 1; 0 for reals");
  visitor.integer("features", d.features, 0, most, "Reals per position; 0 for tokens");
  visitor.integer("length", d.length, 1, most, "Positions of a sequence, N");
  visitor.integer("width", d.width, 1, most, "Columns of the embedding");
  visitor.integer("factors", d.factors, 0, 1 << 16, "Sparse factors of a block, M; log2 N, rounded up, unless given");
  visitor.integer("links", d.links, 1, 1 << 16, "Non-zeros in a row of a factor, L; M + 1 unless given");
  visitor.integer("hidden_f", d.hidden_f, 1, most, "Hidden units of each network that makes a factor");
  visitor.integer("hidden_g", d.hidden_g, 1, most, "Hidden units of the network that makes the values");
  visitor.integer("channels", d.channels, 1, most, "Columns of the values");
  visitor.boolean("residual", d.residual, "Add the first values again after every factor");
  visitor.boolean("positions", d.positions, "Learned positions");
  visitor.integer("blocks", d.blocks, 1, 1 << 10, "Blocks, one after the other");
  visitor.real("dropout_input", d.dropout_input, 1, "Share dropped behind the embedding");
  visitor.real("dropout_values", d.dropout_values, 1, "Share dropped behind the network that makes the values");
  visitor.real("dropout_output", d.dropout_output, 1, "Share dropped before the head");
  visitor.integer("padding", d.padding, -1, most, "A token whose embedding is never trained, or -1");
  visitor.choice("pooling", d.pooling, {"flatten", "cls"}, "What the head sees: all rows, or row 0");
  visitor.integer("head_hidden", d.head_hidden, 0, most, "Hidden units of the head; 0: it is linear");
  visitor.integer("classes", d.classes, 1, most, "Columns of the output");
  visitor.choice("loss", d.loss, {"cross_entropy", "mse"}, "What training lowers");
  visitor.real("tolerance", d.tolerance, unlimited, "With mse, an output this close is correct");
  visitor.choice("embedding", d.embedding, {"normal", "uniform"}, "How the embedding starts: N(0, 1), or U(-0.1, 0.1)");
  visitor.one_of("precision", d.precision, {32, 64}, "Bits of the model's numbers");
}

constexpr const char* required_keys[] = {"input", "length", "width", "hidden_f", "hidden_g", "channels", "classes"};
constexpr const char* derived_keys[] = {"factors", "links"};

template <std::size_t Count>
bool contains(const char* const (&names)[Count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string quoted(Names names) {
  std::string list;
  for (const char* name : names) list += text(list.empty() ? "\"" : " or \"", name, "\"");
  return list;
}

std::string alternatives(Integers values) {
  std::string list;
  for (const std::int64_t value : values) list += text(list.empty() ? "" : " or ", value);
  return list;
}

/// What somebody wrote, and the preset he named below it.
class Given {
 public:
  explicit Given(const std::string& text_of_json) : own_(parse_json(text_of_json, "the description of a model", 8)) {
    if (!own_.as<Json::Object>())
      fail(Status::invalid_argument, "the description of a model is ", own_.kind_name(), "; expected an object");
    const Json* const preset = own_.find("preset");
    if (!preset) return;
    const auto* const name = preset->as<std::string>();
    if (!name) fail(Status::invalid_argument, "/preset is ", describe(*preset), "; expected a name");
    preset_ = parse_json(preset_keys(*name), "the preset", 1);
    // A preset's number of factors belongs to its length.
    const Json* const length = own_.find("length");
    own_length_ = length && length->real() != preset_.find("length")->real();
  }

  /// Null where nobody says anything.
  const Json* find(std::string_view key) const {
    if (const Json* const own = own_.find(key)) return own;
    return own_length_ && key == "factors" ? nullptr : preset_.find(key);
  }
  const Json::Object& own() const { return *own_.as<Json::Object>(); }

 private:
  Json own_, preset_;
  bool own_length_ = false;
};

/// Reads the keys there are; the others keep what they have.
class Reader {
 public:
  explicit Reader(const Given& given) : given_(given) {}

  void integer(const char* key, std::int64_t& value, std::int64_t lowest, std::int64_t highest, const char*) {
    const Json* const given = given_.find(key);
    if (!given) return;
    const auto* const number = given->as<std::int64_t>();
    if (!number && !given->as<std::uint64_t>()) wrong(key, *given, "a whole number");
    if (!number || *number < lowest || *number > highest) wrong(key, *given, text(lowest, " to ", highest));
    value = *number;
  }
  void boolean(const char* key, bool& value, const char*) {
    const Json* const given = given_.find(key);
    if (!given) return;
    if (!given->as<bool>()) wrong(key, *given, "true or false");
    value = *given->as<bool>();
  }
  /// From 0 to below the limit.
  void real(const char* key, double& value, double limit, const char*) {
    const Json* const given = given_.find(key);
    if (!given) return;
    const std::optional<double> number = given->real();
    if (!number || !(*number >= 0 && *number < limit))
      wrong(key, *given,
            limit == unlimited ? "a number that is not negative" : text("a number from 0 to below ", limit));
    value = *number;
  }
  void one_of(const char* key, std::int64_t& value, Integers values, const char*) {
    const Json* const given = given_.find(key);
    if (!given) return;
    const auto* const number = given->as<std::int64_t>();
    if (!number || std::find(values.begin(), values.end(), *number) == values.end())
      wrong(key, *given, alternatives(values));
    value = *number;
  }
  template <class Choice>
  void choice(const char* key, Choice& value, Names names, const char*) {
    const Json* const given = given_.find(key);
    if (!given) return;
    const auto* const wanted = given->as<std::string>();
    const auto found = wanted ? std::find(names.begin(), names.end(), *wanted) : names.end();
    if (found == names.end()) wrong(key, *given, quoted(names));
    value = Choice(found - names.begin());
  }

 private:
  [[noreturn]] static void wrong(const char* key, const Json& given, const std::string& expected) {
    fail(Status::invalid_argument, "/", key, " is ", describe(given), "; expected ", expected);
  }

  const Given& given_;
};

/// The text of each key's value.
class Writer {
 public:
  void integer(const char* key, std::int64_t value, std::int64_t, std::int64_t, const char*) { add(key, text(value)); }
  void boolean(const char* key, bool value, const char*) { add(key, text_of(value)); }
  void real(const char* key, double value, double, const char*) { add(key, json_real(value)); }
  void one_of(const char* key, std::int64_t value, Integers, const char*) { add(key, text(value)); }
  template <class Choice>
  void choice(const char* key, Choice value, Names names, const char*) {
    add(key, json_string(std::begin(names)[std::int32_t(value)]));
  }

  static const char* text_of(bool value) { return value ? "true" : "false"; }

  std::vector<std::pair<std::string_view, std::string>> members;

 private:
  void add(const char* key, std::string value) { members.emplace_back(key, std::move(value)); }
};

/// Lists what there is to know about the keys themselves.
class Cataloguer {
 public:
  void integer(const char* key, std::int64_t value, std::int64_t lowest, std::int64_t highest, const char* meaning) {
    add(key, ModelKey::Kind::integer, meaning, text(value)).lowest = double(lowest);
    keys.back().highest = double(highest);
  }
  void boolean(const char* key, bool value, const char* meaning) {
    add(key, ModelKey::Kind::boolean, meaning, Writer::text_of(value));
  }
  void real(const char* key, double value, double limit, const char* meaning) {
    add(key, ModelKey::Kind::real, meaning, json_real(value)).highest = limit;
  }
  void one_of(const char* key, std::int64_t value, Integers values, const char* meaning) {
    integer(key, value, std::min(values), std::max(values), meaning);
    keys.back().choices_json = json_integers(values);
  }
  template <class Choice>
  void choice(const char* key, Choice value, Names names, const char* meaning) {
    std::vector<std::string> choices;
    for (const char* name : names) choices.push_back(json_string(name));
    add(key, ModelKey::Kind::choice, meaning, choices[std::size_t(value)]).choices_json = json_array(choices);
  }

  std::vector<ModelKey> keys;

 private:
  ModelKey& add(const char* key, ModelKey::Kind kind, const char* meaning, const std::string& value) {
    const bool required = contains(required_keys, key), derived = contains(derived_keys, key);
    keys.push_back({key, meaning, kind, required, 0, 0, "", required || derived ? "" : value});
    return keys.back();
  }
};

void expect_known_keys(const Given& given) {
  const std::vector<ModelKey>& known = model_keys();
  for (const JsonMember& member : given.own()) {
    const auto is_named = [&](const ModelKey& key) { return member.key == key.name; };
    if (member.key == "preset" || std::any_of(known.begin(), known.end(), is_named)) continue;
    std::string names;
    for (const ModelKey& key : known) names += text(names.empty() ? "" : ", ", key.name);
    fail(Status::invalid_argument, "/", member.key, " is no key of a model; there are preset, ", names);
  }
}

void expect_required_keys(const Given& given) {
  for (const char* name : required_keys)
    if (!given.find(name)) fail(Status::invalid_argument, "/", name, " is missing");
}

/// What no key alone can show.
void check(const ModelDescription& d) {
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
  // A tile of rows is turned over in memory that is counted in 32 bits.
  constexpr std::int64_t most_rows_of_a_tile = 128;
  for (const std::int64_t columns : {d.width, d.channels, d.links, d.hidden_f, d.hidden_g})
    checked_int32(checked_multiply(columns, most_rows_of_a_tile), "the width of a network");
  checked_multiply(checked_multiply(d.pooled(), d.head_hidden > 0 ? d.head_hidden : d.classes), 8);
}

}  // namespace

ModelDescription ModelDescription::parse(const std::string& text_of_json) {
  const Given given(text_of_json);
  ModelDescription description;
  description.factors = description.links = -1;
  expect_known_keys(given);
  expect_required_keys(given);
  Reader reader(given);
  visit_keys(description, reader);
  if (description.factors < 0) description.factors = full_chain_length(description.length, 2);
  if (description.links < 0) description.links = description.factors + 1;
  check(description);
  return description;
}

std::string ModelDescription::to_json() const {
  Writer writer;
  visit_keys(*this, writer);
  return json_object(writer.members);
}

const std::vector<ModelKey>& model_keys() {
  static const std::vector<ModelKey> keys = [] {
    const ModelDescription defaults;
    Cataloguer cataloguer;
    visit_keys(defaults, cataloguer);
    return std::move(cataloguer.keys);
  }();
  return keys;
}

}  // namespace chord
