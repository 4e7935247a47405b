#include "factorize/checkpoint.hpp"

#include "common/log.hpp"

namespace chord {

void Checkpoint::report(const char* problem) {
  if (failed_) return;
  try {
    log(LogLevel::warning, text("no checkpoint: ", problem));
    failed_ = true;
  } catch (const std::bad_alloc&) {
    // Then it is said the next time.
  }
}

}  // namespace chord
