#include "sequence.hpp"

#include <algorithm>
#include <stdexcept>

#include "../feed.hpp"
#include "common/text.hpp"

namespace train {
namespace {

void expect_index(int64_t index, int64_t count, const std::string& where) {
  if (index < 0 || index >= count)
    throw std::runtime_error("--index=" + std::to_string(index) + ": " + where + " has " +
                             program::counted(count, "sequence") + ", 0 to " + std::to_string(count - 1));
}

template <class Label>
double read_parts(const chord::Dataset& data, int64_t index, Sequence& sequence) {
  std::vector<Label> label;
  if (sequence.features > 0)
    data.read(index, 1, sequence.reals, label);
  else
    data.read(index, 1, sequence.tokens, label);
  return double(label[0]);
}

/// A sequence of the file is `rest`, and the file holds one, or several behind one another.
int64_t count_of(const chord::Shape& shape, const chord::Shape& rest, const std::string& path) {
  if (shape == rest) return 1;
  if (shape.size() == rest.size() + 1 && std::equal(rest.begin(), rest.end(), shape.begin() + 1)) return shape[0];
  throw std::runtime_error(path + ": has the shape [" + program::join(shape, ", ") + "]; expected [" +
                           program::join(rest, ", ") + "] or [count, " + program::join(rest, ", ") + "]");
}

template <class To, class From>
std::vector<To> part(const chord::Tensor& tensor, int64_t first, int64_t count) {
  const auto all = tensor.to_host<From>();
  return std::vector<To>(all.begin() + first, all.begin() + first + count);
}

}  // namespace

Sequence read_sequence(const chord::Dataset& data, int64_t index) {
  const auto info = data.info();
  expect_index(index, info.count, "the split");
  Sequence sequence{info.length, info.features, {}, {}, {}};
  sequence.label = info.label_type == CHORD_INT32 ? read_parts<int32_t>(data, index, sequence)
                                                  : read_parts<float>(data, index, sequence);
  return sequence;
}

Sequence read_sequence(chord::Context& context, const std::string& path, const chord_model_info& model, int64_t index) {
  const chord::Tensor tensor = chord::read_npy(context, path);
  const auto info = tensor.info();
  Sequence sequence{model.length, model.features, {}, {}, {}};
  const chord::Shape rest =
      model.features > 0 ? chord::Shape{model.length, model.features} : chord::Shape{model.length};
  expect_index(index, count_of(chord::Shape(info.shape, info.shape + info.rank), rest, path), path);
  const int64_t size = model.length * std::max<int64_t>(model.features, 1), first = index * size;
  if (model.features > 0 && info.type == CHORD_FLOAT32)
    sequence.reals = part<float, float>(tensor, first, size);
  else if (model.features > 0 && info.type == CHORD_FLOAT64)
    sequence.reals = part<float, double>(tensor, first, size);
  else if (model.features == 0 && info.type == CHORD_INT32)
    sequence.tokens = part<int32_t, int32_t>(tensor, first, size);
  else
    throw std::runtime_error(path + ": holds numbers of another type; expected " +
                             (model.features > 0 ? "float32" : "int32"));
  return sequence;
}

}  // namespace train
