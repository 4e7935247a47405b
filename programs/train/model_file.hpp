// A trained model from a file: one of ours, or one with the tensors of the paper's PyTorch code.
#pragma once

#include <chord/chord.hpp>
#include <string>

namespace train {

/// The model by the file's own description; a file without one holds the task's preset, for sequences of this length
/// (0: its own).
chord::Model load_model(chord::Context& context, const std::string& path, const std::string& task, int64_t length);

/// A model and what it was trained for.
struct TaskModel {
  chord::Model model;
  std::string task;
  std::string encoding;  ///< what makes raw inputs into sequences, JSON; empty where the file has none
};

/// `task`: may be empty where the file tells it; one that is not the file's is refused.
TaskModel load_task_model(chord::Context& context, const std::string& path, const std::string& task, int64_t length);

}  // namespace train
