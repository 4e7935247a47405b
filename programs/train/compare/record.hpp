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
  std::size_t epochs() const { return log.empty() ? 0 : log[0].values.size(); }
};

/// Throws unless the folder holds a run.
RunRecord read_record(const std::string& folder);

}  // namespace train
