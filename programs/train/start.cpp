#include "start.hpp"

#include "common/misuse.hpp"
#include "config.hpp"

namespace train {
namespace {

Json command_line_settings(const TrainOptions& options) {
  Json settings = options.given;
  if (!options.task.empty()) settings["task"] = options.task;
  return settings;
}

Folder default_folder(const Json& config) {
  if (!config.contains("task")) throw program::Misuse::missing("TASK");
  const Settings settings = settings_of(config);
  return Folder("runs/" + settings.task + "-" + std::to_string(settings.length()));
}

}  // namespace

Start start_of(const TrainOptions& options) {
  const Json command_line = command_line_settings(options);
  const Json config = options.config.empty() ? Json::object() : read_config(options.config);
  const Json wanted = layered({config, command_line});
  const Folder folder = options.out.empty() ? default_folder(wanted) : Folder(options.out);
  if (options.resume) {
    folder.expect_run();
    auto lock = folder.lock();
    const Json stored = read_config(folder.config());
    const Settings settings = settings_of(layered({stored, wanted}));
    expect_same_run(settings_of(stored), settings, folder.path());
    return {settings, folder, std::move(lock)};
  }
  if (!wanted.contains("task")) throw program::Misuse::missing("TASK");
  folder.expect_empty();
  return {settings_of(wanted), folder, nullptr};
}

}  // namespace train
