#pragma once

#include <memory>

#include "data/dataset.hpp"
#include "data/files/pack_cache.hpp"

namespace chord {

/// The tokens that bytes of a pack stand for; −1 for none.
using TokenTable = std::array<std::int32_t, 256>;
TokenTable same_tokens();

/// The records of one split of a pack. `vocabulary` and `classes` as DatasetInfo has them.
std::shared_ptr<const Dataset> packed_dataset(std::shared_ptr<const Pack> pack, Split split, std::int64_t vocabulary,
                                              std::int64_t classes, const TokenTable& table = same_tokens(),
                                              const std::string& encoding = "{}");

}  // namespace chord
