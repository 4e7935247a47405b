#include "data/dataset.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "data/adding.hpp"
#include "data/image.hpp"
#include "data/order.hpp"

namespace chord {
namespace {

struct Task {
  const char* name;
  std::shared_ptr<const Dataset> (*open)(const DatasetRequest&);
};
constexpr Task tasks[] = {{"adding", open_adding}, {"order", open_order}, {"image", open_image}};

/// Models have presets for these, too.
constexpr const char* tasks_to_come[] = {"listops", "text", "pathfinder"};

constexpr const char* splits[] = {"train", "validation", "test"};

std::string task_names() {
  std::string names;
  for (const Task& each : tasks) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

}  // namespace

Split split_of(const std::string& name) {
  const auto found = std::find(std::begin(splits), std::end(splits), name);
  if (found == std::end(splits))
    fail(Status::invalid_argument, "split is '", name, "'; expected train, validation or test");
  return Split(found - std::begin(splits));
}

std::shared_ptr<const Dataset> open_dataset(const DatasetRequest& request) {
  for (const Task& each : tasks)
    if (request.task == each.name) return each.open(request);
  if (std::find(std::begin(tasks_to_come), std::end(tasks_to_come), request.task) != std::end(tasks_to_come))
    fail(Status::unsupported, "the data of task '", request.task, "' cannot be read yet; those of ", task_names(),
         " can");
  fail(Status::invalid_argument, "task is '", request.task, "'; expected one of: ", task_names());
}

}  // namespace chord
