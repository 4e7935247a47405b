// The tasks of the paper: how it trained on them and what it reached.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace train {

struct Task {
  const char* name;
  const char* title;
  int64_t epochs, batch;
  double lr;
};

/// Throws std::invalid_argument for a name that is none.
const Task& find_task(const std::string& name);
std::vector<std::string> task_names();

/// In percent; nothing where the paper has none.
std::optional<double> published_accuracy(const std::string& task, int64_t length);

}  // namespace train
