// The model of a run and how it learns: from validation to validation, in the very steps of a run that was never
// interrupted. Several ranks do the same together, each with its part of every batch; the leader alone writes.
#pragma once

#include <chord/chord.hpp>
#include <chrono>
#include <optional>

#include "common/team.hpp"
#include "cut_sequences.hpp"
#include "feed.hpp"
#include "folder.hpp"
#include "history.hpp"
#include "mpi/shared_gradients.hpp"
#include "progress.hpp"
#include "result.hpp"
#include "schedule.hpp"
#include "settings.hpp"

namespace train {

/// The sequences of a run. The best model is selected by those of `selection`.
struct Data {
  chord::Dataset train, selection, test;
  Data(const Settings& settings, bool quiet);
};

class Trainer {
 public:
  /// Goes on from the folder's checkpoint, if `resume` and there is one; otherwise it begins.
  Trainer(const Settings& settings, const Folder& folder, bool resume, double checkpoint_seconds, Progress& progress,
          program::Team& team);
  /// What the leader goes on from, to all ranks; throws where one is not like the leader.
  void share_start();

  const Setup& setup() const { return setup_; }
  const History& history() const { return history_; }
  bool done() const;
  /// Whether there was a checkpoint to go on from.
  bool resumed() const { return resumed_; }
  /// What is to be done after the last validation.
  Workload work_left() const { return done() ? work_after(setup_.course.last()) : work_after(history_.number()); }

  /// log.csv, as it stands.
  void write_log() const;

  /// All until the next validation, with that, log and checkpoint. False if an interrupt ended it early: what was done
  /// is in the checkpoint.
  bool run_stretch();

  /// All that --resume needs, as things stand after the last step. All ranks call it.
  void save();
  /// The same by the leader alone, when others are gone; nothing where it does not have the whole model.
  void save_alone();

  /// The test set's score by the best model, and the rest. Nothing if interrupted. Examples are the leader's alone.
  std::optional<Result> result();

 private:
  using Clock = std::chrono::steady_clock;

  chord::Model make_model();
  Setup make_setup() const;
  History read_history() const;
  void expect_course(const History& history) const;

  /// Of the validation to come.
  int64_t next_number() const { return setup_.course.next(history_.number()); }
  /// Steps whose losses were looked at, and steps that were queued.
  int64_t steps_seen() const { return setup_.course.steps_at(history_.number()) + history_.batches; }
  int64_t steps_queued() const { return steps_seen() + unseen_; }
  /// What the run does after this validation, the test included.
  Workload work_after(int64_t number) const;
  bool train();
  chord::Batches& batches();
  void step();
  void shared_step();
  void cut_step();
  void add(double loss, int64_t correct);
  bool time_to_save() const;
  bool time_to_look() const;
  void look_at_losses();
  std::optional<Score> validate();
  ScoredAnswers score_of(chord::Model& model, const chord::Dataset& data);
  void end_stretch(const Score& validation);
  void write_model(const std::string& path, bool with_optimizer, const std::string& note);
  chord::Model best_model();
  /// `step`: the last one that had a part in it, from 0.
  void expect_sane(double loss, const std::string& what, int64_t step) const;

  Settings settings_;
  Folder folder_;
  bool resumed_;
  Progress& progress_;
  program::Team& team_;
  std::chrono::duration<double> checkpoint_interval_;
  Data data_;
  chord::Context context_;
  chord_train_options options_;
  chord::Model model_;  // none where sequences are cut, once those have it
  Setup setup_;
  Schedule schedule_;
  History history_;
  std::optional<Feed> feed_;                         // of whole sequences
  std::optional<CutSequences> cut_;                  // or of parts of them
  parallel::Pieces pieces_;                          // of a batch, where it is shared
  std::optional<parallel::SharedGradients> shared_;  // there only then
  std::optional<chord::Batches> batches_;            // of the epoch under way; single sequences where they are cut
  Clock::time_point saved_, looked_;
  int64_t unseen_ = 0;         // steps whose losses nobody has looked at yet
  bool leader_saves_ = false;  // as all know, where they save together
  double pass_seconds_ = 0;    // of the training pass, as far as this process did it
  int64_t pass_batches_ = 0;
};

}  // namespace train
