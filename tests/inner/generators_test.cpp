// Files made by rules, read back: their labels are found again by an evaluator written differently, and their labels
// and lengths are distributed like those of a plain sampler of the rules.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include "data_support.hpp"

using namespace data_tests;

namespace {

void generate(const char* task, const std::string& folder, int64_t count, uint64_t seed) {
  auto options = chord::generate_options(task, folder.c_str());
  options.count = count;
  options.seed = seed;
  chord::generate_files(options);
}

/// Walks over an expression by recursive descent.
class Evaluator {
 public:
  explicit Evaluator(const std::string& text) : words_(text) { next(); }

  int value(int depth = 1) {
    deepest = std::max(deepest, depth);
    ++symbols;
    if (std::isdigit(static_cast<unsigned char>(word_[0]))) {
      const int digit = std::stoi(word_);
      next();
      return digit;
    }
    const std::string operation = word_;
    std::vector<int> values;
    for (next(); word_ != "]";) values.push_back(value(depth + 1));
    next();
    ++symbols;
    fewest = std::min(fewest, values.size());
    most = std::max(most, values.size());
    return result(operation, values);
  }
  bool at_end() const { return word_.empty(); }

  int deepest = 0, symbols = 0;
  std::size_t fewest = 100, most = 0;

 private:
  /// Parentheses are looked over.
  void next() {
    do {
      word_.clear();
      words_ >> word_;
    } while (word_ == "(" || word_ == ")");
  }

  static int result(const std::string& operation, const std::vector<int>& values) {
    std::map<int, int> counts;  // by digit
    for (const int each : values) ++counts[each];
    if (operation == "[MIN") return counts.begin()->first;
    if (operation == "[MAX") return counts.rbegin()->first;
    if (operation == "[SM") return int(std::accumulate(values.begin(), values.end(), 0u) % 10);
    const auto ranked = [&](int rank) {
      for (const auto& [digit, count] : counts)
        if ((rank -= count) < 0) return digit;
      return -1;
    };
    const int count = int(values.size());
    return int(std::floor(0.5 * (ranked((count - 1) / 2) + ranked(count / 2))));
  }

  std::istringstream words_;
  std::string word_;
};

struct Row {
  std::string source;
  int target;
};

std::vector<Row> rows_of(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  CHECK(line == "Source\tTarget");
  while (std::getline(file, line)) {
    const std::size_t tab = line.find('\t');
    rows.push_back({line.substr(0, tab), std::stoi(line.substr(tab + 1))});
  }
  return rows;
}

/// Values and lengths of expressions by the rules, drawn otherwise.
std::pair<std::vector<int>, std::vector<int>> sample_rules(int count) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<int> values, lengths;
  while (int(values.size()) < count) {
    int length = 0;
    const std::function<int(int)> node = [&](int depth) -> int {
      if (depth == 10 || share(engine) > 0.25) {
        ++length;
        return int(engine() % 10);
      }
      length += 2;
      std::multiset<int> arguments;
      int sum = 0;
      for (int left = 2 + int(engine() % 9); left > 0; --left) sum += *arguments.insert(node(depth + 1));
      const auto at = [&](std::size_t i) { return *std::next(arguments.begin(), std::ptrdiff_t(i)); };
      const std::size_t size = arguments.size();
      switch (engine() % 4) {
        case 0: return at(0);
        case 1: return at(size - 1);
        case 2: return (at((size - 1) / 2) + at(size / 2)) / 2;
        default: return sum % 10;
      }
    };
    const int value = node(1);
    if (length <= 500 || length >= 2000) continue;
    values.push_back(value);
    lengths.push_back(length);
  }
  return {values, lengths};
}

/// Two samples of one size, counted into bins.
double chi_squared(const std::vector<int>& one, const std::vector<int>& other, const std::function<int(int)>& bin) {
  std::map<int, std::pair<double, double>> bins;
  for (const int each : one) ++bins[bin(each)].first;
  for (const int each : other) ++bins[bin(each)].second;
  double sum = 0;
  for (const auto& [number, counts] : bins) {
    const double difference = counts.first - counts.second;
    sum += difference * difference / (counts.first + counts.second);
  }
  return sum;
}

}  // namespace

