#include "raw_input.hpp"

#include <filesystem>
#include <stdexcept>

#include "common/files.hpp"
#include "common/message.hpp"
#include "tasks.hpp"

namespace train {
namespace {

/// What is in the file of this name; or the expression itself.
std::string raw_input(const std::string& given) {
  const bool expression = !given.empty() && given[0] == '[' && !std::filesystem::exists(given);
  return expression ? given : program::read_file(given);
}

}  // namespace

bool is_npy(const std::string& input) { return input.size() > 4 && input.ends_with(".npy"); }

chord::Encoder encoder_of(const TaskModel& trained, const std::string& path) {
  const auto model = trained.model.info();
  if (!find_task(trained.task).has_encoder)
    throw std::runtime_error("the task " + trained.task + " has no raw inputs; --input takes an npy file");
  chord::Encoder encoder(trained.task, trained.encoding, model.length);
  if (encoder.info().vocabulary > model.vocabulary)
    throw std::runtime_error(path + ": has " + std::to_string(model.vocabulary) + " tokens; the inputs of " +
                             trained.task + " have " + std::to_string(encoder.info().vocabulary));
  return encoder;
}

std::vector<int32_t> encoded(const chord::Encoder& encoder, const std::string& input) {
  const std::string raw = raw_input(input);
  try {
    return encoder.encode(raw);
  } catch (const chord::Error& problem) {
    throw std::runtime_error(input + ": " + program::message_of(problem));
  }
}

}  // namespace train
