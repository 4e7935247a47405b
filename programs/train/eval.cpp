#include "eval.hpp"

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

int evaluate_model(const EvalOptions& options) {
  use_threads(options.threads);
  auto context = program::open_device(options.device, 32);
  auto model = load_model(context, options.model, options.task, options.length);
  const auto info = model.info();
  const auto data = open_dataset({options.task, options.split, options.data,
                                  options.length > 0 ? options.length : info.length, options.count, options.seed});
  expect_fit(info, data.info(), options.task);

  program::catch_interrupts();
  const int64_t batch = options.batch > 0 ? options.batch : find_task(options.task).batch;
  Feed feed(context, info, batch);
  Progress progress(false, !options.json);
  progress.begin(Pass::evaluation, options.split, data.info().count);
  const auto begin = std::chrono::steady_clock::now();
  const Score score = score_of(model, data, batch, feed, [&](const Score& so_far) {
    progress.show(so_far);
    return !program::interrupted();
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  progress.clear();
  if (program::interrupted()) return 128 + program::interrupted();

  if (options.json) {
    const Json json{{"task", options.task}, {"split", options.split},     {"length", info.length},
                    {"count", score.count}, {"correct", score.correct},   {"accuracy", score.accuracy()},
                    {"loss", score.loss()}, {"seconds", seconds.count()}, {"device", context.device().selector}};
    std::printf("%s\n", json.dump().c_str());
    return 0;
  }
  const auto published = published_accuracy(options.task, info.length);
  const program::Table table{
      {"task", "length", "split", "sequences", "loss", "accuracy", "published (test)", "sequences/s"},
      {{options.task, std::to_string(info.length), options.split, std::to_string(score.count),
        program::number(score.loss()), percent(score.accuracy()), published ? percent(*published) : "–",
        std::to_string(int64_t(double(score.count) / seconds.count()))}}};
  std::fputs(program::to_text(table).c_str(), stdout);
  return 0;
}

}  // namespace train
