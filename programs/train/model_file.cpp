#include "model_file.hpp"

#include <stdexcept>

#include "keys.hpp"
#include "tasks.hpp"

namespace train {

chord::Model load_model(chord::Context& context, const std::string& path, const std::string& task, int64_t length) {
  if (!task.empty()) find_task(task);
  try {
    return chord::Model::load(context, path);
  } catch (const chord::Error& error) {
    if (error.status() != CHORD_ERROR_INVALID_ARGUMENT) throw;
    if (task.empty()) throw std::runtime_error(path + ": does not say what it was trained for; --task=NAME does");
  }
  Json description{{"preset", task}};
  if (length > 0) description["length"] = length;
  return chord::Model::load(context, path, description.dump());
}

TaskModel load_task_model(chord::Context& context, const std::string& path, const std::string& task, int64_t length) {
  chord::Model model = load_model(context, path, task, length);
  // Any text may be there, of any program.
  Json note = program::parse_json(model.note());
  if (!note.is_object()) note = Json::object();
  const std::string told = note.contains("task") && note["task"].is_string() ? note["task"].get<std::string>() : task;
  if (told.empty()) throw std::runtime_error(path + ": does not say what it was trained for; --task=NAME does");
  if (!task.empty() && task != told) throw std::runtime_error(path + ": was trained for " + told + ", not for " + task);
  find_task(told);
  return {std::move(model), told, note.contains("encoding") ? note["encoding"].dump() : ""};
}

}  // namespace train
