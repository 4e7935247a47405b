// The parameters of a model: where each lies in the one buffer that holds them all, what it is called, how it starts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/network.hpp"
#include "nn/description.hpp"

namespace chord {

/// How a parameter's first values are drawn.
struct Start {
  enum class Kind { normal, uniform } kind = Kind::normal;
  double bound = 0;  ///< uniform in ±bound
};

struct Parameter {
  std::string name;
  Extents shape;
  std::int64_t offset = 0, count = 0;
  Start start;
};

/// A network of two layers; its parameters lie one behind the other, as kernels/network.hpp wants them.
struct MlpPlace {
  std::int64_t offset = 0;
  kernels::Network network;
};

struct BlockPlaces {
  MlpPlace f, g;  ///< f is the first of the block's `factors` networks, which follow each other
};

/// A linear layer: weight [outs, ins], bias [outs].
struct LinearPlace {
  std::int64_t weight = 0, bias = 0, ins = 0, outs = 0;
};

/// Told of each parameter before it is listed: whoever knows that there cannot be so many throws.
using ParameterCheck = std::function<void(const Parameter&)>;

struct ParameterList {
  explicit ParameterList(const ModelDescription& description, const ParameterCheck& check = {});

  std::vector<Parameter> all;
  std::int64_t size = 0;       ///< of the buffer, in elements
  std::int64_t trainable = 0;  ///< a padding token's embedding is not

  std::int64_t embedding = -1, positions = -1;  ///< offsets; −1 where there is none
  LinearPlace input;                            ///< of reals
  std::vector<BlockPlaces> blocks;
  std::vector<LinearPlace> head;  ///< one layer, or two with a GELU between them

  /// Throws where there is none of this name.
  const Parameter& find(const std::string& name) const;
};

/// Throws where the machine has no memory for the list and the numbers of a model. They are counted, not listed.
void expect_parameter_memory(const ModelDescription& description);

/// The first values of all parameters, drawn by seed: PyTorch's default distributions.
std::vector<double> initial_parameters(const ModelDescription& description, const ParameterList& list,
                                       std::uint64_t seed);

}  // namespace chord
