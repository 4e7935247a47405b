// How well a model does on a dataset.
#pragma once

#include <chord/chord.hpp>
#include <functional>

#include "answer.hpp"
#include "common/team.hpp"
#include "feed.hpp"

namespace train {

/// Sums over sequences.
struct Score {
  double loss_sum = 0;
  int64_t correct = 0, count = 0;

  void add(double mean_loss, int64_t right, int64_t sequences) {
    loss_sum += mean_loss * double(sequences);
    correct += right;
    count += sequences;
  }
  void add(const chord_step_result& batch) { add(batch.loss, batch.correct, batch.count); }
  void add(const Answer& answer) {
    loss_sum += answer.loss;
    correct += answer.right ? 1 : 0;
    ++count;
  }
  double loss() const { return loss_sum / double(count); }
  double accuracy() const { return 100.0 * double(correct) / double(count); }  ///< in percent
};

/// With every answer, in the dataset's order.
struct ScoredAnswers : Score {
  std::vector<Answer> answers;
};

/// What a batch's label is, whatever its type.
double label_of(const chord::Batch& batch, int32_t type, int64_t index);

/// The score of all sequences, the last incomplete batch included; ranks take the batches in turn and all get all
/// answers. `seen` hears of every turn; false ends it early.
ScoredAnswers score_of(chord::Model& model, const chord::Dataset& data, int64_t batch, Feed& feed, program::Team& team,
                       const std::function<bool(const Score&)>& seen);

}  // namespace train
