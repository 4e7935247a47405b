#include "class_names.hpp"

#include <map>
#include <vector>

#include "common/text.hpp"
#include "tasks.hpp"

namespace train {
namespace {

const std::vector<std::string>& names_of(const std::string& task) {
  static const std::map<std::string, std::vector<std::string>> names = {
      {"image", {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}},
      {"text", {"negative", "positive"}},
      {"pathfinder", {"not connected", "connected"}},
      {"order", {"X X", "X Y", "Y X", "Y Y"}}};
  static const std::vector<std::string> none;
  const auto found = names.find(task);
  return found == names.end() ? none : found->second;
}

bool has_values(const std::string& task) { return find_task(task).classes == 1; }

}  // namespace

std::string class_name(const std::string& task, int64_t number) {
  const auto& names = names_of(task);
  return std::size_t(number) < names.size() ? names[std::size_t(number)] : std::to_string(number);
}

std::string given_text(const std::string& task, const Answer& answer) {
  if (has_values(task)) return program::mathematical(answer.given);
  return class_name(task, int64_t(answer.given)) + " (" + std::to_string(int(100 * answer.confidence)) + " %)";
}

std::string expected_text(const std::string& task, const Answer& answer) {
  return has_values(task) ? program::mathematical(answer.expected) : class_name(task, int64_t(answer.expected));
}

}  // namespace train
