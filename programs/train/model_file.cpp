#include "model_file.hpp"

#include "keys.hpp"
#include "tasks.hpp"

namespace train {

chord::Model load_model(chord::Context& context, const std::string& path, const std::string& task, int64_t length) {
  find_task(task);
  try {
    return chord::Model::load(context, path);
  } catch (const chord::Error& error) {
    if (error.status() != CHORD_ERROR_INVALID_ARGUMENT) throw;
  }
  Json description{{"preset", task}};
  if (length > 0) description["length"] = length;
  return chord::Model::load(context, path, description.dump());
}

}  // namespace train
