#include "data/dataset.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "data/tasks.hpp"

namespace chord {
namespace {

constexpr const char* splits[] = {"train", "validation", "test"};

}  // namespace

Split split_of(const std::string& name) {
  const auto found = std::find(std::begin(splits), std::end(splits), name);
  if (found == std::end(splits))
    fail(Status::invalid_argument, "split is '", name, "'; expected train, validation or test");
  return Split(found - std::begin(splits));
}

std::shared_ptr<const Dataset> open_dataset(const DatasetRequest& request) {
  constexpr bool readable_only = true;
  for (const Task& each : tasks()) {
    if (request.task != each.name) continue;
    if (each.open) return each.open(request);
    fail(Status::unsupported, "the data of task '", request.task, "' cannot be read yet; those of ",
         task_names(readable_only), " can");
  }
  fail(Status::invalid_argument, "task is '", request.task, "'; expected one of: ", task_names(readable_only));
}

}  // namespace chord
