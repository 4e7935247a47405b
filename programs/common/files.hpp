// Files of the programs' own: lists, reports, records. The library writes them (chord::write_file).
#pragma once

#include <string>
#include <vector>

namespace program {

/// Not without end: /dev/zero is refused, as is anything above 64 MiB.
std::string read_file(const std::string& path);

/// Throws if a file could not be written there, before hours of work depend on it, or if it is one of those that are
/// read.
void expect_writable(const std::string& path, const std::vector<std::string>& read = {});

}  // namespace program
