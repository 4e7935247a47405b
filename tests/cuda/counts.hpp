// What a client had the device do: launches, waits, copies. Where CHORD_STANDIN_PROFILE asks for it, of each kernel
// also the instructions by class, the sectors of global memory and the passes through shared memory that its accesses
// take.
#pragma once

#include <string>
#include <vector>

#include "launch.hpp"

namespace chord::standin {

enum class CopyKind { to_device, to_host, on_device, on_host };

void count_launch(const Launch& launch);
void count_graph_launch();
void count_wait();
void count_allocation();
void count_copy(CopyKind kind, std::uint64_t bytes);

/// Records of the warps of a block, for its kernel to fill.
std::vector<PtxCounts>& warp_counts(const Launch& launch);
/// Adds what a block left in them, so many times, and clears them.
void count_block(const Launch& launch, std::vector<PtxCounts>& warps, double weight);

std::string counts_as_json();
void reset_counts();
/// Loads from there are gathers, until the next reset.
void count_gathers(std::uint64_t address, std::uint64_t bytes);

}  // namespace chord::standin
