// The models of the paper's tasks.
#pragma once

#include <string>
#include <vector>

namespace chord {

/// What the model of a task has beside the defaults; factors and links follow from the length unless they are given.
/// A JSON object. Throws where there is no preset of this name.
const char* preset_keys(const std::string& name);

/// In alphabetical order.
const std::vector<std::string>& preset_names();

/// The whole description of a preset.
const std::string& preset_json(const std::string& name);

}  // namespace chord
