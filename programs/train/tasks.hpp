// The library's tasks, by name.
#pragma once

#include <chord/chord.hpp>
#include <optional>
#include <string>
#include <vector>

namespace train {

using Task = chord_task_info;

/// Throws std::invalid_argument for a name that is none.
const Task& find_task(const std::string& name);

std::vector<std::string> task_names();

/// The paper's test accuracy in percent; nothing where it has none.
std::optional<double> published_accuracy(const std::string& task, int64_t length);

}  // namespace train
