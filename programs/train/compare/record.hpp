// What the folder of a run tells about it.
#pragma once

#include <string>
#include <vector>

#include "../keys.hpp"

namespace train {

/// A column of log.csv over the epochs.
struct LogColumn {
  std::string name;  ///< "validation_accuracy"
  std::vector<double> values;
};

struct RunRecord {
  std::string name;
  Json settings;  ///< by name, the model's and the training's beside one another: "width", "lr"
  std::vector<LogColumn> log;
  Json result;  ///< null while it is running

  const LogColumn* column(const std::string& name) const;
  /// What its validations are numbered by: "epoch" or "step".
  std::string unit() const { return log.empty() ? "epoch" : log[0].name; }
  const std::vector<double>& numbers() const { return log[0].values; }
};

/// Throws unless the folder holds a run.
RunRecord read_record(const std::string& folder);

}  // namespace train
