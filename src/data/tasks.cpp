#include "data/tasks.hpp"

#include "data/adding.hpp"
#include "data/image.hpp"
#include "data/listops.hpp"
#include "data/order.hpp"
#include "data/pathfinder.hpp"
#include "data/text.hpp"

namespace chord {
namespace {

constexpr Task table[] = {
    {.name = "adding",
     .title = "The adding problem",
     .data = "",
     .open = open_adding,
     .epochs = 20,
     .batch = 40,
     .learning_rate = 1e-3,
     .published = {{128, 16384, 100}}},
    {.name = "order",
     .title = "Temporal order",
     .data = "",
     .open = open_order,
     .epochs = 20,
     .batch = 40,
     .learning_rate = 1e-3,
     .published = {{128, 8192, 100}, {8193, 16384, 99.89}}},
    {.name = "listops",
     .title = "ListOps",
     .data = listops_files,
     .open = open_listops,
     .encoder = listops_encoder,
     .generate = generate_listops,
     .epochs = 7,
     .batch = 32,
     .learning_rate = 1e-3,
     .published = {{2000, 2000, 38.85}}},
    {.name = "text",
     .title = "Text (IMDb)",
     .data = text_files,
     .open = open_text,
     .encoder = text_encoder,
     .epochs = 145,
     .batch = 32,
     .learning_rate = 1e-4,
     .published = {{4097, 4097, 77.32}}},
    {.name = "image",
     .title = "Images (CIFAR-10)",
     .data = image_files,
     .open = open_image,
     .encoder = image_encoder,
     .epochs = 35,
     .batch = 32,
     .learning_rate = 1e-3,
     .published = {{1024, 1024, 45.01}}},
    {.name = "pathfinder",
     .title = "Pathfinder",
     .data = pathfinder_files,
     .open = open_pathfinder,
     .encoder = pathfinder_encoder,
     .generate = generate_pathfinder,
     .epochs = 45,
     .batch = 64,
     .learning_rate = 1e-3,
     .published = {{1024, 1024, 80.49}}},
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
