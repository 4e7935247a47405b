// The names of a run's settings, as a configuration file and, with - for _, as the command line has them.
#pragma once

#include <vector>

#include "common/domain.hpp"

namespace train {

using program::Domain, program::Json;

struct Key {
  std::string name;
  std::string placeholder;  ///< for the help text
  std::string help;
  Domain domain;

  std::string option() const;  ///< --hidden-f
};

/// The library's keys of a model.
const std::vector<Key>& model_keys();

}  // namespace train
