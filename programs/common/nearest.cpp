#include "nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace program {
namespace {

/// Levenshtein's.
std::size_t distance(const std::string& one, const std::string& other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i] != other[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Those of an option, which all have.
std::string without_dashes(const std::string& word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = without_dashes(word).size() / 2 + 1;  // at least half of it must be right
  for (const std::string& each : known) {
    const std::size_t away = distance(without_dashes(word), without_dashes(each));
    if (away >= least) continue;
    least = away;
    best = each;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string meant = nearest(word, known);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace program
