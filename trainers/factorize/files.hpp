// Files of this program's own: lists and reports.
#pragma once

#include <string>

namespace factorize {

std::string read_file(const std::string& path);

/// Replaces the file as a whole, or leaves it as it was and throws.
void write_file(const std::string& path, const std::string& content);

/// Throws if a file could not be written there, before hours of work depend on it.
void expect_writable(const std::string& path);

}  // namespace factorize
