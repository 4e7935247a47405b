// chord-factorize: approximates matrices by products of sparse factors, beside a truncated SVD of like size.
#include "batch.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/team.hpp"

namespace {

int factorize_all(int argc, char** argv) {
  CLI::App app(
      "Approximates matrices by products of sparse factors with a fixed pattern, and compares each\n"
      "with a truncated SVD of about as many numbers.",
      "chord-factorize");
  factorize::Options options;
  factorize::add_options(app, options);
  program::Team team;
  const auto work = [&] { return factorize::run_all(options, program::command_line(argc, argv), team); };
  const auto tell = team.leads() ? program::explain : program::explain_nothing;
  return team.run([&] { return program::run(app, argc, argv, work, tell); });
}

}  // namespace

int main(int argc, char** argv) { return program::guarded(factorize_all, argc, argv); }
