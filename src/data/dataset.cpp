#include "data/dataset.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "data/joined.hpp"
#include "data/selection.hpp"
#include "data/tasks.hpp"

namespace chord {
namespace {

constexpr const char* splits[] = {"train", "validation", "test", "all"};

std::shared_ptr<const Dataset> open_whole(const Task& task, const DatasetRequest& request) {
  if (request.split != Split::all) return task.open(request);
  DatasetRequest train = request, validation = request;
  train.split = Split::train;
  validation.split = Split::validation;
  // A generated training set has as many sequences as are wanted.
  if (task.generated() && request.count > 0) return task.open(train);
  return joined(task.open(train), task.open(validation));
}

std::shared_ptr<const Dataset> open(const Task& task, const DatasetRequest& request) {
  if (!task.generated()) return selected(open_whole(task, request), request.count, request.sample);
  if (request.sample != 0)
    fail(Status::invalid_argument, "sample is ", request.sample, "; the task ", request.task,
         " is generated, by its seed alone, so expected 0");
  return open_whole(task, request);
}

}  // namespace

Split split_of(const std::string& name) {
  const auto found = std::find(std::begin(splits), std::end(splits), name);
  if (found == std::end(splits))
    fail(Status::invalid_argument, "split is '", name, "'; expected train, validation, test or all");
  return Split(found - std::begin(splits));
}

std::shared_ptr<const Dataset> open_dataset(const DatasetRequest& request) {
  constexpr bool readable_only = true;
  for (const Task& each : tasks()) {
    if (request.task != each.name) continue;
    if (each.open) return open(each, request);
    fail(Status::unsupported, "the data of task '", request.task, "' cannot be read yet; those of ",
         task_names(readable_only), " can");
  }
  fail(Status::invalid_argument, "task is '", request.task, "'; expected one of: ", task_names(readable_only));
}

}  // namespace chord
