// What the stand-in finds wrong: said on stderr, counted by kind.
#pragma once

#include <string>

namespace chord::standin {

/// printf to a string.
std::string format(const char* form, ...) __attribute__((format(printf, 1, 2)));

/// A line on stderr, of the stand-in.
void say(const std::string& line);

/// A finding. Those of one kind and place are said once, and how many there were at exit.
void report(const std::string& kind, const std::string& place, const std::string& message);

unsigned long reports_of(const char* kind);

}  // namespace chord::standin
