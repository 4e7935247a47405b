// Reviews of films (Maas et al., "Learning word vectors for sentiment analysis"), character by character, and whether
// they are favourable.
#pragma once

#include "data/dataset.hpp"
#include "data/encoder.hpp"

namespace chord {

/// What the folder of its data has to hold.
inline constexpr const char* text_files = "the reviews of IMDb, train/ and test/ with pos/*.txt and neg/*.txt each";

/// A tenth of the training reviews, always the same, is the validation set.
std::shared_ptr<const Dataset> open_text(const DatasetRequest& request);

/// A review's bytes. Their characters are those that Python shows for an object of type bytes: b'…', where what is no
/// printable ASCII is an escape. Of a longer text, the last ones are taken.
std::unique_ptr<const Encoder> text_encoder(const std::string& encoding, std::int64_t length);

}  // namespace chord
