#include "threads.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

namespace train {

void Threads::use(int64_t count) const {
  constexpr const char* variable = "OMP_NUM_THREADS";
  const std::string wanted = std::to_string(count);
  const char* const now = std::getenv(variable);
  if (count == 0 || (now && now == wanted)) return;
  setenv(variable, wanted.c_str(), 1);
  execv("/proc/self/exe", arguments_);
  const int problem = errno;
  throw std::runtime_error("cannot start with " + wanted + " threads (set " + variable +
                           " instead): " + std::generic_category().message(problem));
}

}  // namespace train
