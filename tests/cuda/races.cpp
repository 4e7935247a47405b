#include "races.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <map>

#include "memory.hpp"

namespace chord::standin {
namespace {

bool same_warp(const Races::Access& a, const Races::Access& b) { return a.thread / 32 == b.thread / 32; }

/// Whether nothing says which of the two comes first.
bool unordered(const Races::Access& a, const Races::Access& b) {
  if (!a.present || (a.atomic && b.atomic)) return false;
  if (a.block != b.block) return true;
  if (a.thread == b.thread || a.epoch != b.epoch) return false;
  return !same_warp(a, b) || a.warp_epoch == b.warp_epoch;
}

}  // namespace

Races::Races(std::uint64_t bytes) : words_(bytes / 4 + 1), cells_(static_cast<Cell*>(reserve(words_ * sizeof(Cell)))) {}

Races::~Races() { munmap(cells_, words_ * sizeof(Cell)); }

std::optional<Races::Conflict> Races::touch(std::uint64_t offset, int bytes, const Access& access, bool writes) {
  std::optional<Conflict> found;
  for (const std::uint64_t end = offset + std::uint64_t(bytes); offset < end;) {
    const int first = int(offset % 4), count = int(std::min<std::uint64_t>(std::uint64_t(4 - first), end - offset));
    const auto conflict = touch_word(offset / 4, first, count, access, writes);
    if (!found) found = conflict;
    offset += std::uint64_t(count);
  }
  return found;
}

std::optional<Races::Conflict> Races::touch_word(std::uint64_t word, int first, int bytes, const Access& access,
                                                 bool writes) {
  Cell& cell = cells_[word];
  if (cell.stamp != stamp_) cell = Cell{stamp_, false, {}, {}};
  if (bytes == 4 && !cell.split) return touch_cell(cell, 4 * word, access, writes);
  auto& parts = bytes_of_[word];
  if (!cell.split) parts.fill(cell);
  cell.split = true;
  std::optional<Conflict> found;
  for (int i = first; i < first + bytes; ++i) {
    const auto conflict = touch_cell(parts[std::size_t(i)], 4 * word + std::uint64_t(i), access, writes);
    if (!found) found = conflict;
  }
  return found;
}

std::optional<Races::Conflict> Races::touch_cell(Cell& cell, std::uint64_t offset, const Access& access, bool writes) {
  std::optional<Conflict> found;
  if (unordered(cell.writer, access)) found = {cell.writer, writes ? "written twice" : "written, then read", offset};
  if (writes) {
    for (const Access& reader : cell.readers)
      if (!found && unordered(reader, access)) found = {reader, "read, then written", offset};
    cell.writer = access;
    return found;
  }
  for (Access& reader : cell.readers)  // one of the same block that a barrier orders need not be kept
    if (!reader.present || (reader.block == access.block && !unordered(reader, access))) {
      reader = access;
      return found;
    }
  if (cell.readers[0].block == cell.readers[1].block) cell.readers[1] = access;  // two blocks see more than one
  return found;
}

Races& races_of(const Arena& arena) {
  static auto& all = *new std::map<const Arena*, Races>;
  return all.try_emplace(&arena, arena.size()).first->second;
}

}  // namespace chord::standin
