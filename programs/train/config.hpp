// Configuration files: {"task": …, "model": {…}, "training": {…}}.
#pragma once

#include <string>
#include <vector>

#include "keys.hpp"

namespace train {

/// The file's object, checked. Throws with the file's name and the path of the key.
Json read_config(const std::string& path);

/// Several such objects in one, the later ones on top.
Json layered(const std::vector<Json>& layers);

}  // namespace train
