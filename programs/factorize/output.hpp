// Where the factors of each input, and the report, are kept.
#pragma once

#include <string>
#include <vector>

#include "job.hpp"
#include "options.hpp"

namespace factorize {

/// One path per job, empty where nothing is kept. Throws if they could not be written, or would overwrite each other or
/// an input.
std::vector<std::string> output_paths(const Options& options, const std::vector<Job>& jobs);

/// Throws if the report could not be written, or would overwrite an input or the factors.
void expect_report_fits(const Options& options, const std::vector<Job>& jobs, const std::vector<std::string>& outputs);

}  // namespace factorize
