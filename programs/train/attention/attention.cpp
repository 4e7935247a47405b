#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include "../class_names.hpp"
#include "../model_file.hpp"
#include "../threads.hpp"
#include "common/device.hpp"
#include "common/files.hpp"
#include "common/text.hpp"
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
  throw std::runtime_error("--output=" + path + ": expected a name that ends in .html, .png or .npy");
}

bool is_npy(const std::string& content) { return content.compare(0, 6, "\x93NUMPY") == 0; }

struct Source {
  Sequence sequence;
  std::string text;      ///< where it is from, for people
  std::string encoding;  ///< what made it
};

Source from_file(chord::Context& context, const AttentionOptions& options, const chord_model_info& model,
                 const std::string& encoding) {
  const std::string content = read_file(options.input);
  if (is_npy(content)) {
    const int64_t index = options.index.value_or(0);
    return {read_sequence(context, options.input, model, index),
            "Sequence " + std::to_string(index) + " of " + options.input, encoding};
  }
  if (options.index)
    throw std::runtime_error("--index is for --data, and for npy files; " + options.input + " is none");
  const chord::Encoder encoder(options.task, encoding, model.length);
  try {
    return {{model.length, 0, encoder.encode(content), {}, {}}, options.input, encoding};
  } catch (const chord::Error& problem) {
    throw std::runtime_error(options.input + ": " + problem.what());
  }
}

Source from_data(const AttentionOptions& options, const chord_model_info& model, const std::string& encoding) {
  if (!options.index) throw std::runtime_error("which sequence? Give --index=K, or --input=FILE");
  const auto data =
      open_dataset({options.task, options.split, options.data, model.length, options.count, options.seed, encoding});
  expect_fit(model, data.info(), options.task);
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
  Json json{{"task", options.task},         {"length", sight.sequence.length},
            {"block", options.block},       {"rows", sight.choice.rows},
            {"answer", sight.answer.given}, {"answer_text", given_text(sight.task, sight.answer)}};
  if (sight.sequence.label) json.update({{"expected", sight.answer.expected}, {"right", sight.answer.right}});
  json.update({{"strongest", strongest_positions(sight, 10)}, {"output", options.output}, {"device", device}});
  return json;
}

}  // namespace

int show_attention(const AttentionOptions& given, const std::string& command_line) {
  AttentionOptions options = given;
  const Format format = format_of(options.output);
  use_threads(options.threads);
  expect_writable(options.output);
  auto context = open_device(options.device, 32);
  auto [model, task, encoding] = load_task_model(context, options.model, options.task, 0);
  options.task = task;
  const auto info = model.info();
  const Source source =
      options.input.empty() ? from_data(options, info, encoding) : from_file(context, options, info, encoding);
  const Sight sight = Observer(context, model, options.task, source.encoding).look(source.sequence, options.block);

  switch (format) {
    case Format::npy: write_npy(sight, options.output); break;
    case Format::png: {
      const Picture picture = picture_of(sight);
      chord::write_file(options.output, to_png(picture, colouring_of(picture), 512));
      break;
    }
    case Format::html: {
      const Json description = Json::parse(model.description());
      chord::write_file(
          options.output,
          attention_page(sight, source.text, description["residual"],
                         {{"Model", escaped(options.model) + ", " + counted(info.parameters, "parameter") + ", " +
                                        counted(description["factors"], "factor") + " with " +
                                        counted(description["links"], "link")},
                          {"Block", std::to_string(options.block) + " of " + description["blocks"].dump()},
                          {"Device", escaped(context.device().selector)},
                          {"Command", "<code>" + escaped(command_line) + "</code>"}}));
    }
  }
  if (options.json)
    std::printf("%s\n", to_json(sight, options, context.device().selector).dump().c_str());
  else
    std::printf("answer: %s%s\n%s\n", given_text(sight.task, sight.answer).c_str(),
                !sight.sequence.label ? ""
                                      : (std::string(sight.answer.right ? ", right" : ", wrong: expected ") +
                                         (sight.answer.right ? "" : expected_text(sight.task, sight.answer)))
                                            .c_str(),
                options.output.c_str());
  return 0;
}

}  // namespace train
