#include "mpi/link_groups.hpp"

#include <algorithm>

namespace parallel {

std::vector<LinkGroup> link_groups(const std::vector<std::int64_t>& offsets, std::int64_t blocks, std::int64_t rows) {
  std::vector<LinkGroup> groups;
  const std::int64_t all = blocks * rows;
  for (std::size_t link = 0; link < offsets.size(); ++link) {
    const std::int64_t offset = (offsets[link] % all + all) % all, distance = offset / rows;
    if (groups.empty() || groups.back().distance != distance)
      groups.push_back({std::int64_t(link), distance, {}, rows});
    LinkGroup& group = groups.back();
    group.offsets.push_back(offset % rows);
    group.rows = std::max(group.rows, rows + offset % rows);
  }
  return groups;
}

std::vector<WindowPart> window_parts(const std::vector<LinkGroup>& groups, std::int64_t blocks, std::int64_t rows) {
  std::vector<WindowPart> parts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    parts.push_back({i, groups[i].distance, rows, 0});
    if (groups[i].rows > rows) parts.push_back({i, (groups[i].distance + 1) % blocks, groups[i].rows - rows, rows});
  }
  return parts;
}

}  // namespace parallel
