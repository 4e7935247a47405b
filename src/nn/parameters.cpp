#include "nn/parameters.hpp"

#include <cmath>

#include "common/error.hpp"
#include "common/memory.hpp"
#include "common/size.hpp"
#include "common/streams.hpp"

namespace chord {
namespace {

class Builder {
 public:
  Builder(ParameterList& list, const ParameterCheck& check) : list_(list), check_(check) {}

  std::int64_t add(const std::string& name, const Extents& shape, Start start) {
    const std::int64_t offset = list_.size, count = element_count(shape);
    Parameter parameter{name, shape, offset, count, start};
    if (check_) check_(parameter);
    list_.all.push_back(std::move(parameter));
    list_.size = checked_add(offset, count);
    return offset;
  }

  LinearPlace linear(const std::string& name, std::int64_t ins, std::int64_t outs) {
    const Start start{Start::Kind::uniform, 1 / std::sqrt(double(ins))};
    LinearPlace place;
    place.ins = ins;
    place.outs = outs;
    place.weight = add(name + ".weight", {outs, ins}, start);
    place.bias = add(name + ".bias", {outs}, start);
    return place;
  }

  MlpPlace mlp(const std::string& name, std::int64_t ins, std::int64_t hidden, std::int64_t outs) {
    const MlpPlace place{list_.size, {ins, hidden, outs}};
    linear(name + ".network.0", ins, hidden);
    linear(name + ".network.2", hidden, outs);
    return place;
  }

 private:
  ParameterList& list_;
  const ParameterCheck& check_;
};

/// How many parameters there are, and numbers in them.
struct Count {
  std::int64_t parameters = 0, numbers = 0;

  void add_linear(std::int64_t ins, std::int64_t outs, std::int64_t times = 1) {
    parameters = checked_add(parameters, checked_multiply(2, times));
    numbers = checked_add(numbers, checked_multiply(checked_multiply(checked_add(ins, 1), outs), times));
  }
  void add_table(std::int64_t rows, std::int64_t columns) {
    ++parameters;
    numbers = checked_add(numbers, checked_multiply(rows, columns));
  }
};

Count count_of(const ModelDescription& d) {
  Count count;
  if (d.input == InputKind::tokens)
    count.add_table(d.vocabulary, d.width);
  else
    count.add_linear(d.features, d.width);
  if (d.positions) count.add_table(d.length, d.width);
  for (std::int64_t b = 0; b < d.blocks; ++b) {
    count.add_linear(d.block_width(b), d.hidden_f, d.factors);
    count.add_linear(d.hidden_f, d.links, d.factors);
    count.add_linear(d.block_width(b), d.hidden_g);
    count.add_linear(d.hidden_g, d.channels);
  }
  if (d.head_hidden > 0) count.add_linear(d.pooled(), d.head_hidden);
  count.add_linear(d.head_hidden > 0 ? d.head_hidden : d.pooled(), d.classes);
  return count;
}

}  // namespace

void expect_parameter_memory(const ModelDescription& description) {
  const Count count = count_of(description);
  // The list is there twice for a moment, and is growing; numbers are drawn in float64 and copied to the model's type.
  constexpr std::int64_t bytes_of_a_parameter = 4 * (sizeof(Parameter) + 48);
  const auto bytes_of_a_number = std::int64_t(sizeof(double) + size_of(description.type()));
  expect_memory(std::size_t(checked_add(checked_multiply(count.parameters, bytes_of_a_parameter),
                                        checked_multiply(count.numbers, bytes_of_a_number))));
}

ParameterList::ParameterList(const ModelDescription& d, const ParameterCheck& check) {
  Builder builder(*this, check);
  const Start normal{Start::Kind::normal}, small{Start::Kind::uniform, 0.1};
  if (d.input == InputKind::tokens)
    embedding = builder.add("embedding.weight", {d.vocabulary, d.width},
                            d.embedding == EmbeddingStart::uniform ? small : normal);
  else
    input = builder.linear("init_linear", d.features, d.width);
  if (d.positions) positions = builder.add("pos_embedding.weight", {d.length, d.width}, normal);
  for (std::int64_t b = 0; b < d.blocks; ++b) {
    const std::string prefix = b == 0 ? "" : text("blocks.", b, ".");
    BlockPlaces places;
    for (std::int64_t m = 0; m < d.factors; ++m) {
      const MlpPlace f = builder.mlp(text(prefix, "fs.", m), d.block_width(b), d.hidden_f, d.links);
      if (m == 0) places.f = f;
    }
    places.g = builder.mlp(prefix + "g", d.block_width(b), d.hidden_g, d.channels);
    blocks.push_back(places);
  }
  if (d.head_hidden > 0) {
    head.push_back(builder.linear("final.0", d.pooled(), d.head_hidden));
    head.push_back(builder.linear("final.2", d.head_hidden, d.classes));
  } else {
    head.push_back(builder.linear("final", d.pooled(), d.classes));
  }
  trainable = size - (d.padding >= 0 ? d.width : 0);
}

const Parameter& ParameterList::find(const std::string& name) const {
  for (const Parameter& parameter : all)
    if (parameter.name == name) return parameter;
  fail(Status::invalid_argument, "the model has no parameter \"", name, "\"; the first of its ", all.size(), " is \"",
       all.front().name, "\"");
}

std::vector<double> initial_parameters(const ModelDescription& description, const ParameterList& list,
                                       std::uint64_t seed) {
  const Random random = random_of(Stream::parameters, seed);
  std::vector<double> values(std::size_t(list.size));
  for (const Parameter& parameter : list.all)
    for (std::int64_t i = parameter.offset; i < parameter.offset + parameter.count; ++i)
      values[i] = parameter.start.kind == Start::Kind::normal ? random.normal(i)
                                                              : (2 * random.uniform(i) - 1) * parameter.start.bound;
  // PyTorch's embeddings start with zeros for padding; the paper's uniform ones are drawn over it.
  if (description.padding >= 0 && description.embedding == EmbeddingStart::normal)
    for (std::int64_t c = 0; c < description.width; ++c)
      values[list.embedding + description.padding * description.width + c] = 0;
  return values;
}

}  // namespace chord
