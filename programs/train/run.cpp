#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "common/files.hpp"
#include "common/interrupt.hpp"
#include "common/program.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/threads.hpp"
#include "epoch_line.hpp"
#include "report/report.hpp"
#include "start.hpp"
#include "tasks.hpp"
#include "text_chart.hpp"
#include "trainer.hpp"

namespace train {
namespace {

using namespace program;

// What ranks share, unless it is told: not too small for one rank, enough for the ranks of a machine or two.
constexpr int64_t default_pieces = 8;

void announce(const Setup& setup, const Folder& folder, const History& history, Team& team, Progress& progress) {
  const Json& model = setup.settings.model;
  const auto& memory = setup.memory;
  progress.say(setup.settings.task + ", length " + std::to_string(setup.model.length) + ": " + data_text(setup));
  progress.say("model: " + std::to_string(setup.model.parameters) + " parameters; width " + model["width"].dump() +
               ", " + counted(model["factors"], "factor") + " with " + counted(model["links"], "link") + ", " +
               counted(model["channels"], "channel"));
  progress.say("memory: " + bytes(memory.parameter_bytes) + " for parameters, " + bytes(memory.activation_bytes) +
               " for activations, " + bytes(memory.peak_bytes) + " at most (" +
               memory_names()[std::size_t(memory.memory)] + ")");
  progress.say("device: " + std::string(setup.device.selector) + " (" + setup.device.name + ")");
  if (std::count(setup.devices.begin(), setup.devices.end(), setup.device.selector) < int64_t(setup.devices.size()))
    progress.say("devices of the ranks: " + join(setup.devices, ", "));
  if (setup.settings.cuts_sequences())
    progress.say("sequences in " + counted(setup.settings.pieces, "piece") + ", shared by " +
                 counted(team.size(), "rank") + "; memory is a rank's");
  else if (setup.settings.pieces > 0)
    progress.say("batches of " + counted(setup.settings.batch, "sequence") + " in " +
                 counted(setup.settings.pieces, "piece") + ", shared by " + counted(team.size(), "rank"));
  else if (setup.settings.sums_fast())
    progress.say("batches of " + counted(setup.settings.batch, "sequence") + ", shared by " +
                 counted(team.size(), "rank") + ", summed in no fixed order");
  progress.say("in " + folder.path() + (history.batches > 0 || !history.epochs.empty() ? ", resumed" : ""));
}

Table result_table(const Setup& setup, const Result& result) {
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  return {{"task", "length", test_name(setup.settings), "published", "best " + setup.course.unit(),
           setup.settings.selecting_set() + " accuracy", "train loss", "seconds/epoch", "peak memory"},
          {{setup.settings.task, std::to_string(setup.model.length), percent(result.test.accuracy()),
            published ? percent(*published) : "–",
            std::to_string(result.best.number) + " of " + std::to_string(result.epochs),
            percent(result.best.validation_accuracy), number(result.best.train_loss), number(result.seconds_per_epoch),
            bytes(result.peak_memory_bytes)}}};
}

class Run {
 public:
  Run(const TrainOptions& options, Start start, const std::string& command_line, Team& team)
      : options_(options),
        team_(team),
        folder_(start.folder),
        lock_(std::move(start.lock)),
        command_line_(command_line),
        progress_(options.quiet || !team.leads(), !options.json) {
    team.together([&] {
      trainer_.emplace(start.settings, folder_, options.resume, options.checkpoint_seconds, progress_, team);
    });
    trainer_->share_start();
  }

  int go() {
    team_.together([&] { begin(); });
    if (team_.size() > 1) team_.say_when_ended(how_to_go_on());
    try {
      return train();
    } catch (const parallel::PeersLost&) {
      trainer_->save_alone();
      if (team_.leads() && !interrupted()) std::fputs(how_to_go_on().c_str(), stderr);
      throw;
    }
  }

 private:
  void begin() {
    if (!team_.leads()) return;
    if (options_.resume)
      folder_.clean();
    else
      take_folder();
    chord::write_file(folder_.config(), to_json(trainer_->setup().settings).dump(2) + "\n");
    trainer_->write_log();
    if (options_.resume && !trainer_->resumed())
      std::fprintf(stderr, "%s: there is no checkpoint yet; the run begins from the start\n", folder_.path().c_str());
    announce(trainer_->setup(), folder_, trainer_->history(), team_, progress_);
    if (!trainer_->done()) progress_.say(epoch_title(trainer_->setup()));
  }

  int train() {
    while (!trainer_->done()) {
      if (!trainer_->run_stretch()) return stop();
      progress_.say(epoch_line(trainer_->history(), trainer_->setup().course.last(),
                               progress_.seconds_for(trainer_->work_left())));
      write_report(std::nullopt);
    }
    const auto result = trainer_->result();
    if (!result) return stop();
    say_when_interrupted("", 0);  // there is nothing to go on with
    if (team_.leads()) keep(*result);
    return 0;
  }

  /// Another run may have had the same idea meanwhile.
  void take_folder() {
    folder_.create();
    lock_ = folder_.lock();
    folder_.expect_empty();
  }

