#include "data/generate_files.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "data/tasks.hpp"

namespace chord {
namespace {

/// One for each split, of each of three kinds of pictures.
constexpr std::int64_t fewest = 9;

void check_count(std::int64_t count) {
  if (count < fewest) fail(Status::invalid_argument, "count is ", count, "; expected ", fewest, " or more");
  checked_int32(count, "count");
}

std::string generating_tasks() {
  std::string names;
  for (const Task& each : tasks())
    if (each.generate) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

}  // namespace

void generate_files(const GenerateRequest& request) {
  for (const Task& each : tasks()) {
    if (request.task != each.name || !each.generate) continue;
    check_count(request.count);
    return each.generate(request);
  }
  fail(Status::invalid_argument, "task is '", request.task,
       "'; there are generators of files for: ", generating_tasks());
}

SplitCounts split_counts(std::int64_t count) {
  const std::int64_t held_back = std::max<std::int64_t>(1, count / 10);
  return {count - 2 * held_back, held_back, held_back};
}

}  // namespace chord
