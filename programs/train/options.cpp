#include "options.hpp"

#include <stdexcept>

#include "common/device.hpp"
#include "common/text.hpp"
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
  chord-train eval --model=runs/cifar/model.safetensors --task=image --data=cifar-10-batches-bin
  chord-train predict --model=runs/cifar/model.safetensors --task=image --input=tokens.npy --output=logits.npy
  chord-train generate adding --length=128 --split=test --output=data
Each of the last three has a --help of its own.)";

const char* const generate_footer =
    R"(Without --data, listops and pathfinder become files like those they are read from, made by their published rules:
--count sequences (default: 10000), a tenth of them for validation and for test each.
  chord-train generate listops --count=20000 --output=data/listops
  chord-train listops --data=data/listops

Other data, and those of --data, become OUTPUT/TASK-LENGTH-SPLIT-inputs.npy and OUTPUT/TASK-LENGTH-SPLIT-labels.npy: inputs int32 [count, N],
or float32 [count, N, features] for reals; labels int32 [count], or float32 for reals.)";

const char* const predict_footer =
    R"(TOKENS.npy is int32 [batch, N], or float32 [batch, N, features] for reals; LOGITS.npy becomes float32 [batch, classes].
With --labels, int32 [batch] or float32 for reals, the mean loss and the right answers are printed as JSON.)";

/// "adding, order (generated), image": those that can be trained on.
std::string tasks_help() {
  std::string help;
  for (const std::string& name : readable_task_names())
    help += (help.empty() ? "" : ", ") + name + (find_task(name).generated ? " (generated)" : "");
  return help;
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
           try {
             section[key.name] = key.domain.parse(text);
           } catch (const std::invalid_argument& problem) {
             throw CLI::ValidationError(key.option(), problem.what());
           }
         },
         key.help)
      ->option_text(key.placeholder)
      ->take_last()
      ->group(group);
}

void add_training(CLI::App& app, TrainOptions& options) {
  options.given = {{"model", Json::object()}, {"training", Json::object()}};
  app.add_option("TASK", options.task, "What to learn: " + tasks_help())->option_text(" ");
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
  app.add_option("--checkpoint-seconds", options.checkpoint_seconds,
                 "How often all that --resume needs is written (default: 30)")
      ->option_text("S")
      ->check(CLI::NonNegativeNumber)
      ->group(results);
  app.add_flag("--json", options.json, "Print the result as one JSON object")->group(results);
  app.add_flag("--quiet", options.quiet, "Show no progress")->group(results);
}

void add_machine(CLI::App& command, MachineOptions& options) {
  command.add_option("--device", options.device, program::device_help)->option_text("DEVICE");
  command.add_option("--threads", options.threads, "Threads of the host device")
      ->option_text("T")
      ->check(CLI::PositiveNumber);
}

void add_model(CLI::App& command, std::string& model, std::string& task) {
  command
      .add_option("--model", model,
                  "A model.safetensors of this program, or a file with the tensors of the paper's PyTorch code")
      ->option_text("FILE")
      ->required();
  command.add_option("--task", task, "What it was trained for: " + program::join(task_names(), ", "))
      ->option_text("TASK")
      ->required();
}

/// The sequences of a task that are meant.
template <class Choice>
void add_data(CLI::App& command, Choice& options) {
  command.add_option("--data", options.data, "The task's files, where it is not generated")->option_text("FOLDER");
  command
      .add_option("--split", options.split,
                  "train, validation, test or all: the first two (default: " + options.split + ")")
      ->option_text("NAME")
      ->check(CLI::IsMember({"train", "validation", "test", "all"}));
  command.add_option("--count", options.count, "Sequences of a generated task (default: the paper's)")
      ->option_text("K")
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", options.seed, "Of a generated task (default: 0)")->option_text("NUMBER");
}

void add_eval(CLI::App& app, EvalOptions& options) {
  auto& command = *app.add_subcommand("eval", "Loss and accuracy of a model on a task's data");
  add_model(command, options.model, options.task);
  add_data(command, options);
  command.add_option("--length", options.length, "Positions of a sequence (default: the model's)")
      ->option_text("N")
      ->check(CLI::PositiveNumber);
  command.add_option("--batch", options.batch, "Sequences at a time (default: the paper's batch)")
      ->option_text("B")
      ->check(CLI::PositiveNumber);
  add_machine(command, options);
  command.add_flag("--json", options.json, "Print one JSON object");
}

void add_predict(CLI::App& app, PredictOptions& options) {
  auto& command = *app.add_subcommand("predict", "A model's outputs for sequences in an npy file");
  command.footer(predict_footer);
  add_model(command, options.model, options.task);
  command.add_option("--input", options.input, "The sequences")->option_text("TOKENS.npy")->required();
  command.add_option("--output", options.output, "Where the outputs go")->option_text("LOGITS.npy")->required();
  auto* labels =
      command.add_option("--labels", options.labels, "The right answers, for the loss")->option_text("LABELS.npy");
  command.add_option("--gradients", options.gradients, "Where the gradients of the mean loss go, by name")
      ->option_text("FILE.safetensors")
      ->needs(labels);
  command.add_option("--batch", options.batch, "Sequences at a time (default: the paper's batch)")
      ->option_text("B")
      ->check(CLI::PositiveNumber);
  add_machine(command, options);
}

void add_generate(CLI::App& app, GenerateOptions& options) {
  auto& command =
      *app.add_subcommand("generate", "A task's data: npy files for other frameworks, or the task's own files");
  command.footer(generate_footer);
  command.add_option("TASK", options.task, tasks_help())->option_text(" ")->required();
  command.add_option("--length", options.length, "Positions of a sequence of a generated task (default: the task's)")
      ->option_text("N")
      ->check(CLI::PositiveNumber);
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
  add_generate(app, options.generate);
}

}  // namespace train
