// What became of an epoch, as a line of a table that grows while a run goes on; 80 columns are enough.
#pragma once

#include <string>

#include "result.hpp"

namespace train {

std::string epoch_title(const Setup& setup);

/// The last of those that are done. `last_number`: of the run's last validation; `left`: seconds of the run.
std::string epoch_line(const History& history, int64_t last_number, double left);

}  // namespace train
