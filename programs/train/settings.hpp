// All that decides what a run computes, from the paper's defaults, a configuration file and the command line.
#pragma once

#include <cstdint>
#include <variant>

#include "keys.hpp"

namespace train {

struct Settings {
  std::string task;
  Json model = Json::object();  ///< the keys that are given, or the whole description of a model that exists

  // The training: a line of training_settings() each.
  int64_t epochs = 0, batch = 0;
  double lr = 0;
  std::string schedule = "constant";
  int64_t warmup_steps = 0;                // 0: the schedule's own
  double weight_decay = 0, clip_norm = 0;  // 0: none
  uint64_t seed = 0;
  int64_t count = 0, eval_count = 0;  // 0: the task's own
  bool stop_when_perfect = false;
  std::string selection = "validation";
  int64_t validate_every = 0;  // steps; 0: an epoch
  int64_t patience = 0;        // validations; 0: any number
  std::string data;
  int64_t micro_batch = 0;  // 0: the whole batch
  int64_t pieces = 0;       // that ranks share, of what `split` says; 0: the batch is whole
  std::string split = "batch";
  std::string sum = "ordered";
  std::string memory = "auto", device = "auto";
  int64_t threads = 0;  // 0: as the environment has it

  /// What chord_model_create wants.
  std::string model_json() const;
  int64_t length() const;
  int precision() const;
  /// The best model is that of the best test score, as in the paper, and nothing is held back for validation.
  bool selects_by_test() const { return selection == "test"; }
  /// Ranks share each sequence, not the batch.
  bool cuts_sequences() const { return split == "sequence"; }
  /// Ranks have no pieces, and MPI adds up what they found.
  bool sums_fast() const { return sum == "fast"; }
  /// What the set that selects is called wherever its scores are: those of a test set that selects are no plain ones.
  std::string selecting_set() const { return selects_by_test() ? "selecting test" : "validation"; }
};

/// A key of the training: from this table follow the options, config.json, and what a resumed run may change.
struct TrainingSetting : Key {
  using Member = std::variant<int64_t Settings::*, uint64_t Settings::*, double Settings::*, bool Settings::*,
                              std::string Settings::*>;
  Member member;
  bool may_change;  ///< decides at most how long a run takes, or when it ends

  Json get(const Settings& settings) const;
  void set(Settings& settings, const Json& value) const;
  /// A value it may not have, such as 0 sequences, stands for the default.
  bool given(const Settings& settings) const { return domain.contains(get(settings)); }
};

const std::vector<TrainingSetting>& training_settings();

/// The settings that an object like a configuration file has, with the task's defaults for what is not given.
Settings settings_of(const Json& config);
Json to_json(const Settings& settings);

/// Throws unless a run that began with `before` may go on with `now`.
void expect_same_run(const Settings& before, const Settings& now, const std::string& folder);

/// What makes a run the one it is: all that decides its bytes, like a configuration.
Json identity_of(const Settings& settings);
/// Throws if a checkpoint is of another run than that of these settings, naming what differs. Keys that one of them
/// does not have are another version's.
void expect_same_identity(const Json& checkpoint, const Settings& settings);

/// The names of CHORD_MEMORY_…, by their values.
const std::vector<std::string>& memory_names();

}  // namespace train
