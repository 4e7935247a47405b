#include "options.hpp"

#include <limits>
#include <stdexcept>

#include "common/device.hpp"
#include "common/options.hpp"
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
  chord-factorize *.png --protocol=chord:4 --factors=12 --rank=0 --output=results/ --json
      Several matrices, 12 factors with offsets 0, 1, 4, 16, … each; one JSON object a line.
  chord-factorize --list=matrices.csv --report=summary.html
      All entries of a list, compared with the errors it gives (columns name, file, sf_error, tsvd_error).
  chord-factorize matrix.npy --numbers=20000 --entries=500
      At most 20000 numbers, 1000 of them for the 500 entries that the rest fits worst.

Exit code: 0; 1 if anything failed; 2 for wrong options; 128 + the number of the
signal that ended it, with the best so far kept.)";

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
  if (constraint_named(text) >= 0) return "";
  return "is '" + text + "'; expected " + program::one_of(constraint_names()).expected;
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
  const program::Domain reals = program::reals_below(0, std::numeric_limits<double>::infinity());

  auto* inputs =
      app.add_option("INPUT", options.inputs, "Matrices: MatrixMarket, npy, PNG (grey levels) or safetensors files")
          ->option_text("...");
  app.add_option("--list", options.list,
                 "Instead of INPUT: a CSV file with the columns name, file (relative to it)\n"
                 "and, where known, sf_error and tsvd_error: published errors to compare with")
      ->option_text("FILE.csv")
      ->excludes(inputs);

  const std::string model = "Parts: a low rank, factors and, if wanted, single entries are added up";
  auto* numbers = program::add_option(app, "--numbers", options.numbers, program::counts_from(1),
                                      "Numbers of all parts together, at most; how they are split is found\n"
                                      "(default: M·N·L, those of M = log2 N factors)")
                      ->option_text("K")
                      ->group(model);
  auto* factors = program::add_option(app, "--factors", options.factors, program::counts_from(0),
                                      "Factors in the product, 0 for none (default: found)")
                      ->option_text("M")
                      ->group(model);
  auto* rank = program::add_option(app, "--rank", options.rank, program::counts_from(0),
                                   "Columns of U and V in the low rank U Vᵀ, 0 for none (default: found)")
                   ->option_text("R")
                   ->group(model);
  auto* entries = program::add_option(app, "--entries", options.entries, program::counts_from(0),
                                      "Single entries, two numbers each (default: none)")
                      ->option_text("E")
                      ->group(model);
  auto* paper = app.add_flag("--paper", options.paper,
                             "The paper's setting: factors alone, beside a truncated SVD of rank M²/2, rounded up")
                    ->option_text(" ")
                    ->excludes(numbers, rank, entries)
                    ->group(model);
  auto* links = program::add_option(app, "--links", options.links, program::counts_from(0),
                                    "Non-zeros in a row of a factor (default: as many as the protocol has for N)")
                    ->option_text("L")
                    ->group(model);
  auto* protocol = app.add_option("--protocol", options.protocol,
                                  "Where they are: chord or chord:BASE (offsets 0, 1, BASE, BASE², …),\n"
                                  "symmetric or symmetric:BASE (to both sides), or custom:0,1,5,-3\n"
                                  "(default: chord, which is chord:2)")
                       ->option_text("NAME")
                       ->check(CLI::Validator(protocol_problem, ""))
                       ->group(model);
  auto* constraint = app.add_option("--constraint", options.constraint,
                                    "What the sum, and P, the product, must be (default: none): " + constraint_help())
                         ->option_text("NAME")
                         ->check(CLI::Validator(constraint_problem, ""))
                         ->group(model);
  auto* resume = app.add_option("--resume", options.resume,
                                "Go on from the factors in this file, with its pattern and constraint; they are\n"
                                "written back to it if there is no --output")
                     ->option_text("FILE")
                     ->excludes(numbers, factors, rank, entries, paper, links, protocol, constraint)
                     ->group(model);

  const std::string effort = "Effort";
  program::add_option(app, "--seconds", options.seconds, reals,
                      "Stop after so long, for each input; 0: no limit (default: 60)")
      ->option_text("S")
      ->group(effort);
  program::add_option(app, "--iterations", options.iterations, program::counts_from(0),
                      "Stop after so many, of all starts together (default: no limit)")
      ->option_text("K")
      ->group(effort);
  program::add_option(app, "--tolerance", options.tolerance, reals,
                      "Stop when 1000 iterations lower the error by less than this share of it\n(default: 1e-4)")
      ->option_text("T")
      ->group(effort);
  program::add_option(app, "--restarts", options.restarts, program::counts_from(0),
                      "Starts that are tried, of which the best goes on (default: a few)")
      ->option_text("R")
      ->group(effort);
  program::add_option(app, "--seed", options.seed, program::seeds(), "Of the random starts (default: 0)")
      ->option_text("NUMBER")
      ->group(effort);

  const std::string machine = "Machine";
  app.add_option("--device", options.device, program::device_help)->option_text("DEVICE")->group(machine);
  program::add_option(app, "--precision", options.precision, program::one_of({64, 32}),
                      "Bits of the numbers: 64 or 32 (default: 64, or as in a resumed file)")
      ->option_text("BITS")
      ->group(machine);

  program::add_option(app, "--pieces", options.pieces, program::counts_from(1),
                      "Cut the columns into so many, whose gradients are summed in a fixed order:\n"
                      "the same result for any number of ranks (default: 8 under mpirun)")
      ->option_text("P")
      ->group(machine);
  app.add_flag("--exact-error", options.exact_error,
               "Where the error is an estimate, which is for sparse inputs with N beyond 4096:\n"
               "find it by all columns at the end, however long that takes")
      ->option_text(" ")
      ->group(machine);
  app.add_flag("--matrix-free", options.matrix_free,
               "Form no dense matrix at all, not even for the truncated SVD\n"
               "(for N beyond 4096 that is so anyway; the fit itself keeps a sparse input sparse)")
      ->group(machine);

  const std::string results = "Results";
  auto* output = app.add_option("--output", options.output,
                                "Keep the factors: a safetensors file, or a folder (FOLDER/) for one of each input;\n"
                                "the best so far is written every few seconds")
                     ->option_text("FILE")
                     ->group(results);
  app.add_option("--report", options.report, "Make a page with pictures, charts and numbers, all in one file")
      ->option_text("FILE.html")
      ->group(results);
  app.add_flag("--sweep", options.sweep,
               "Instead of one result: the error against the numbers, from an eighth to\n"
               "twice as many, for the truncated SVD, factors alone and both; all runs\n"
               "together take --seconds")
      ->option_text(" ")
      ->excludes(resume, output, factors, rank, entries, paper)
      ->group(results);
  app.add_flag("--json", options.json, "Print one JSON object per input, each on a line, instead of the table")
      ->group(results);
}

}  // namespace factorize
