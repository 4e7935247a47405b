#include "classify.hpp"

#include <algorithm>
#include <cstdio>

#include "answer.hpp"
#include "class_names.hpp"
#include "common/device.hpp"
#include "common/files.hpp"
#include "common/table.hpp"
#include "common/threads.hpp"
#include "feed.hpp"
#include "progress.hpp"
#include "raw_input.hpp"
#include "tasks.hpp"

namespace train {
namespace {

/// The tokens of all inputs, one behind the other.
std::vector<int32_t> tokens_of(const std::vector<std::string>& inputs, const chord::Encoder& encoder) {
  std::vector<int32_t> all;
  for (const std::string& input : inputs) {
    const auto tokens = encoded(encoder, input);
    all.insert(all.end(), tokens.begin(), tokens.end());
  }
  return all;
}

/// [inputs, classes]
std::vector<double> outputs_of(chord::Context& context, chord::Model& model, const std::vector<int32_t>& tokens,
                               int64_t batch) {
  const auto info = model.info();
  const int64_t count = int64_t(tokens.size()) / info.length;
  const std::vector<int32_t> no_labels(std::size_t(batch), 0);
  Feed feed(context, info, batch);
  std::vector<double> all;
  for (int64_t first = 0; first < count; first += batch) {
    feed.load({tokens.data() + first * info.length, no_labels.data(), std::min(batch, count - first)});
    const auto outputs = feed.outputs_of(model);
    all.insert(all.end(), outputs.begin(), outputs.end());
  }
  return all;
}

}  // namespace

int classify(const PredictOptions& options) {
  program::use_threads(options.threads);
  if (!options.output.empty()) program::expect_writable(options.output, options.files_read());
  auto context = program::open_device(options.device, 32);
  TaskModel trained = load_task_model(context, options.model, options.task, 0);
  const auto tokens = tokens_of(options.inputs, encoder_of(trained, options.model));
  const auto count = int64_t(options.inputs.size()), classes = trained.model.info().classes;
  const int64_t batch = std::min(options.batch > 0 ? options.batch : find_task(trained.task).batch, count);
  const auto outputs = outputs_of(context, trained.model, tokens, batch);
  if (!options.output.empty())
    chord::write_npy(chord::Tensor::from(context, {count, classes}, std::vector<float>(outputs.begin(), outputs.end())),
                     options.output);

  const Judge judge(trained.model);
  Json list = Json::array();
  program::Table table{{"input", "class", "name", "confidence"}, {}};
  for (int64_t i = 0; i < count; ++i) {
    const Answer answer = judge(&outputs[std::size_t(i * classes)], 0);
    const auto given = int64_t(answer.given);
    const std::string &input = options.inputs[std::size_t(i)], name = class_name(trained.task, given);
    list.push_back({{"input", input}, {"class", given}, {"name", name}, {"confidence", answer.confidence}});
    table.rows.push_back({input, std::to_string(given), name, percent(100 * answer.confidence)});
  }
  std::printf("%s", options.json ? (list.dump() + "\n").c_str() : program::to_text(table).c_str());
  return 0;
}

}  // namespace train
