// Raw inputs of a task, as people have them, made into what a model takes.
#pragma once

#include <string>
#include <vector>

#include "model_file.hpp"

namespace train {

/// Whether an input is a file of sequences, ready for the model, and none that is raw.
bool is_npy(const std::string& input);

/// Throws where the task has no raw inputs, or its tokens are more than the model's. `path`: the model's.
chord::Encoder encoder_of(const TaskModel& trained, const std::string& path);

/// The tokens of a file, or of a ListOps expression itself.
std::vector<int32_t> encoded(const chord::Encoder& encoder, const std::string& input);

}  // namespace train
