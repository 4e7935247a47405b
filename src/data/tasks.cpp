#include "data/tasks.hpp"

#include "data/adding.hpp"
#include "data/image.hpp"
#include "data/order.hpp"

namespace chord {
namespace {

constexpr Task table[] = {
    {"adding", "The adding problem", "", open_adding, 20, 40, 1e-3, {{128, 16384, 100}}},
    {"order", "Temporal order", "", open_order, 20, 40, 1e-3, {{128, 8192, 100}, {8193, 16384, 99.89}}},
    {"listops",
     "ListOps",
     "basic_train.tsv, basic_val.tsv and basic_test.tsv",
     nullptr,
     7,
     32,
     1e-3,
     {{2000, 2000, 38.85}}},
    {"text", "Text (IMDb)", "the reviews of IMDb in train/ and test/", nullptr, 145, 32, 1e-4, {{4097, 4097, 77.32}}},
    {"image", "Images (CIFAR-10)", image_files, open_image, 35, 32, 1e-3, {{1024, 1024, 45.01}}},
    {"pathfinder", "Pathfinder", "Pathfinder32's curv_* folders", nullptr, 45, 64, 1e-3, {{1024, 1024, 80.49}}},
};

}  // namespace

std::optional<double> Task::published_accuracy(std::int64_t length) const {
  for (const PublishedAccuracy& each : published)
    if (each.shortest <= length && length <= each.longest) return each.accuracy;
  return {};
}

std::span<const Task> tasks() { return table; }

std::string task_names(bool readable_only) {
  std::string names;
  for (const Task& each : table)
    if (each.open || !readable_only) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

}  // namespace chord
