#include "keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "common/device.hpp"

namespace train {
namespace {

using Kind = Key::Kind;

std::string alternatives(const std::vector<std::string>& choices) {
  std::string text;
  for (const std::string& each : choices) text += (text.empty() ? "" : &each == &choices.back() ? " or " : ", ") + each;
  return text;
}

std::string expectation(const Key& key) {
  switch (key.kind) {
    case Kind::integer:
      return key.least >= 0 ? "a whole number, " + std::to_string(int(key.least)) + " or more" : "a whole number";
    case Kind::real: return key.least >= 0 ? "a number above 0" : "a number";
    case Kind::boolean: return "true or false";
    case Kind::choice: return alternatives(key.choices);
    default: return "a text";
  }
}

/// Discarded if it is none of this kind.
Json literal(Kind kind, const std::string& text) {
  if (kind == Kind::integer || kind == Kind::boolean) return Json::parse(text, nullptr, false);
  if (kind != Kind::real) return text;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return Json(Json::value_t::discarded);
  return value;
}

bool fits(const Key& key, const Json& value) {
  switch (key.kind) {
    case Kind::integer: return value.is_number_integer() && value.get<double>() >= key.least;
    case Kind::real: return value.is_number() && (key.least < 0 || value.get<double>() > key.least);
    case Kind::boolean: return value.is_boolean();
    case Kind::choice:
      return value.is_string() && std::count(key.choices.begin(), key.choices.end(), value.get<std::string>()) > 0;
    default: return value.is_string();
  }
}

}  // namespace

std::string Key::option() const {
  std::string option = std::string("--") + name;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

Json Key::parse(const std::string& text) const {
  const Json value = literal(kind, text);
  if (value.is_discarded()) throw std::invalid_argument("is '" + text + "'; expected " + expectation(*this));
  check(value);
  return value;
}

void Key::check(const Json& value) const {
  if (!fits(*this, value)) throw std::invalid_argument("is " + value.dump() + "; expected " + expectation(*this));
}

const std::vector<Key>& model_keys() {
  static const std::vector<Key> keys = {
      {"length", Kind::integer, "N", "Positions of a sequence (default: the task's; adding and order: 128)"},
      {"width", Kind::integer, "D", "Columns of the embedding"},
      {"factors", Kind::integer, "M", "Sparse factors of a block (default: log2 N, rounded up)"},
      {"links", Kind::integer, "L", "Non-zeros in a row of a factor (default: M + 1)"},
      {"hidden_f", Kind::integer, "H", "Hidden units of each network that makes a factor"},
      {"hidden_g", Kind::integer, "H", "Hidden units of the network that makes the values"},
      {"channels", Kind::integer, "C", "Columns of the values"},
      {"residual", Kind::boolean, "", "Add the first values again after every factor"},
      {"positions", Kind::boolean, "", "Learned positions"},
      {"blocks", Kind::integer, "K", "Blocks, one after the other"},
      {"dropout_input", Kind::real, "P", "Share dropped behind the embedding"},
      {"dropout_values", Kind::real, "P", "Share dropped behind the network that makes the values"},
      {"dropout_output", Kind::real, "P", "Share dropped before the head"},
      {"pooling", Kind::choice, "NAME", "What the head sees: flatten (all rows) or cls (row 0)", {"flatten", "cls"}},
      {"head_hidden", Kind::integer, "H", "Hidden units of the head; 0: it is linear"},
      {"embedding", Kind::choice, "NAME", "How it starts: normal or uniform (±0.1)", {"normal", "uniform"}},
      {"tolerance", Kind::real, "T", "mse: an output this close is correct"},
      {"precision", Kind::integer, "BITS", "Bits of its numbers: 32 or 64"},
      {"input", Kind::choice, "NAME", "tokens or reals, as the task has them", {"tokens", "reals"}},
      {"vocabulary", Kind::integer, "V", "Tokens are 0 … V − 1"},
      {"features", Kind::integer, "F", "Reals per position"},
      {"padding", Kind::integer, "TOKEN", "A token whose embedding is never trained, or -1"},
      {"classes", Kind::integer, "C", "Columns of the output"},
      {"loss", Kind::choice, "NAME", "cross_entropy or mse", {"cross_entropy", "mse"}}};
  return keys;
}

const std::vector<Key>& training_keys() {
  static const std::vector<Key> keys = {
      {"epochs", Kind::integer, "E", "Passes over the training set (default: the paper's)", {}, 1},
      {"batch", Kind::integer, "B", "Sequences of a step (default: the paper's)", {}, 1},
      {"lr", Kind::real, "RATE", "Learning rate of Adam (default: the paper's)", {}, 0},
      {"seed", Kind::integer, "NUMBER", "Of the data, their order, the model and its dropout (default: 0)", {}, 0},
      {"count", Kind::integer, "K", "Sequences to train on, of a generated task (default: 200000)", {}, 1},
      {"eval_count", Kind::integer, "K", "Sequences to validate on, and to test on (default: 5000)", {}, 1},
      {"stop_when_perfect", Kind::boolean, "", "End once all answers on the validation set are right"},
      {"data", Kind::text, "FOLDER", "Files of a task that is not generated (image: CIFAR-10's binary batches)"},
      {"micro_batch", Kind::integer, "B", "Sequences computed at a time (default: the batch); saves memory", {}, 1},
      {"memory",
       Kind::choice,
       "HOW",
       "normal, low (factors are made again in the backward pass), or auto: normal\nwhere that fits (default: auto)",
       {"auto", "normal", "low"}},
      {"device", Kind::text, "DEVICE", program::device_help},
      {"threads", Kind::integer, "T", "Threads of the host device (default: OMP_NUM_THREADS, else all cores)", {}, 1}};
  return keys;
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

}  // namespace train
