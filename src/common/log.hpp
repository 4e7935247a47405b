// Messages a person may want to see ("compiling kernels…"). Silent unless a callback is set; the library never prints.
#pragma once

#include <string>

namespace chord {

enum class LogLevel : int { info = 0, warning = 1 };

using LogCallback = void (*)(int level, const char* message, void* user);

/// Returns when the callback before is no longer running in any thread, unless it is called by a callback: two of them
/// would wait for each other.
void set_log_callback(LogCallback callback, void* user);

/// Not noexcept: the thread may end in the callback, and that unwinds the stack.
void log(LogLevel level, const std::string& message);

}  // namespace chord
