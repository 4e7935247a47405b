#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include "../class_names.hpp"
#include "../raw_input.hpp"
#include "common/device.hpp"
#include "common/files.hpp"
#include "common/misuse.hpp"
#include "common/text.hpp"
#include "common/threads.hpp"
#include "page.hpp"
#include "views.hpp"

namespace train {
namespace {

using namespace program;

enum class Format { html, png, npy };

Format format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".html") return Format::html;
  if (ending == ".png") return Format::png;
  if (ending == ".npy") return Format::npy;
  throw program::Misuse("--output", "is '" + path + "'; expected a name that ends in .html, .png or .npy");
}

struct Source {
  Sequence sequence;
  std::string text;      ///< where it is from, for people
  std::string encoding;  ///< what made it
};

Source from_file(chord::Context& context, const AttentionOptions& options, const TaskModel& trained) {
  if (is_npy(options.input)) {
    const int64_t index = options.index.value_or(0);
    return {read_sequence(context, options.input, trained.model.info(), index),
            "Sequence " + std::to_string(index) + " of " + options.input, trained.encoding};
  }
  if (options.index)
    throw program::Misuse("--index", "is for --data, and for npy files; " + options.input + " is none");
  const int64_t length = trained.model.info().length;
  return {
      {length, 0, encoded(encoder_of(trained, options.model), options.input), {}, {}}, options.input, trained.encoding};
}

Source from_data(const AttentionOptions& options, const TaskModel& trained) {
  if (!options.index) throw program::Misuse::missing("--index=K or --input=FILE");
  const auto model = trained.model.info();
  const auto data = open_dataset({trained.task, options.split, options.data, model.length, options.count, options.seed,
                                  trained.encoding, options.json});
  expect_fit(model, data.info(), trained.task);
  return {read_sequence(data, *options.index),
          "Sequence " + std::to_string(*options.index) + " of the " + options.split + " set of " +
              std::to_string(data.info().count),
          data.encoding()};
}

void write_npy(const Sight& sight, const std::string& path) {
  const std::vector<float> values(sight.values.begin(), sight.values.end());
  chord::NpyWriter file(path, CHORD_FLOAT32, {int64_t(sight.choice.rows.size()), sight.sequence.length});
  file.write(values.data(), values.size() * sizeof(float));
  file.commit();
}

void write_png(const Sight& sight, const std::string& path) {
  const Picture picture = picture_of(sight);
  chord::write_file(path, to_png(picture, colouring_of(picture), 512));
}

std::vector<Detail> about_model(const AttentionOptions& options, const Json& description, int64_t parameters,
                                const std::string& device, const std::string& command_line) {
  return {{"Model", escaped(options.model) + ", " + counted(parameters, "parameter") + ", " +
                        counted(description["factors"], "factor") + " with " + counted(description["links"], "link")},
          {"Block", std::to_string(options.block) + " of " + counted(description["blocks"], "block")},
          {"Device", escaped(device)},
          {"Command", command(command_line)}};
}

std::string answer_line(const Sight& sight) {
  const std::string line = "answer: " + given_text(sight.task, sight.answer);
  if (!sight.sequence.label) return line;
  return line + (sight.answer.right ? ", right" : ", wrong: expected " + expected_text(sight.task, sight.answer));
}

/// Positions by the magnitude of the rows' sum, the largest first.
Json strongest_positions(const Sight& sight, std::size_t most) {
  const std::vector<double> sum = sight.sum();
  std::vector<int64_t> order(sum.size());
  std::iota(order.begin(), order.end(), 0);
  most = std::min(most, order.size());
  std::partial_sort(order.begin(), order.begin() + int64_t(most), order.end(), [&](int64_t a, int64_t b) {
    return std::abs(sum[std::size_t(a)]) > std::abs(sum[std::size_t(b)]);
  });
  Json list = Json::array();
  for (std::size_t i = 0; i < most; ++i)
    list.push_back({{"position", order[i]}, {"value", sum[std::size_t(order[i])]}});
  return list;
}

Json to_json(const Sight& sight, const AttentionOptions& options, const std::string& device) {
  Json json{{"task", sight.task},           {"length", sight.sequence.length},
            {"block", options.block},       {"rows", sight.choice.rows},
            {"answer", sight.answer.given}, {"answer_text", given_text(sight.task, sight.answer)}};
  if (sight.sequence.label) json.update({{"expected", sight.answer.expected}, {"right", sight.answer.right}});
  json.update({{"strongest", strongest_positions(sight, 10)}, {"output", options.output}, {"device", device}});
  return json;
}

}  // namespace

int show_attention(const AttentionOptions& options, const std::string& command_line) {
  const Format format = format_of(options.output);
  program::use_threads(options.threads);
  expect_writable(options.output, {options.model, options.input});
  auto context = open_device(options.device, 32);
  TaskModel trained = load_task_model(context, options.model, options.task, 0);
  const Source source = options.input.empty() ? from_data(options, trained) : from_file(context, options, trained);
  const Sight sight =
      Observer(context, trained.model, trained.task, source.encoding).look(source.sequence, options.block);
  const std::string device = context.device().selector;
  switch (format) {
    case Format::npy: write_npy(sight, options.output); break;
    case Format::png: write_png(sight, options.output); break;
    case Format::html: {
      const Json description = Json::parse(trained.model.description());
      const auto about = about_model(options, description, trained.model.info().parameters, device, command_line);
      chord::write_file(options.output, attention_page(sight, source.text, description["residual"], about));
    }
  }
  if (options.json)
    std::printf("%s\n", to_json(sight, options, device).dump().c_str());
  else
    std::printf("%s\n%s\n", answer_line(sight).c_str(), options.output.c_str());
  return 0;
}

}  // namespace train
