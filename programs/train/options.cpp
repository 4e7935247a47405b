#include "options.hpp"

#include <limits>
#include <stdexcept>

#include "common/device.hpp"
#include "common/options.hpp"
#include "common/text.hpp"
#include "common/threads.hpp"
#include "settings.hpp"
#include "tasks.hpp"

namespace train {
namespace {

const char* const examples =
    R"(The defaults of a model's keys are the paper's for the task.

Examples:
  chord-train adding --length=512
      The adding problem with the paper's settings; the run is kept in runs/adding-512.
  chord-train image --data=cifar-10-batches-bin --out=runs/cifar --lr=5e-4 --width=32
      CIFAR-10, its folder as it is unpacked; every setting and every key of the model can be given.
  chord-train image --out=runs/cifar --resume
      Goes on where that run was interrupted or killed, with its settings, and ends with the same bits.
  chord-train --config=runs/cifar/config.json --out=runs/again
      The same run once more.

eval, predict, attention, compare and generate have a --help of their own.

Exit code: 0; 1 if the work failed; 2 for wrong options; 128 + the number of the
signal that ended it, with all that --resume needs written.)";

const char* const eval_footer =
    R"(The model's file says what it was trained for and how its inputs are encoded;
of one that does not, --task tells. Standard output gets a table, or with --json
one object; nothing is written.

Examples:
  chord-train eval --model=runs/adding-512/model.safetensors --count=2000
  chord-train eval --model=runs/cifar/model.safetensors --split=validation \
      --data=cifar-10-batches-bin --json)";

const char* const compare_footer =
    R"(The page has the curves of all runs on common axes, their results and the
settings that differ; the tables are printed, too. Runs that are still going on
can be compared as far as they are.

Example:
  chord-train compare runs/cifar runs/again --output=cifar.html)";

const char* const generate_footer =
    R"(Without --data, listops and pathfinder become files like those they are read
from, made by their published rules: --count sequences (default: 10000), a tenth
of them for validation and for test each.

Other data, and those of --data, become TASK-LENGTH-SPLIT-inputs.npy and
TASK-LENGTH-SPLIT-labels.npy in that folder: inputs int32 [count, N], or float32
[count, N, features] for reals; labels int32 [count], or float32 for reals.

Examples:
  chord-train generate adding --length=128 --split=test --output=data
  chord-train generate listops --count=20000 --output=data/listops
  chord-train listops --data=data/listops)";

const char* const attention_footer =
    R"(Shown are rows of the product of the block's factors, never the whole product:
of text and ListOps the row of the token the answer is made from, of Pathfinder
the sum of those around the two end points, of images that of 16 pixels, of the
generated tasks the rows of the two marked positions. FILE.npy becomes float32
[rows, N].

Examples:
  chord-train attention --model=runs/cifar/model.safetensors --index=7 \
      --data=cifar-10-batches-bin --output=seven.html
  chord-train attention --model=runs/text/model.safetensors \
      --input=review.txt --output=review.html)";

const char* const predict_footer =
    R"(Of raw inputs, the class and the model's confidence, its probability, are
printed. They are encoded as the model's training data were: what that takes is
in its file.

TOKENS.npy is int32 [batch, N], or float32 [batch, N, features] for reals;
LOGITS.npy becomes float32 [batch, classes]. With --labels, int32 [batch] or
float32 for reals, the mean loss and the right answers are printed as JSON.

Examples:
  chord-train predict --model=runs/cifar/model.safetensors \
      --input=frog.png --input=ship.png
  chord-train predict --model=runs/listops/model.safetensors \
      --input='[MAX 2 9 [MIN 4 7 ] 0 ]'
  chord-train predict --model=runs/adding-128/model.safetensors \
      --input=tokens.npy --output=logits.npy)";

/// "adding (generated), …, image, pathfinder".
std::string tasks_help() {
  std::string help;
  for (const std::string& name : task_names())
    help += (help.empty() ? "" : ", ") + name + (find_task(name).generated ? " (generated)" : "");
  return help;
}

