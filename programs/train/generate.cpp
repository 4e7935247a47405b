#include "generate.hpp"

#include <algorithm>
#include <cstdio>

#include "common/interrupt.hpp"
#include "feed.hpp"
#include "folder.hpp"
#include "tasks.hpp"

namespace train {

int generate(const GenerateOptions& options) {
  find_task(options.task);
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

  program::catch_interrupts();
  constexpr std::size_t value_bytes = 4, piece_bytes = std::size_t(16) << 20;
  const std::size_t sequence_bytes =
      std::size_t(info.length) * std::size_t(std::max<int64_t>(info.features, 1)) * value_bytes;
  const int64_t piece = std::max<int64_t>(1, int64_t(piece_bytes / sequence_bytes));
  std::vector<char> inputs, labels;
  for (int64_t first = 0; first < info.count; first += piece) {
    if (program::interrupted()) return 128 + program::interrupted();
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
  std::printf("%s\n%s\n", input_path.c_str(), label_path.c_str());
  return 0;
}

}  // namespace train