TEST_CASE("ListOps: generated labels are right, and expressions keep to the rules") {
  const files::Folder folder;
  generate("listops", folder.path(), 2000, 1);
  std::vector<int> values, lengths;
  std::map<std::string, int> counts;
  for (const char* name : {"basic_train.tsv", "basic_val.tsv", "basic_test.tsv"})
    for (const Row& row : rows_of(folder / name)) {
      Evaluator evaluator(row.source);
      REQUIRE(evaluator.value() == row.target);
      CHECK(evaluator.at_end());
      CHECK(evaluator.deepest <= 10);
      CHECK(evaluator.fewest >= 2);
      CHECK(evaluator.most <= 10);
      CHECK(evaluator.symbols > 500);
      CHECK(evaluator.symbols < 2000);
      values.push_back(row.target);
      lengths.push_back(evaluator.symbols);
      ++counts[name];
    }
  CHECK(counts ==
        std::map<std::string, int>{{"basic_train.tsv", 1600}, {"basic_val.tsv", 200}, {"basic_test.tsv", 200}});
  const auto [expected_values, expected_lengths] = sample_rules(2000);
  // Nine degrees of freedom: exceeded once in a million times, and the numbers are always the same.
  CHECK(chi_squared(values, expected_values, [](int value) { return value; }) < 45);
  CHECK(chi_squared(lengths, expected_lengths, [](int length) { return length / 150; }) < 48);
}

TEST_CASE("ListOps: generated files can be read, and are a function of count and seed") {
  const Cache cache;
  const files::Folder folder;
  for (const char* name : {"a", "b"}) generate("listops", folder / name, 30, 4);
  generate("listops", folder / "c", 30, 5);
  const auto content = [&](const std::string& name) { return files::content_of(folder / (name + "/basic_val.tsv")); };
  CHECK(content("a") == content("b"));
  CHECK(content("a") != content("c"));
  CHECK(content("a") != files::content_of(folder / "a/basic_test.tsv"));
  CHECK(load("listops", "train", folder / "a").info.count == 24);
  CHECK(load("listops", "all", folder / "a").info.count == 27);
}

TEST_CASE("Pathfinder: generated pictures can be read, and are a function of count and seed") {
  const Cache cache;
  const files::Folder folder;
  for (const char* name : {"a", "b"}) generate("pathfinder", folder / name, 300, 4);
  generate("pathfinder", folder / "c", 300, 5);
  const Sequences train = load("pathfinder", "train", folder / "a");
  CHECK(train.info.count == 240);
  CHECK(train.info.vocabulary <= 225);
  CHECK(load("pathfinder", "validation", folder / "a").info.count == 30);
  CHECK(load("pathfinder", "test", folder / "a").info.count == 30);
  CHECK(train == load("pathfinder", "train", folder / "b"));
  CHECK_FALSE(train == load("pathfinder", "train", folder / "c"));
  const int ones = std::accumulate(train.labels.begin(), train.labels.end(), 0);
  CHECK(std::abs(ones - 120) < 6 * std::sqrt(60));
}

TEST_CASE("generators refuse what they cannot do, and leave nothing behind") {
  const files::Folder folder;
  CHECK_THROWS_WITH_AS(generate("image", folder.path(), 100, 0),
                       doctest::Contains("there are generators of files for: listops, pathfinder"), chord::Error);
  CHECK_THROWS_WITH_AS(generate("listops", folder.path(), 8, 0), doctest::Contains("count is 8; expected 9 or more"),
                       chord::Error);
  CHECK_THROWS_AS(generate("listops", folder.path(), -1, 0), chord::Error);
  save(folder / "file", "");
  CHECK_THROWS_AS(generate("listops", folder / "file", 10, 0), chord::Error);
  CHECK_THROWS_AS(generate("pathfinder", folder / "file", 10, 0), chord::Error);
  for (const char* task : {"listops", "pathfinder"}) {
    auto options = chord::generate_options(task, folder.path().c_str());
    options.count = 1000;
    options.progress = [](int64_t done, int64_t, void*) { return int32_t(done > 0); };
    CHECK(chord_generate_files(&options) == CHORD_ERROR_STOPPED);
    CHECK(folder.entries() == 1);
  }
  generate("pathfinder", folder.path(), 9, 0);
  CHECK_THROWS_WITH_AS(generate("pathfinder", folder.path(), 9, 0),
                       doctest::Contains("curv_baseline: is there already"), chord::Error);
}
