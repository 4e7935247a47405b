// Pathfinder (Linsley et al., "Learning long-range spatial dependencies with horizontal gated recurrent units"): are
// the two discs in a picture the ends of one dashed path? As the Long Range Arena has it, with 32 × 32 pixels.
#pragma once

#include "data/dataset.hpp"
#include "data/encoder.hpp"
#include "data/generate_files.hpp"

namespace chord {

/// What the folder of its data has to hold.
inline constexpr const char* pathfinder_files = "Pathfinder32's folders curv_*, with imgs/ and metadata/ each";

/// In that folder, what is made and not yet in its place: for a moment, or since a process was killed in it.
inline constexpr const char* undelivered_pathfinder = ".chord-pathfinder-whole";

/// A pixel's token is the rank of its grey level among all levels that occur in the files, which is the encoding. Of
/// each folder's metadata files, sorted by name, the first ten are the test set and the next ten the validation set; of
/// fewer than a hundred, a tenth each. A picture that is an empty file, as there is one in the Long Range Arena's
/// release, is left out and logged.
std::shared_ptr<const Dataset> open_pathfinder(const DatasetRequest& request);

/// PNGs of 32 × 32 pixels, with levels that the encoding has.
std::unique_ptr<const Encoder> pathfinder_encoder(const std::string& encoding, std::int64_t length);

/// Writes pictures with paths of 6, 9 and 14 dashes into three such folders.
void generate_pathfinder(const GenerateRequest& request);

}  // namespace chord