  int stop() {
    progress_.clear();
    // Several ranks have said it when the signal came.
    if (team_.size() == 1) std::fputs(how_to_go_on().c_str(), stderr);
    return 128 + team_.interrupted();
  }

  std::string how_to_go_on() const {
    const std::string again = "chord-train --out=" + folder_.path() + " --resume\n";
    if (team_.size() == 1) return "interrupted; to go on: " + again;
    return "ended early; to go on, with any number of ranks: mpirun -n " + std::to_string(team_.size()) + " " + again;
  }

  void keep(const Result& result) {
    const Json json = to_json(trainer_->setup(), result);
    chord::write_file(folder_.result(), json.dump(2) + "\n");
    write_report(result);
    if (options_.json) {
      std::printf("%s\n", json.dump().c_str());
      return;
    }
    if (!options_.quiet) std::fputs(text_charts(trainer_->setup(), trainer_->history().epochs).c_str(), stdout);
    std::printf("%s\nreport: %s\n", to_text(result_table(trainer_->setup(), result)).c_str(), folder_.report().c_str());
  }

  void write_report(const std::optional<Result>& result) const {
    if (!team_.leads()) return;
    chord::write_file(folder_.report(), report(trainer_->setup(), trainer_->history(), result, command_line_));
  }

  const TrainOptions& options_;
  Team& team_;
  Folder folder_;
  std::unique_ptr<os::FolderLock> lock_;
  std::string command_line_;
  Progress progress_;
  std::optional<Trainer> trainer_;
};

/// What decides about a run, and must be the same at all ranks. Each may have a device and threads of its own.
std::string given_everywhere(const TrainOptions& options) {
  Json given = options.given;
  given["training"].erase("device");
  given["training"].erase("threads");
  return Json{{"task", options.task},
              {"config", options.config},
              {"out", options.out},
              {"resume", options.resume},
              {"settings", given}}
      .dump();
}

/// Throws where sequences cannot be cut. The description becomes the whole one: what is not given in it may depend on
/// the length, of which ranks have parts.
void settle_cut(Settings& settings, const Team& team) {
  if (settings.pieces == 0) settings.pieces = default_pieces;
  chord::Context host("host");
  settings.model = Json::parse(chord::Model(host, settings.model_json(), settings.seed).description());
  const std::string problem = CutSequences::problem_with(settings, team.size());
  if (!problem.empty()) throw program::Misuse("--split", "is sequence: " + problem);
}

/// Throws where there is more than ranks' shares.
void expect_shares(const Settings& settings, const Team& team) {
  if (settings.cuts_sequences())
    throw program::Misuse("--sum", "is fast; sequences that are cut are summed in a fixed order");
  if (settings.pieces > 0)
    throw program::Misuse("--pieces", "is " + std::to_string(settings.pieces) + "; --sum=fast has none");
  if (team.size() > settings.batch)
    throw program::Misuse(
        "--batch", "is " + std::to_string(settings.batch) + ", too few for " + std::to_string(team.size()) + " ranks");
}

/// Throws where the ranks cannot share the batches.
void settle_pieces(Start& start, bool resume, Team& team) {
  Settings& settings = start.settings;
  if (settings.sums_fast()) return expect_shares(settings, team);
  if (settings.cuts_sequences()) return settle_cut(settings, team);
  if (team.launched() && !resume && settings.pieces == 0) settings.pieces = std::min(default_pieces, settings.batch);
  if (settings.pieces > settings.batch)
    throw program::Misuse("--pieces", "is " + std::to_string(settings.pieces) + "; a batch has only " +
                                          counted(settings.batch, "sequence"));
  if (team.size() == 1 || team.size() <= settings.pieces) return;
  const std::string ranks = std::to_string(team.size()) + " ranks";
  if (resume && settings.pieces == 0)
    throw std::runtime_error(start.folder.path() + ": holds a run whose batches are whole, which " + ranks +
                             " cannot share; go on without mpirun, or begin one with --pieces");
  throw program::Misuse("--pieces", "is " + std::to_string(settings.pieces) + ", too few for " + ranks +
                                        "; other pieces are another run, with other roundings");
}

/// The leader looks into the folder and at the files; the others do as it says.
Start start_together(const TrainOptions& options, Team& team) {
  if (team.size() > 1) team.expect_same("command line", given_everywhere(options));
  std::optional<Start> start;
  team.together([&] {
    if (!team.leads()) return;
    start.emplace(start_of(options));
    settle_pieces(*start, options.resume, team);
  });
  const std::string settings = team.share(start ? to_json(start->settings).dump() : "");
  const std::string folder = team.share(start ? start->folder.path() : "");
  if (start) return std::move(*start);
  Json own = Json::parse(settings);
  own["training"].merge_patch(options.given["training"]);
  return {settings_of(own), Folder(folder), nullptr};
}

}  // namespace

int train_model(const TrainOptions& options, const std::string& command_line, Team& team) {
  Start start = start_together(options, team);
  program::use_threads(start.settings.threads > 0 ? start.settings.threads : own_threads(team));
  catch_interrupts();
  if (options.quiet || !team.leads()) show_log(Log::warnings);
  return Run(options, std::move(start), command_line, team).go();
}

}  // namespace train