CLI::Validator known_task() {
  return CLI::Validator(
      [](const std::string& name) {
        try {
          find_task(name);
          return std::string();
        } catch (const std::invalid_argument& problem) {
          return std::string(problem.what());
        }
      },
      "");
}

void add_key(CLI::App& app, const Key& key, Json& section, const std::string& group) {
  if (key.domain.kind == Domain::Kind::boolean) {
    app.add_flag_function(
           key.option(), [&key, &section](int64_t times) { section[key.name] = times > 0; }, key.help)
        ->group(group);
    return;
  }
  app.add_option_function<std::string>(
         key.option(),
         [&key, &section](const std::string& text) {
           section[key.name] = program::parsed(key.option(), key.domain, text);
         },
         key.help)
      ->option_text(key.placeholder)
      ->take_last()
      ->group(group);
}

void add_training(CLI::App& app, TrainOptions& options) {
  options.given = {{"model", Json::object()}, {"training", Json::object()}};
  app.add_option("TASK", options.task, "What to learn: " + tasks_help())->option_text(" ")->check(known_task());
  app.add_option("--config", options.config,
                 "Settings from a JSON file {\"task\": …, \"model\": {…}, \"training\": {…}}, e.g. another run's\n"
                 "config.json; the command line overrides them")
      ->option_text("FILE.json");
  for (const Key& key : training_settings()) add_key(app, key, options.given["training"], "Training");
  for (const Key& key : model_keys()) add_key(app, key, options.given["model"], "Model");

  const std::string results = "Results";
  app.add_option("--out", options.out,
                 "Folder for model, checkpoint, log, result and report (default: runs/TASK-LENGTH)")
      ->option_text("FOLDER")
      ->group(results);
  app.add_flag("--resume", options.resume, "Go on with the run in that folder, with its settings")->group(results);
  program::add_option(app, "--checkpoint-seconds", options.checkpoint_seconds,
                      program::reals_below(0, std::numeric_limits<double>::infinity()),
                      "How often all that --resume needs is written (default: 30)")
      ->option_text("S")
      ->group(results);
  app.add_flag("--json", options.json, "Print the result as one JSON object")->group(results);
  app.add_flag("--quiet", options.quiet, "Show no progress")->group(results);
}

void add_machine(CLI::App& command, MachineOptions& options) {
  command.add_option("--device", options.device, program::device_help)->option_text("DEVICE");
  program::add_option(command, "--threads", options.threads, program::integers_between(1, program::most_threads),
                      "Threads of the host device")
      ->option_text("T");
}

void add_model(CLI::App& command, std::string& model, std::string& task) {
  command
      .add_option("--model", model,
                  "A model.safetensors of this program, or a file with the tensors of the paper's PyTorch code")
      ->option_text("FILE")
      ->required();
  command
      .add_option("--task", task,
                  "What it was trained for: " + program::join(task_names(), ", ") + " (default: as the file says)")
      ->option_text("TASK")
      ->check(known_task());
}

/// The sequences of a task that are meant.
template <class Choice>
void add_data(CLI::App& command, Choice& options) {
  command.add_option("--data", options.data, "The task's files, where it is not generated")->option_text("FOLDER");
  program::add_option(command, "--split", options.split, program::one_of({"train", "validation", "test", "all"}),
                      "train, validation, test or all: the first two (default: " + options.split + ")")
      ->option_text("NAME");
  program::add_option(command, "--count", options.count, program::counts_from(1),
                      "Sequences; of files, a sample by the seed (default: all, the paper's)")
      ->option_text("K");
  program::add_option(command, "--seed", options.seed, program::seeds(),
                      "Of a generated task, or of a sample (default: 0)")
      ->option_text("NUMBER");
}

void add_eval(CLI::App& app, EvalOptions& options) {
  auto& command = *app.add_subcommand("eval", "Loss and accuracy of a model on a task's data");
  command.footer(eval_footer);
  add_model(command, options.model, options.task);
  add_data(command, options);
  program::add_option(command, "--length", options.length, program::counts_from(1),
                      "Positions of a sequence (default: the model's)")
      ->option_text("N");
  program::add_option(command, "--batch", options.batch, program::counts_from(1),
                      "Sequences at a time (default: the paper's batch)")
      ->option_text("B");
  add_machine(command, options);
  command.add_flag("--json", options.json, "Print one JSON object");
}

