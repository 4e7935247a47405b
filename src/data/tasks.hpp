// The tasks: one table of all that is known about them beside their models, which nn/presets.cpp describes.
#pragma once

#include <optional>
#include <span>

#include "data/dataset.hpp"
#include "data/encoder.hpp"
#include "data/generate_files.hpp"

namespace chord {

/// What the paper reached with sequences of some lengths, in percent.
struct PublishedAccuracy {
  std::int64_t shortest, longest;
  double accuracy;
};

struct Task {
  const char* name;
  const char* title;  ///< for people
  const char* data;   ///< what its folder holds; empty for a generated task, which has none
  /// Null where its data cannot be read yet.
  std::shared_ptr<const Dataset> (*open)(const DatasetRequest&) = nullptr;
  /// `encoding` and length as make_encoder has them; null where there are no raw inputs.
  std::unique_ptr<const Encoder> (*encoder)(const std::string& encoding, std::int64_t length) = nullptr;

  /// Makes files that `open` reads; null where there is no generator of them.
  void (*generate)(const GenerateRequest&) = nullptr;

  // How the paper trained on it.
  std::int64_t epochs, batch;
  double learning_rate;
  PublishedAccuracy published[2] = {};

  bool generated() const { return *data == '\0'; }
  /// Nothing for a length the paper does not have.
  std::optional<double> published_accuracy(std::int64_t length) const;
};

std::span<const Task> tasks();

/// Their names for a message, "adding, order, …"; of those only whose data can be read, if so asked.
std::string task_names(bool readable_only = false);

}  // namespace chord
