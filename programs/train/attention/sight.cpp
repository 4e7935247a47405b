#include "sight.hpp"

#include <stdexcept>

#include "../keys.hpp"
#include "../tasks.hpp"

namespace train {
namespace {

std::vector<std::string> symbols_of(const std::string& task, const std::string& encoding) {
  if (task == "order") return {"a", "b", "c", "d", "X", "Y"};
  std::vector<std::string> symbols;
  if (!find_task(task).has_encoder) return symbols;
  const chord::Encoder encoder(task, encoding);
  for (int64_t token = 0; token < encoder.info().vocabulary; ++token) symbols.push_back(encoder.symbol(int32_t(token)));
  return symbols;
}

int64_t used_of(const Sequence& sequence, int32_t padding) {
  int64_t used = sequence.length;
  if (sequence.features == 0)
    while (used > 1 && sequence.tokens[std::size_t(used - 1)] == padding) --used;
  return used;
}

}  // namespace

std::vector<double> Sight::row(std::size_t number) const {
  const auto begin = values.begin() + int64_t(number) * sequence.length;
  return std::vector<double>(begin, begin + sequence.length);
}

std::vector<double> Sight::sum() const {
  std::vector<double> sum = row(0);
  for (std::size_t r = 1; r < choice.rows.size(); ++r)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[r * sum.size() + i];
  return sum;
}

std::string Sight::symbol(int64_t position) const {
  const auto token = std::size_t(sequence.tokens[std::size_t(position)]);
  return token < symbols.size() ? symbols[token] : std::to_string(token);
}

Observer::Observer(chord::Context& context, chord::Model& model, const std::string& task, const std::string& encoding)
    : context_(context),
      model_(model),
      task_(task),
      symbols_(symbols_of(task, encoding)),
      padding_(Json::parse(model.description())["padding"]),
      judge_(model),
      feed_(context, model.info(), 1) {}

Sight Observer::look(const Sequence& sequence, int64_t block) {
  const int64_t blocks = Json::parse(model_.description())["blocks"];
  if (block < 0 || block >= blocks)
    throw std::runtime_error("--block=" + std::to_string(block) + ": the model has " +
                             (blocks == 1 ? "one, block 0" : "blocks 0 to " + std::to_string(blocks - 1)));
  const auto info = model_.info();
  const bool classes = info.label_type == CHORD_INT32;
  const int32_t no_class = 0;
  const float no_value = 0;
  feed_.load({sequence.data(), classes ? static_cast<const void*>(&no_class) : &no_value, 1});

  Sight sight{task_, sequence, symbols_, used_of(sequence, padding_), rows_of(task_, sequence, symbols_), {}, {}};
  const chord::Shape shape = {1, int64_t(sight.choice.rows.size()), info.length};
  auto rows = info.output_type == CHORD_FLOAT64 ? chord::Tensor::empty<double>(context_, shape)
                                                : chord::Tensor::empty<float>(context_, shape);
  model_.attention(feed_.inputs(), block, sight.choice.rows, rows);
  sight.values = reals_of(rows);
  sight.answer = judge_(feed_.outputs_of(model_).data(), sequence.label.value_or(0));
  return sight;
}

}  // namespace train
