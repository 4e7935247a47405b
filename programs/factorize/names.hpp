// What the library calls its constraints and its reasons to stop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace factorize {

std::vector<std::string> constraint_names();
std::string constraint_name(int32_t constraint);
/// CHORD_CONSTRAINT_… of a name; -1 where it is none. "psd", which semidefinite was called once, will do.
int32_t constraint_named(const std::string& name);

std::string stop_name(int32_t stop);

}  // namespace factorize
