// Options that cannot be followed, as the work itself finds out. They are told like those that the parser refuses, but
// CLI11, whose header is long, is none of the work's business.
#pragma once

#include <stdexcept>
#include <string>

namespace program {

struct Misuse : std::runtime_error {
  Misuse(const std::string& option, const std::string& problem) : std::runtime_error(option + ": " + problem) {}

  /// Nothing was given where something has to be.
  static Misuse missing(const std::string& option) { return Misuse(option + " is required"); }

 private:
  using std::runtime_error::runtime_error;
};

}  // namespace program
