#include "eval.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "common/device.hpp"
#include "common/interrupt.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "model_file.hpp"
#include "progress.hpp"
#include "tasks.hpp"
#include "threads.hpp"

namespace train {
namespace {

void announce(const std::string& task, const chord_model_info& model, const chord_dataset_info& data, int64_t batch,
              const chord_model_memory& memory, const chord::DeviceInfo& device, Progress& progress) {
  progress.say(task + ", length " + std::to_string(model.length) + ": " + program::counted(data.count, "sequence") +
               ", " + std::to_string(batch) + " at a time");
  progress.say("memory: " + program::bytes(memory.parameter_bytes) + " for parameters, " +
               program::bytes(memory.activation_bytes) + " for activations, " + program::bytes(memory.peak_bytes) +
               " at most");
  progress.say("device: " + std::string(device.selector) + " (" + device.name + ")");
}

}  // namespace

int evaluate_model(const EvalOptions& options, program::Team& team) {
  use_threads(options.threads);
  auto context = program::open_device(options.device, 32);
  auto [model, task, encoding] = load_task_model(context, options.model, options.task, options.length);
  const auto info = model.info();
  const auto data = open_dataset({task, options.split, options.data, options.length > 0 ? options.length : info.length,
                                  options.count, options.seed, encoding});
  expect_fit(info, data.info(), task);

  program::catch_interrupts();
  const int64_t batch = std::min(options.batch > 0 ? options.batch : find_task(task).batch, data.info().count);
  const auto memory = model.plan(batch, false);
  Progress progress(false, !options.json);
  if (!options.json) announce(task, info, data.info(), batch, memory, context.device(), progress);
  Feed feed(context, info, batch);
  progress.begin(Pass::evaluation, options.split, data.info().count);
  const auto begin = std::chrono::steady_clock::now();
  const Score score = score_of(model, data, batch, feed, team, [&](const Score& so_far) {
    progress.show(so_far);
    return !program::interrupted();
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  progress.clear();
  if (program::interrupted()) return 128 + program::interrupted();

  if (options.json) {
    const Json json{{"task", task},
                    {"split", options.split},
                    {"length", info.length},
                    {"count", score.count},
                    {"correct", score.correct},
                    {"accuracy", score.accuracy()},
                    {"loss", score.loss()},
                    {"seconds", seconds.count()},
                    {"planned_memory_bytes", memory.peak_bytes},
                    {"device", context.device().selector}};
    std::printf("%s\n", json.dump().c_str());
    return 0;
  }
  const auto published = published_accuracy(task, info.length);
  const program::Table table{
      {"task", "length", "split", "sequences", "loss", "accuracy", "published (test)", "sequences/s"},
      {{task, std::to_string(info.length), options.split, std::to_string(score.count), program::number(score.loss()),
        percent(score.accuracy()), published ? percent(*published) : "–",
        std::to_string(int64_t(double(score.count) / seconds.count()))}}};
  std::fputs(program::to_text(table).c_str(), stdout);
  return 0;
}

}  // namespace train
