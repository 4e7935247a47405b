// What a run reached.
#pragma once

#include <optional>
#include <string>

#include "history.hpp"
#include "settings.hpp"

namespace train {

/// What is known as soon as the model exists.
struct Setup {
  Settings settings;
  chord_model_info model;
  chord_model_memory memory;
  chord::DeviceInfo device;
  int64_t train_count, validation_count, test_count;
};

struct Result {
  Score test;
  Epoch best;
  int64_t epochs;
  double seconds_per_epoch;
  uint64_t peak_memory_bytes;
};

/// The mean of those that are known.
double mean_seconds(const std::vector<Epoch>& epochs);

/// result.json. Accuracies are in percent.
Json to_json(const Setup& setup, const Result& result);

}  // namespace train
