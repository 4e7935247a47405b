#include "factorize/checkpoint.hpp"

#include "common/log.hpp"

namespace chord {

void Checkpoint::report(const Error& error) {
  if (!failed_) log(LogLevel::warning, text("no checkpoint: ", error.what()));
  failed_ = true;
}

}  // namespace chord
