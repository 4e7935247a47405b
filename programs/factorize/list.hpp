// Many matrices from a CSV file, with the errors published for them.
#pragma once

#include <string>
#include <vector>

#include "job.hpp"

namespace factorize {

/// The entries of a CSV file with the columns name, file (relative to the CSV's folder) and optionally sf_error or
/// paper_sf_error, and tsvd_error or paper_tsvd_error. Throws std::runtime_error with the file's name and the line.
std::vector<Job> read_list(const std::string& path);

}  // namespace factorize
