// What became of an epoch, as a line of a table that grows while a run goes on; 80 columns are enough.
#pragma once

#include <string>

#include "history.hpp"

namespace train {

/// `selecting_set`: validation or test.
std::string epoch_title(const std::string& selecting_set);

/// The last of those that are done, of `epochs`. `left`: seconds of the run.
std::string epoch_line(const History& history, int64_t epochs, double left);

}  // namespace train
