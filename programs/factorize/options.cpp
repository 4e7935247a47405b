#include "options.hpp"

#include <cmath>
#include <stdexcept>

#include "common/device.hpp"
#include "common/text.hpp"
#include "names.hpp"
#include "protocol.hpp"

namespace factorize {
namespace {

const char* const examples = R"(Examples:
  chord-factorize matrix.mtx
      A table with the errors of the factorisation and of a truncated SVD, after a minute at most.
  chord-factorize matrix.npy --seconds=600 --output=factors.safetensors --report=report.html
      Keeps the factors, and makes a page with pictures and charts.
  chord-factorize matrix.npy --resume=factors.safetensors
      Goes on from there and writes the better factors back.
  chord-factorize *.png --protocol=chord:4 --factors=12 --output=results/ --json
      Several matrices, 12 factors with offsets 0, 1, 4, 16, … each; one JSON object a line.
  chord-factorize --list=matrices.csv --report=summary.html
      All entries of a list, compared with the errors it gives (columns name, file, sf_error, tsvd_error).)";

/// Empty if a text is a finite number of 0 or more. CLI11's own ranges need an end.
std::string range_problem(const std::string& text) {
  double value = 0;
  const bool fine = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value >= 0;
  return fine ? "" : "'" + text + "' is not a number of 0 or more";
}

/// Empty if a text is a protocol.
std::string protocol_problem(const std::string& text) {
  try {
    Protocol{text};
    return "";
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
}

/// Empty if a text names a constraint.
std::string constraint_problem(const std::string& text) {
  return constraint_named(text) >= 0 ? "" : "'" + text + "' is none of " + program::join(constraint_names(), ", ");
}

/// A line for each.
std::string constraint_help() {
  std::string help;
  for (const chord_name_info& each : chord::constraints())
    help += "\n" + std::string(each.name) + ", " + each.description;
  return help;
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.get_formatter()->column_width(24);
  app.footer(examples);

  auto* inputs = app.add_option("INPUT", options.inputs,
                                "Square matrices: MatrixMarket, npy, PNG (grey levels) or safetensors files")
                     ->option_text("...");
  app.add_option("--list", options.list,
                 "Instead of INPUT: a CSV file with the columns name, file (relative to it)\n"
                 "and, where known, sf_error and tsvd_error: published errors to compare with")
      ->option_text("FILE.csv")
      ->excludes(inputs);

  const std::string model = "Factors";
  auto* factors = app.add_option("--factors", options.factors, "Factors in the product (default: log2 N, rounded up)")
                      ->option_text("M")
                      ->check(CLI::Validator(range_problem, ""))
                      ->group(model);
  auto* links = app.add_option("--links", options.links,
                               "Non-zeros in a row of a factor (default: as many as the protocol has for N)")
                    ->option_text("L")
                    ->check(CLI::Validator(range_problem, ""))
                    ->group(model);
  auto* protocol = app.add_option("--protocol", options.protocol,
                                  "Where they are: chord or chord:BASE (offsets 0, 1, BASE, BASE², …),\n"
                                  "symmetric or symmetric:BASE (to both sides), or custom:0,1,5,-3\n"
                                  "(default: chord, which is chord:2)")
                       ->option_text("NAME")
                       ->check(CLI::Validator(protocol_problem, ""))
                       ->group(model);
  auto* constraint = app.add_option("--constraint", options.constraint,
                                    "What the product must be (default: none): " + constraint_help())
                         ->option_text("NAME")
                         ->check(CLI::Validator(constraint_problem, ""))
                         ->group(model);
  app.add_option("--resume", options.resume,
                 "Go on from the factors in this file, with its pattern and constraint; they are\n"
                 "written back to it if there is no --output")
      ->option_text("FILE")
      ->excludes(factors, links, protocol, constraint)
      ->group(model);

  const std::string effort = "Effort";
  app.add_option("--seconds", options.seconds, "Stop after so long, for each input; 0: no limit (default: 60)")
      ->option_text("S")
      ->check(CLI::Validator(range_problem, ""))
      ->group(effort);
  app.add_option("--iterations", options.iterations, "Stop after so many, of all starts together (default: no limit)")
      ->option_text("K")
      ->check(CLI::Validator(range_problem, ""))
      ->group(effort);
  app.add_option("--tolerance", options.tolerance,
                 "Stop when 1000 iterations lower the error by less than this share of it\n(default: 1e-4)")
      ->option_text("T")
      ->check(CLI::Validator(range_problem, ""))
      ->group(effort);
  app.add_option("--restarts", options.restarts, "Starts that are tried, of which the best goes on (default: a few)")
      ->option_text("R")
      ->check(CLI::Validator(range_problem, ""))
      ->group(effort);
  app.add_option("--seed", options.seed, "Of the random starts (default: 0)")->option_text("NUMBER")->group(effort);

  const std::string machine = "Machine";
  app.add_option("--device", options.device, program::device_help)->option_text("DEVICE")->group(machine);
  app.add_option("--precision", options.precision,
                 "Bits of the numbers: 64 or 32 (default: 64, or as in a resumed file)")
      ->option_text("BITS")
      ->check(CLI::IsMember({64, 32}))
      ->group(machine);

  app.add_flag("--matrix-free", options.matrix_free,
               "Form no dense matrix at all, not even for the truncated SVD and the pictures\n"
               "(for N beyond 4096 that is so anyway; the fit itself keeps a sparse input sparse)")
      ->group(machine);

  const std::string results = "Results";
  app.add_option("--output", options.output,
                 "Keep the factors: a safetensors file, or a folder (FOLDER/) for one of each input;\n"
                 "the best so far is written every few seconds")
      ->option_text("FILE")
      ->group(results);
  app.add_option("--report", options.report, "Make a page with pictures, charts and numbers, all in one file")
      ->option_text("FILE.html")
      ->group(results);
  app.add_flag("--json", options.json, "Print one JSON object per input, each on a line, instead of the table")
      ->group(results);
}

}  // namespace factorize
