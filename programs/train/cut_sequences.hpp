// A model whose sequences are cut along their length, and this rank's positions of them: what a run with
// --split=sequence trains. No rank has the whole model but the leader, while it is read or written.
#pragma once

#include <chord/chord.hpp>
#include <functional>
#include <string>

#include "common/team.hpp"
#include "mpi/cut_model.hpp"
#include "score.hpp"
#include "settings.hpp"

namespace train {

class CutSequences {
 public:
  /// `settings`: with the whole description of the model, and pieces.
  CutSequences(chord::Context& context, const Settings& settings, const chord_model_info& model, program::Team& team);

  /// Empty, or why sequences cannot be cut with these settings.
  static std::string problem_with(const Settings& settings, int ranks);

  /// From and to the leader's whole model; null elsewhere.
  void set_state(chord_model* whole) { model_.set_state(whole); }
  void get_state(chord_model* whole) { model_.get_state(whole); }

  /// Takes what training needs, and says what the rank that has most of it will have.
  chord_model_memory reserve();

  /// The next `count` of these sequences, which come one at a time: a batch of long ones is too large for one rank.
  void load(chord::Batches& singles, int64_t count);
  /// Of what was loaded.
  chord_step_result gradients() { return model_.gradients(inputs_.get(), labels_.get()); }
  chord_step_result evaluate() { return model_.evaluate(inputs_.get(), labels_.get()); }
  void apply_gradients(const chord_train_options& options) { model_.apply_gradients(options); }

  /// All ranks take each sequence together. `seen` hears of every one; false ends it early.
  ScoredAnswers score_of(const chord::Dataset& data, const std::function<bool(const Score&)>& seen);

 private:
  void put(const chord::Batch& single, int64_t place);
  uint64_t state_bytes() const;

  chord::Context& context_;
  program::Team& team_;
  const chord_model_info whole_;
  const Judge judge_;
  parallel::CutModel model_;
  chord::Tensor inputs_, labels_;
};

}  // namespace train
