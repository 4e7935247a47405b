#include "nn/parameters.hpp"

#include <cmath>

#include "common/error.hpp"
#include "common/size.hpp"
#include "common/streams.hpp"

namespace chord {
namespace {

class Builder {
 public:
  explicit Builder(ParameterList& list) : list_(list) {}

  std::int64_t add(const std::string& name, const Extents& shape, Start start) {
    const std::int64_t offset = list_.size, count = element_count(shape);
    list_.all.push_back({name, shape, offset, count, start});
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
};

}  // namespace

ParameterList::ParameterList(const ModelDescription& d) {
  Builder builder(*this);
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
