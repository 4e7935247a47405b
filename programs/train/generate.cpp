#include "generate.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/interrupt.hpp"
#include "common/misuse.hpp"
#include "feed.hpp"
#include "folder.hpp"
#include "tasks.hpp"
#include "work_line.hpp"

namespace train {
namespace {

void print_result(const GenerateOptions& options, int64_t count, const std::vector<std::string>& paths) {
  if (options.json) {
    const nlohmann::ordered_json result{
        {"task", options.task}, {"count", count}, {"seed", options.seed}, {"paths", paths}};
    std::printf("%s\n", result.dump().c_str());
    return;
  }
  for (const std::string& each : paths) std::printf("%s\n", each.c_str());
}

/// Files like those the task is read from.
int generate_files(const GenerateOptions& options) {
  constexpr int64_t usual_count = 10'000;
  if (options.length != 0)
    throw program::Misuse("--length", "is of generated sequences; the files of " + options.task + " have their own");
  WorkLine line("making " + options.task);
  auto wanted = chord::generate_options(options.task.c_str(), options.output.c_str());
  wanted.count = options.count > 0 ? options.count : usual_count;
  wanted.seed = options.seed;
  chord::generate_files(wanted, [&](int64_t done, int64_t total) { return line.tell(done, total); });
  print_result(options, wanted.count, {options.output});
  return 0;
}

/// All sequences of a dataset as arrays.
int generate_arrays(const GenerateOptions& options) {
  const auto data =
      open_dataset({options.task, options.split, options.data, options.length, options.count, options.seed});
  const auto info = data.info();
  const Folder folder(options.output);
  folder.create();
  const std::string name =
      options.output + "/" + options.task + "-" + std::to_string(info.length) + "-" + options.split;
  const std::string input_path = name + "-inputs.npy", label_path = name + "-labels.npy";
  std::vector<int64_t> shape = {info.count, info.length};
  if (info.features > 0) shape.push_back(info.features);
  chord::NpyWriter input_file(input_path, info.input_type, shape);
  chord::NpyWriter label_file(label_path, info.label_type, {info.count});

  constexpr std::size_t value_bytes = 4, piece_bytes = std::size_t(16) << 20;
  const std::size_t sequence_bytes =
      std::size_t(info.length) * std::size_t(std::max<int64_t>(info.features, 1)) * value_bytes;
  const int64_t piece = std::max<int64_t>(1, int64_t(piece_bytes / sequence_bytes));
  WorkLine line("making " + options.task);
  std::vector<char> inputs, labels;
  for (int64_t first = 0; first < info.count; first += piece) {
    if (line.tell(first, info.count)) return 128 + program::interrupted();
    const int64_t count = std::min(piece, info.count - first);
    inputs.resize(std::size_t(count) * sequence_bytes);
    labels.resize(std::size_t(count) * value_bytes);
    chord::check(
        chord_dataset_read(data.get(), first, count, inputs.data(), inputs.size(), labels.data(), labels.size()));
    input_file.write(inputs.data(), inputs.size());
    label_file.write(labels.data(), labels.size());
  }
  input_file.commit();
  label_file.commit();
  print_result(options, info.count, {input_path, label_path});
  return 0;
}

}  // namespace

int generate(const GenerateOptions& options) {
  const Task& task = find_task(options.task);
  program::catch_interrupts();
  return task.has_files_generator && options.data.empty() ? generate_files(options) : generate_arrays(options);
}

}  // namespace train
