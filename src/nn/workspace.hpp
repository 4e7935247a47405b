// The memory of one pass of a model over some sequences, laid out beforehand: one block of the pool, whose size is
// known before anything is computed.
#pragma once

#include <vector>

#include "nn/parameters.hpp"

namespace chord {

enum class Memory : std::int32_t { automatic = 0, normal = 1, low = 2 };

struct PassShape {
  std::int64_t sequences = 0;
  bool training = false;           ///< with a backward pass
  Memory memory = Memory::normal;  ///< normal: all factors at once; low: one at a time
  bool operator==(const PassShape&) const = default;
};

/// Where everything lies, in elements of the model's type.
struct Workspace {
  Workspace(const ModelDescription& description, const ParameterList& list, const DeviceDescription& device,
            const PassShape& shape);

  PassShape shape;

  struct Block {
    std::int64_t input = 0;    ///< [rows, block width]: the embedding, or the values of the block before
    std::int64_t v0 = 0;       ///< [rows, channels]: g's output
    std::int64_t tape = 0;     ///< [factors − 1, rows, channels]: what the factors but the last make of it
    std::int64_t values = 0;   ///< [rows, channels]: the block's output
    std::int64_t factors = 0;  ///< [factors, rows, links]; low: [rows, links]
  };
  std::vector<Block> blocks;
  std::vector<std::int64_t> head;    ///< outputs of each layer of the head, the last being the model's
  std::int64_t head_partial = 0;     ///< sums over pieces of a layer's long rows
  std::int64_t head_activated = 0;   ///< GELU of the first layer's
  std::int64_t output_gradient = 0;  ///< [sequences, classes]: of the loss
  std::int64_t scratch = 0;          ///< of the networks' tiles
  std::int64_t scratch_size = 0;
  std::int64_t size = 0;

  // For the backward pass.
  std::int64_t partial = 0;  ///< sums of workers
  std::int64_t partial_size = 0;
  std::int64_t activated_gradient = 0;                ///< [sequences, head_hidden]
  std::int64_t values_gradient = 0, v0_gradient = 0;  ///< [rows, channels]
  std::int64_t input_gradient = 0;                    ///< [rows, block width], two of them with several blocks
  std::int64_t other_input_gradient = 0;
  std::int64_t factors_gradient = 0;  ///< as a block's factors
  std::int64_t swap = 0;              ///< low: two of [rows, channels]

  /// All that the workers do not have for themselves: what the sequences are computed in.
  std::int64_t values_size() const { return size - scratch_size - partial_size; }

  /// What the chain's own launches use beside it at most, in bytes.
  std::int64_t chain_bytes = 0;
  std::int64_t bytes(DataType type) const;
};

}  // namespace chord
