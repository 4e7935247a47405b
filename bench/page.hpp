// What was measured as a page: devices side by side as bars, beside what the machine allows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "machine.hpp"

struct Measured {
  Machine machine;
  std::map<std::string, double> seconds;  ///< by name, the best
  std::map<std::string, double> earlier;  ///< to compare with; may be empty
};

/// `facts`: what else is to be said in the head, as "name=text".
std::string bench_page(const Measured& measured, const std::vector<std::string>& facts);
