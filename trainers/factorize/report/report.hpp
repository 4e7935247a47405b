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
  /// `summary`: a table of all matrices and a little of each, instead of all of one. `published`: with published errors.
  Report(bool summary, bool published, std::string command_line);

  /// Draws at once, so that the matrices need not be kept.
  void add(const Result& result, const std::optional<View>& view);

  std::string html() const;

 private:
  bool summary_, published_;
  std::string command_line_;
  std::vector<Result> results_;
  std::string sections_;
};

}  // namespace factorize
