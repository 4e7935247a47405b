// A scenario with one fault after the other: whatever fails, it gets a status, nothing ends the process, nothing is
// lost, files are whole, and the next run works.
#pragma once

#include <string>

#include "faults.hpp"
#include "scenarios.hpp"

namespace faults {

struct Experiment {
  const Scenario& scenario;
  std::string device;
  Kind kind;
  bool from_then_on;
  std::int64_t most;       ///< of the places that fail, at equal distances; 0: all of them
  std::int64_t place = 0;  ///< this one alone, where it is not 0
};

struct Outcome {
  std::int64_t places = 0;   ///< where something can fail
  std::int64_t tried = 0;    ///< of those
  std::int64_t refused = 0;  ///< runs that ended with a status; the others did without
  std::int64_t problems = 0;
};

/// In processes of its own. Problems are printed.
Outcome run(const Experiment& experiment);

/// Whether there is such a device; asked by a process of its own.
bool is_there(const std::string& device);

}  // namespace faults