void add_predict(CLI::App& app, PredictOptions& options) {
  auto& command = *app.add_subcommand("predict", "What a model says to inputs");
  command.footer(predict_footer);
  add_model(command, options.model, options.task);
  command
      .add_option("--input", options.inputs,
                  "A review's text, a ListOps expression, a PNG: a file, or the expression itself; may be given\n"
                  "several times. Or a file TOKENS.npy of sequences")
      ->option_text("FILE")
      ->allow_extra_args(false)  // else CLI11 takes an expression apart, whose [ ] look like its lists
      ->required();
  command.add_option("--output", options.output, "Where the outputs go; must be given for TOKENS.npy")
      ->option_text("LOGITS.npy");
  command.add_flag("--json", options.json, "Print classes as a JSON array");
  auto* labels =
      command.add_option("--labels", options.labels, "The right answers, for the loss")->option_text("LABELS.npy");
  command.add_option("--gradients", options.gradients, "Where the gradients of the mean loss go, by name")
      ->option_text("FILE.safetensors")
      ->needs(labels);
  program::add_option(command, "--batch", options.batch, program::counts_from(1),
                      "Sequences at a time (default: the paper's batch)")
      ->option_text("B");
  add_machine(command, options);
}

void add_attention(CLI::App& app, AttentionOptions& options) {
  auto& command = *app.add_subcommand("attention", "What a model attends to in one sequence");
  command.footer(attention_footer);
  add_model(command, options.model, options.task);
  auto* input = command.add_option(
      "--input", options.input,
      "A sequence: the file of a review, a PNG, a ListOps expression (itself or its file),\nor an npy file");
  input->option_text("FILE");
  program::add_option(command, "--index", options.index, program::counts_from(0),
                      "Or one of the task's data, or of an npy file, counted from 0")
      ->option_text("K");
  add_data(command, options);
  command.get_option("--data")->excludes(input);
  program::add_option(command, "--block", options.block, program::counts_from(0),
                      "Of a model with several, counted from 0 (default: 0)")
      ->option_text("K");
  command.add_option("--output", options.output, "FILE.html: a page; FILE.png: a picture; FILE.npy: the rows")
      ->option_text("FILE")
      ->required();
  add_machine(command, options);
  command.add_flag("--json", options.json, "Print one JSON object");
}

void add_compare(CLI::App& app, CompareOptions& options) {
  auto& command = *app.add_subcommand("compare", "Several runs side by side, on a page and as a table");
  command.footer(compare_footer);
  command.add_option("RUN", options.runs, "Folders of runs, finished or not")->option_text("RUN…")->required();
  command.add_option("--output", options.output, "The page (default: compare.html)")->option_text("FILE.html");
  command.add_flag("--json", options.json, "Print one JSON object instead of the table");
}

void add_generate(CLI::App& app, GenerateOptions& options) {
  auto& command =
      *app.add_subcommand("generate", "A task's data: npy files for other frameworks, or the task's own files");
  command.footer(generate_footer);
  command.add_option("TASK", options.task, tasks_help())->option_text(" ")->check(known_task())->required();
  program::add_option(command, "--length", options.length, program::counts_from(1),
                      "Positions of a sequence of a generated task (default: the task's)")
      ->option_text("N");
  add_data(command, options);
  command.add_option("--output", options.output, "The folder they go to")->option_text("FOLDER")->required();
  command.add_flag("--json", options.json, "Print the result as one JSON object");
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.get_formatter()->column_width(26);
  app.footer(examples);
  app.require_subcommand(0, 1);
  add_training(app, options.train);
  add_eval(app, options.eval);
  add_predict(app, options.predict);
  add_attention(app, options.attention);
  add_compare(app, options.compare);
  add_generate(app, options.generate);
}

}  // namespace train
