// The results as a page: one file that needs no other and no network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../result.hpp"
#include "../view.hpp"

namespace factorize {

class Report {
 public:
  /// Of one matrix everything, of several a table and a little of each. `published`: their errors come from a list.
  Report(std::vector<Job> jobs, bool published, std::string command_line);

  /// Draws at once, so that the matrices need not be kept.
  void add(const Result& result, const std::optional<View>& view);

  bool empty() const { return results_.empty(); }

  /// The page of what was added, which must be something.
  std::string html() const;

 private:
  bool summary() const { return jobs_.size() > 1; }

  std::vector<Job> jobs_;
  bool published_;
  std::string command_line_;
  std::vector<Result> results_;
  std::string sections_;
};

}  // namespace factorize
