// The tasks: one table of all that is known about them beside their models, which nn/presets.cpp describes.
#pragma once

#include <optional>
#include <span>

#include "data/dataset.hpp"

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
  std::shared_ptr<const Dataset> (*open)(const DatasetRequest&);  ///< null where its data cannot be read yet

  // How the paper trained on it.
  std::int64_t epochs, batch;
  double learning_rate;
  PublishedAccuracy published[2];

  bool generated() const { return *data == '\0'; }
  /// Nothing for a length the paper does not have.
  std::optional<double> published_accuracy(std::int64_t length) const;
};

std::span<const Task> tasks();

/// Their names for a message, "adding, order, …"; of those only whose data can be read, if so asked.
std::string task_names(bool readable_only = false);

}  // namespace chord
