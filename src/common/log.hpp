// Messages a person may want to see ("compiling kernels…"). Silent unless a callback is set; the library never prints.
#pragma once

#include <string>

namespace chord {

enum class LogLevel : int { info = 0, warning = 1 };

using LogCallback = void (*)(int level, const char* message, void* user);

void set_log_callback(LogCallback callback, void* user);
void log(LogLevel level, const std::string& message) noexcept;

}  // namespace chord
