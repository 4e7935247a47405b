// Where a run is, and what became of its epochs so far. What a checkpoint keeps of it has no times, so that two runs
// with one seed write the same bytes; log.csv has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "score.hpp"

namespace train {

struct Epoch {
  int64_t number;  ///< from 1
  double train_loss, train_accuracy;
  double validation_loss, validation_accuracy;  ///< on the set that selects: the test set, if so set
  std::optional<double> seconds;                ///< of its training pass
};

struct History {
  std::vector<Epoch> epochs;  ///< those that are done
  int64_t batches = 0;        ///< done of the one that is not
  Score score;                ///< of those

  int64_t current() const { return int64_t(epochs.size()) + 1; }

  /// The best by validation: accuracy first, then loss. None before the first epoch's end.
  const Epoch* best() const;
};

/// What the checkpoint keeps of the history.
std::string to_note(const History& history);
/// Throws std::runtime_error if it is no such note.
History from_note(const std::string& note);

/// log.csv, which names the set that selects.
std::string to_csv(const std::vector<Epoch>& epochs, std::string selecting_set);
/// Fills in the times that a log.csv has of these epochs.
void add_seconds(const std::string& path, std::vector<Epoch>& epochs);

}  // namespace train
