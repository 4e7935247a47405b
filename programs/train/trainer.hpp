// The model of a run and how it learns: epoch by epoch, in the very steps of a run that was never interrupted.
#pragma once

#include <chord/chord.hpp>
#include <chrono>
#include <optional>

#include "feed.hpp"
#include "folder.hpp"
#include "history.hpp"
#include "progress.hpp"
#include "result.hpp"
#include "settings.hpp"

namespace train {

/// The sequences of a run. The best model is selected by those of `selection`.
struct Data {
  chord::Dataset train, selection, test;
  explicit Data(const Settings& settings);
};

class Trainer {
 public:
  /// Goes on from the folder's checkpoint, if `resume` and there is one; otherwise it begins.
  Trainer(const Settings& settings, const Folder& folder, bool resume, double checkpoint_seconds, Progress& progress);

  const Setup& setup() const { return setup_; }
  const History& history() const { return history_; }
  bool done() const;
  /// What is to be done from the next epoch on.
  Workload work_left() const { return work_of(done() ? 0 : settings_.epochs - int64_t(history_.epochs.size())); }

  /// The rest of the epoch, with validation, log and checkpoint. False if an interrupt ended it early: what was done is
  /// in the checkpoint.
  bool run_epoch();

  /// The test set's score by the best model, and the rest. Nothing if interrupted.
  std::optional<Result> result();

 private:
  using Clock = std::chrono::steady_clock;

  chord::Model make_model(bool resume);
  Setup make_setup() const;
  History read_history(bool resume) const;

  int64_t batches_per_epoch() const { return setup_.train_count / settings_.batch; }
  std::string epoch_name() const;
  /// So many whole epochs, and the test behind them.
  Workload work_of(int64_t epochs) const;
  bool train();
  void step(const chord::Batch& batch);
  bool time_to_look() const;
  void look_at_losses();
  std::optional<Score> validate();
  void end_epoch(const Score& validation);
  void save();
  void expect_sane(double loss, const char* what) const;

  Settings settings_;
  Folder folder_;
  Progress& progress_;
  std::chrono::duration<double> checkpoint_interval_;
  Data data_;
  chord::Context context_;
  chord_train_options options_;
  chord::Model model_;
  Setup setup_;
  History history_;
  Feed feed_;
  Clock::time_point saved_, looked_;
  int64_t unseen_ = 0;       // steps whose losses nobody has looked at yet
  double pass_seconds_ = 0;  // of the training pass, as far as this process did it
  int64_t pass_batches_ = 0;
};

}  // namespace train
