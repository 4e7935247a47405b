// The gradients of a model against PyTorch's, in golden/, on any context.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "../difference.hpp"
#include "../files.hpp"
#include "io/npy.hpp"
#include "nn/model.hpp"
#include "operations/copy.hpp"

namespace testing {

using namespace chord;

using SharedContext = std::shared_ptr<Context>;

inline Tensor read_array(const SharedContext& context, const std::string& path) {
  const std::string content = files::content_of(path);
  const NpyArray array = parse_npy(content);
  const DataType type = array.type == NumberType::int32 ? DataType::int32 : DataType::float32;
  const Tensor tensor = Tensor::create(context, type, Extents(int(array.shape.size()), array.shape.data()));
  REQUIRE(array.data.size() == tensor.bytes());
  copy_from_host(array.data.data(), tensor);
  return tensor;
}

inline std::vector<double> values_of(const Tensor& tensor) {
  std::vector<float> values(std::size_t(tensor.elements()));
  copy_to_host(tensor, values.data());
  return std::vector<double>(values.begin(), values.end());
}

inline void check_gradients(const SharedContext& context, const std::string& folder) {
  const auto model = Model::load(context, folder + "/parameters.safetensors", {});
  const auto expected = Model::load(context, folder + "/gradients.safetensors", {});
  model->gradients(read_array(context, folder + "/inputs.npy"), read_array(context, folder + "/labels.npy"), {});
  for (const Parameter& parameter : model->parameters().all) {
    CAPTURE(parameter.name);
    CHECK(difference(values_of(model->gradient(parameter.name)), values_of(expected->parameter(parameter.name))) <
          1e-5);
  }
}

/// Of all kinds of models there are.
inline void check_gradients(const SharedContext& context) {
  for (const char* kind : {"image", "order", "listops", "text", "adding", "stacked"}) {
    CAPTURE(kind);
    check_gradients(context, std::string(CHORD_TESTS "/golden/") + kind);
  }
}

}  // namespace testing
