// What a run reached.
#pragma once

#include <optional>
#include <string>

#include "course.hpp"
#include "examples.hpp"
#include "history.hpp"
#include "settings.hpp"

namespace train {

/// What is known as soon as the model exists.
struct Setup {
  Settings settings;
  Course course;
  chord_model_info model;
  chord_model_memory memory;
  chord::DeviceInfo device;
  int64_t train_count, validation_count, test_count;  ///< validation: of the set that selects
  std::vector<std::string> devices = {};              ///< of all ranks
};

struct Result {
  ScoredAnswers test;
  Epoch best;
  int64_t epochs;  ///< done; steps, where the course counts those
  double seconds_per_epoch;
  uint64_t peak_memory_bytes;
  std::vector<Example> examples;  ///< of the test set
};

/// "400 sequences to train on, 100 to validate, 100 to test"
std::string data_text(const Setup& setup);
/// What the accuracy on the test set is to be called: never just that where it selected the epoch.
std::string test_name(const Settings& settings);

/// The mean of what is known.
double seconds_per_epoch(const Course& course, const std::vector<Epoch>& epochs);

/// result.json. Accuracies are in percent.
Json to_json(const Setup& setup, const Result& result);

}  // namespace train
