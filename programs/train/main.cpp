// chord-train: trains networks with Chord attention on the tasks of the paper, evaluates them and applies them.
#include "attention/attention.hpp"
#include "common/program.hpp"
#include "compare/compare.hpp"
#include "eval.hpp"
#include "generate.hpp"
#include "options.hpp"
#include "predict.hpp"
#include "run.hpp"

int main(int argc, char** argv) {
  CLI::App app(
      "Trains a network whose attention is a product of sparse factors, on a task of the paper, and keeps the best\n"
      "model by validation with log, curves and test result.",
      "chord-train");
  train::Options options;
  train::add_options(app, options);
  return program::run(app, argc, argv, [&] {
    if (app.got_subcommand("eval")) return train::evaluate_model(options.eval);
    if (app.got_subcommand("predict")) return train::predict(options.predict);
    const std::string command_line = program::command_line(argc, argv);
    if (app.got_subcommand("attention")) return train::show_attention(options.attention, command_line);
    if (app.got_subcommand("compare")) return train::compare_runs(options.compare, command_line);
    if (app.got_subcommand("generate")) return train::generate(options.generate);
    return train::train_model(options.train, command_line);
  });
}
