#include "examples.hpp"

#include <algorithm>

namespace train {
namespace {

constexpr std::size_t most = 4;

std::vector<int64_t> spread(const std::vector<Answer>& answers, bool right) {
  std::vector<int64_t> all, some;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i].right == right) all.push_back(int64_t(i));
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  return some;
}

}  // namespace

std::vector<Example> examples_of(Observer& observer, const chord::Dataset& data, const std::vector<Answer>& answers) {
  std::vector<Example> examples;
  for (const bool right : {true, false})
    for (const int64_t index : spread(answers, right))
      examples.push_back({index, observer.look(read_sequence(data, index), 0)});
  return examples;
}

}  // namespace train
