#include "run.hpp"

#include <cstdio>

#include "common/files.hpp"
#include "common/interrupt.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "epoch_line.hpp"
#include "report.hpp"
#include "start.hpp"
#include "tasks.hpp"
#include "text_chart.hpp"
#include "threads.hpp"
#include "trainer.hpp"

namespace train {
namespace {

using namespace program;

void announce(const Setup& setup, const Folder& folder, const History& history, Progress& progress) {
  const Json& model = setup.settings.model;
  const auto& memory = setup.memory;
  progress.say(setup.settings.task + ", length " + std::to_string(setup.model.length) + ": " + data_text(setup));
  progress.say("model: " + std::to_string(setup.model.parameters) + " parameters; width " + model["width"].dump() +
               ", " + counted(model["factors"], "factor") + " with " + counted(model["links"], "link") + ", " +
               counted(model["channels"], "channel"));
  progress.say("memory: " + bytes(memory.parameter_bytes) + " for parameters, " + bytes(memory.activation_bytes) +
               " for activations, " + bytes(memory.peak_bytes) + " at most (" +
               memory_names[std::size_t(memory.memory)] + ")");
  progress.say("device: " + std::string(setup.device.selector) + " (" + setup.device.name + ")");
  progress.say("in " + folder.path() + (history.batches > 0 || !history.epochs.empty() ? ", resumed" : ""));
}

Table result_table(const Setup& setup, const Result& result) {
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  return {{"task", "length", test_name(setup.settings), "published", "best epoch",
           setup.settings.selecting_set() + " accuracy", "train loss", "seconds/epoch", "peak memory"},
          {{setup.settings.task, std::to_string(setup.model.length), percent(result.test.accuracy()),
            published ? percent(*published) : "–",
            std::to_string(result.best.number) + " of " + std::to_string(result.epochs),
            percent(result.best.validation_accuracy), number(result.best.train_loss), number(result.seconds_per_epoch),
            bytes(result.peak_memory_bytes)}}};
}

class Run {
 public:
  Run(const TrainOptions& options, const Start& start, const std::string& command_line)
      : options_(options),
        folder_(start.folder),
        command_line_(command_line),
        progress_(options.quiet, !options.json),
        trainer_(start.settings, folder_, options.resume, options.checkpoint_seconds, progress_) {}

  int go() {
    folder_.create();
    if (options_.resume) folder_.clean();
    chord::write_file(folder_.config(), to_json(trainer_.setup().settings).dump(2) + "\n");
    chord::write_file(folder_.log(), to_csv(trainer_.history().epochs, trainer_.setup().settings.selecting_set()));
    announce(trainer_.setup(), folder_, trainer_.history(), progress_);
    if (!trainer_.done()) progress_.say(epoch_title(trainer_.setup().settings.selecting_set()));
    while (!trainer_.done()) {
      if (!trainer_.run_epoch()) return stop();
      progress_.say(epoch_line(trainer_.history(), trainer_.setup().settings.epochs,
                               progress_.seconds_for(trainer_.work_left())));
      write_report(std::nullopt);
    }
    const auto result = trainer_.result();
    if (!result) return stop();
    keep(*result);
    return 0;
  }

 private:
  int stop() {
    progress_.clear();
    std::fprintf(stderr, "interrupted; to go on: chord-train --out=%s --resume\n", folder_.path().c_str());
    return 128 + interrupted();
  }

  void keep(const Result& result) {
    const Json json = to_json(trainer_.setup(), result);
    chord::write_file(folder_.result(), json.dump(2) + "\n");
    write_report(result);
    if (options_.json) {
      std::printf("%s\n", json.dump().c_str());
      return;
    }
    if (!options_.quiet)
      std::fputs(text_charts(trainer_.history().epochs, trainer_.setup().settings.selecting_set()).c_str(), stdout);
    std::printf("%s\nreport: %s\n", to_text(result_table(trainer_.setup(), result)).c_str(), folder_.report().c_str());
  }

  void write_report(const std::optional<Result>& result) const {
    chord::write_file(folder_.report(), report(trainer_.setup(), trainer_.history(), result, command_line_));
  }

  const TrainOptions& options_;
  Folder folder_;
  std::string command_line_;
  Progress progress_;
  Trainer trainer_;
};

}  // namespace

int train_model(const TrainOptions& options, const std::string& command_line) {
  const Start start = start_of(options);
  use_threads(start.settings.threads);
  catch_interrupts();
  return Run(options, start, command_line).go();
}

}  // namespace train
