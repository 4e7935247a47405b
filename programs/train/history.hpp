// Where a run is, and what became of its epochs so far. What a checkpoint keeps of it has no times, so that two runs
// with one seed write the same bytes; log.csv has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keys.hpp"
#include "score.hpp"

namespace train {

/// What was done until a validation, and what that found.
struct Epoch {
  int64_t number;  ///< of the validation, as the run's course has it: epochs or steps done
  double train_loss, train_accuracy;
  double validation_loss, validation_accuracy;  ///< on the set that selects: the test set, if so set
  std::optional<double> seconds;                ///< of its training pass
  double learning_rate;                         ///< of its last step
};

struct History {
  std::vector<Epoch> epochs;  ///< those that are done
  int64_t batches = 0;        ///< done of the one that is not
  Score score;                ///< of those

  /// Of the last validation; 0 before the first.
  int64_t number() const { return epochs.empty() ? 0 : epochs.back().number; }

  /// The best by validation: accuracy first, then loss. None before the first epoch's end.
  const Epoch* best() const;
  /// Validations since then.
  int64_t since_best() const { return epochs.empty() ? 0 : &epochs.back() - best(); }
};

/// What a checkpoint's note says beside the model.
struct Checkpoint {
  History history;
  Json run;  ///< its identity (settings.hpp); empty in those of version 0.1
};

std::string to_note(const Checkpoint& checkpoint);
/// Throws std::runtime_error if it is no such note, or says what cannot be. `constant_rate`: where a checkpoint of
/// version 0.1 says nothing.
Checkpoint from_note(const std::string& note, double constant_rate);

/// log.csv, which names what validations are numbered by and the set that selects.
std::string to_csv(const std::vector<Epoch>& epochs, const std::string& unit, std::string selecting_set);
/// Fills in the times that a log.csv has of these epochs.
void add_seconds(const std::string& path, std::vector<Epoch>& epochs);

}  // namespace train
