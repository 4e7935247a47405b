#include "nn/workspace.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "nn/layers.hpp"
#include "operations/chain.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

constexpr std::int64_t cache_line = 16;  // elements: every part begins one

}  // namespace

Workspace::Workspace(const ModelDescription& d, const ParameterList& list, const DeviceDescription& device,
                     const PassShape& pass_shape)
    : shape(pass_shape) {
  const auto take = [this](std::int64_t count) {
    const std::int64_t offset = size;
    size = checked_add(size, checked_add(count, cache_line - 1) / cache_line * cache_line);
    return offset;
  };
  const std::int64_t rows = checked_multiply(shape.sequences, d.length);
  const std::int64_t values = checked_multiply(rows, d.channels);
  const bool low = shape.memory == Memory::low;
  const std::int64_t all_factors = checked_multiply(checked_multiply(rows, d.links), low ? 1 : d.factors);
  // A forward pass alone needs no tape; factor by factor it swaps between two.
  const std::int64_t tape_entries = std::max<std::int64_t>(shape.training ? d.factors - 1
                                                           : low          ? std::min<std::int64_t>(d.factors - 1, 2)
                                                                          : 0,
                                                           0);
  const std::int64_t embedded = take(checked_multiply(rows, d.width));
  for (std::int64_t b = 0; b < d.blocks; ++b) {
    if (b > 0 && !shape.training) {  // nothing of the block before but its values is needed any more
      Block block = blocks.back();
      block.input = blocks.back().values;
      block.values = b == 1 ? take(values) : blocks[b - 2].values;
      blocks.push_back(block);
      continue;
    }
    Block block;
    block.input = b == 0 ? embedded : blocks.back().values;
    block.v0 = take(values);
    block.tape = take(checked_multiply(tape_entries, values));
    block.values = take(values);
    block.factors = low && b > 0 ? blocks.front().factors : take(all_factors);
    blocks.push_back(block);
  }
  std::int64_t pieces_size = 0;
  for (const LinearPlace& layer : list.head) {
    head.push_back(take(checked_multiply(shape.sequences, layer.outs)));
    const std::int64_t pieces = Layers<float>::dense_pieces(device, layer.ins);
    if (pieces > 1)
      pieces_size = std::max(pieces_size, checked_multiply(pieces, checked_multiply(shape.sequences, layer.outs)));
  }
  head_partial = take(pieces_size);
  if (d.head_hidden > 0) head_activated = take(checked_multiply(shape.sequences, d.head_hidden));
  output_gradient = take(checked_multiply(shape.sequences, d.classes));

  with_type(d.type(), [&](auto zero) {
    using T = decltype(zero);
    std::int64_t largest_partial = Layers<T>::embed_partial(device, d, rows);
    for (const BlockPlaces& places : list.blocks)
      for (const Mlps& mlps : {Mlps{places.f, low ? 1 : d.factors}, Mlps{places.g, 1}}) {
        scratch_size = std::max(scratch_size, Layers<T>::mlp_scratch(device, mlps, rows));
        largest_partial = std::max(largest_partial, Layers<T>::mlp_partial(device, mlps, rows));
      }
    scratch = take(scratch_size);
    if (!shape.training) return;
    partial_size = largest_partial;
    partial = take(partial_size);
  });
  if (!low) chain_bytes = chain_scratch_bytes(device, d.type(), d.length, d.factors, shape.sequences, d.channels);
  if (!shape.training) return;
  activated_gradient = take(checked_multiply(shape.sequences, d.head_hidden));
  values_gradient = take(values);
  v0_gradient = take(values);
  const std::int64_t widest = d.blocks > 1 ? std::max(d.width, d.channels) : d.width;
  input_gradient = take(checked_multiply(rows, widest));
  other_input_gradient = d.blocks > 1 ? take(checked_multiply(rows, widest)) : input_gradient;
  factors_gradient = take(all_factors);
  if (low) swap = take(checked_multiply(2, values));
}

std::int64_t Workspace::bytes(DataType type) const {
  const std::int64_t own = checked_multiply(size, std::int64_t(size_of(type)));
  return checked_add(std::int64_t(Pool::block_size(std::size_t(own))),
                     std::int64_t(Pool::block_size(std::size_t(chain_bytes))));
}

}  // namespace chord
