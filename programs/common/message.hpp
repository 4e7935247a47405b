// What went wrong, for people.
#pragma once

#include <exception>

namespace program {

/// Without the name of the library's function, which means something to programmers only.
const char* message_of(const std::exception& error);

}  // namespace program
