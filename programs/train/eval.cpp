#include "eval.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "common/device.hpp"
#include "common/interrupt.hpp"
#include "common/program.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/threads.hpp"
#include "model_file.hpp"
#include "progress.hpp"
#include "tasks.hpp"

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

/// What a rank reads by itself: the model and what it is tried on.
struct Subject {
  Subject(const EvalOptions& options, program::Team& team)
      : context(program::open_device(program::own_device(options.device, 32, team), 32)),
        file(load_task_model(context, options.model, options.task, options.length)),
        data(open_dataset({file.task, options.split, options.data,
                           options.length > 0 ? options.length : file.model.info().length, options.count, options.seed,
                           file.encoding, !team.leads()})) {
    expect_fit(file.model.info(), data.info(), file.task);
  }

  chord::Context context;
  TaskModel file;
  chord::Dataset data;
};

}  // namespace

int evaluate_model(const EvalOptions& options, program::Team& team) {
  program::use_threads(options.threads > 0 ? options.threads : program::own_threads(team));
  if (!team.leads()) program::show_log(program::Log::warnings);
  std::optional<Subject> subject;
  team.together([&] { subject.emplace(options, team); });
  auto& [context, file, data] = *subject;
  auto& [model, task, encoding] = file;
  const auto info = model.info();
  team.expect_same("version", program::version());
  team.expect_same("device", program::arithmetic_of(context.device()));
  team.expect_same("model", task + " " + model.description() + " " + model.note());
  team.expect_same("number of sequences", std::to_string(data.info().count));

  program::catch_interrupts();
  const int64_t batch = std::min(options.batch > 0 ? options.batch : find_task(task).batch, data.info().count);
  const auto memory = model.plan(batch, false);
  Progress progress(!team.leads(), !options.json);
  if (!options.json) announce(task, info, data.info(), batch, memory, context.device(), progress);
  Feed feed(context, info, batch);
  progress.begin(Pass::evaluation, options.split, data.info().count);
  const auto begin = std::chrono::steady_clock::now();
  const Score score = score_of(model, data, batch, feed, team, [&](const Score& so_far) {
    progress.show(so_far);
    return !team.interrupted();
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  progress.clear();
  if (team.interrupted()) return 128 + team.interrupted();
  if (!team.leads()) return 0;

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
