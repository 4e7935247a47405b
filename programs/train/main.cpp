// chord-train: trains networks with Chord attention on the tasks of the paper, evaluates them and applies them.
#include "attention/attention.hpp"
#include "common/options.hpp"
#include "common/program.hpp"
#include "common/team.hpp"
#include "compare/compare.hpp"
#include "eval.hpp"
#include "generate.hpp"
#include "options.hpp"
#include "predict.hpp"
#include "run.hpp"

namespace {

int run_command(int argc, char** argv) {
  CLI::App app(
      "Trains a network whose attention is a product of sparse factors, on a task of the paper, and keeps the best\n"
      "model by validation with log, curves and test result.",
      "chord-train");
  train::Options options;
  train::add_options(app, options);
  program::Team team;
  const auto work = [&] {
    if (team.size() > 1 && !app.get_subcommands().empty() && !app.got_subcommand("eval"))
      throw program::Misuse(app.get_subcommands()[0]->get_name(), "works alone; start it without mpirun");
    if (app.got_subcommand("eval")) return train::evaluate_model(options.eval, team);
    if (app.got_subcommand("predict")) return train::predict(options.predict);
    const std::string command_line = program::command_line(argc, argv);
    if (app.got_subcommand("attention")) return train::show_attention(options.attention, command_line);
    if (app.got_subcommand("compare")) return train::compare_runs(options.compare, command_line);
    if (app.got_subcommand("generate")) return train::generate(options.generate);
    return train::train_model(options.train, command_line, team);
  };
  const auto tell = team.leads() ? program::explain : program::explain_nothing;
  return team.run([&] { return program::run(app, argc, argv, work, tell); });
}

}  // namespace

int main(int argc, char** argv) { return program::guarded(run_command, argc, argv); }
