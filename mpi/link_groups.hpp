// What the rows of a block need of other blocks, where a sequence of N rows is cut into equal ones.
//
// A link of offset o = q·n + r reads, for row i of block b, row i + r of block b + q, or, behind its end, the beginning
// of block b + q + 1. Links with the same q are a group: they read one window, block b + q with as many rows of the
// next one as the greatest r of them, and are a pattern of their own on it. Offsets that are powers of two, in blocks
// that are some, make one group of all links that are shorter than a block and one for each of the others, which read
// whole blocks.
#pragma once

#include <cstdint>
#include <vector>

namespace parallel {

struct LinkGroup {
  std::int64_t first = 0;             ///< of its links, which follow each other
  std::int64_t distance = 0;          ///< q
  std::vector<std::int64_t> offsets;  ///< r of each link
  std::int64_t rows = 0;              ///< of its window
};

/// Some rows of a window: those of the block at a distance, from its first on.
struct WindowPart {
  std::size_t group;
  std::int64_t distance, rows, at;  ///< at: the place in the window
};

std::vector<LinkGroup> link_groups(const std::vector<std::int64_t>& offsets, std::int64_t blocks, std::int64_t rows);

/// All parts of all windows.
std::vector<WindowPart> window_parts(const std::vector<LinkGroup>& groups, std::int64_t blocks, std::int64_t rows);

}  // namespace parallel
