// How many threads the host device uses: OpenMP reads that from the environment, once, before main begins.
#pragma once

#include <cstdint>

namespace train {

class Threads {
 public:
  explicit Threads(char** arguments) : arguments_(arguments) {}

  /// Starts the program anew in this process, with the environment that says so, unless it already does. 0: as it is.
  void use(int64_t count) const;

 private:
  char** arguments_;
};

}  // namespace train
