// The names of all settings of a run, as a configuration file and, with - for _, as the command line has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace train {

using Json = nlohmann::ordered_json;

struct Key {
  enum class Kind { integer, real, boolean, text, choice };

  const char* name;
  Kind kind;
  const char* placeholder;  ///< for the help text
  const char* help;
  std::vector<std::string> choices = {};
  double least = -1e300;  ///< of numbers; the library knows the limits of a model's keys

  std::string option() const;  ///< --hidden-f

  /// The value a command line has. Throws std::invalid_argument.
  Json parse(const std::string& text) const;

  /// Throws std::invalid_argument unless a value of a configuration file may be this.
  void check(const Json& value) const;
};

const std::vector<Key>& model_keys();
const std::vector<Key>& training_keys();

std::vector<std::string> names_of(const std::vector<Key>& keys);

}  // namespace train
