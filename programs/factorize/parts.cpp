#include "parts.hpp"

#include "common/text.hpp"

namespace factorize {

PartSizes sizes_of(const std::vector<chord_part_info>& parts) {
  PartSizes sizes;
  for (const chord_part_info& part : parts) {
    if (part.kind == CHORD_PART_FACTORS) sizes.factors = part.size;
    if (part.kind == CHORD_PART_LOW_RANK) sizes.rank = part.size;
    if (part.kind == CHORD_PART_ENTRIES) sizes.entries = part.size;
  }
  return sizes;
}

std::string in_words(const PartSizes& parts, int32_t constraint) {
  const int64_t uses = constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? 2 : 1;
  std::vector<std::string> words;
  if (parts.rank > 0) words.push_back("rank " + std::to_string(parts.rank));
  if (parts.factors > 0) words.push_back(program::counted(uses * parts.factors, "factor"));
  if (parts.entries > 0) words.push_back(parts.entries == 1 ? "1 entry" : std::to_string(parts.entries) + " entries");
  return program::join(words, " + ");
}

}  // namespace factorize
