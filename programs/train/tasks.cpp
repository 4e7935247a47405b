#include "tasks.hpp"

#include <stdexcept>

#include "common/nearest.hpp"
#include "common/text.hpp"

namespace train {
namespace {

const std::vector<Task>& tasks() {
  static const std::vector<Task> all = chord::tasks();
  return all;
}

}  // namespace

const Task& find_task(const std::string& name) {
  for (const Task& each : tasks())
    if (name == each.name) return each;
  throw std::invalid_argument("there is no task '" + name + "'" + program::did_you_mean(name, task_names()) +
                              " (There are " + program::join(task_names(), ", ") + ".)");
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const Task& each : tasks()) names.push_back(each.name);
  return names;
}

std::optional<double> published_accuracy(const std::string& task, int64_t length) {
  const auto index = int32_t(&find_task(task) - tasks().data());
  double percent = 0;
  chord::check(chord_task_get_published_accuracy(index, length, &percent));
  return percent < 0 ? std::nullopt : std::optional(percent);
}

}  // namespace train
