// The error against the numbers that are stored, for the truncated SVD, for factors alone and for both together.
#pragma once

#include <chord/chord.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fitter.hpp"
#include "job.hpp"
#include "options.hpp"
#include "parts.hpp"

namespace factorize {

struct SweepPoint {
  int64_t numbers;
  double svd;                     ///< error of the highest rank that has no more
  std::optional<double> factors;  ///< error of factors alone; none where one has more
  double both;
  PartSizes split;  ///< that was found
};

struct Sweep {
  Job job;
  chord_matrix_info matrix;
  int32_t constraint;
  double seconds;  ///< that each fit had; 0: no limit
  std::vector<SweepPoint> points;
};

/// From an eighth of the usual numbers, or of --numbers, to twice as many. All runs together take --seconds.
Sweep sweep(chord::Context& context, const Fitter& fitter, const Options& options, const Job& job);

/// For a terminal; a line of JSON; a page with a chart.
std::string sweep_text(const Sweep& sweep);
std::string sweep_json(const Sweep& sweep);
std::string sweep_page(const std::vector<Sweep>& sweeps, const std::string& command_line);

}  // namespace factorize
