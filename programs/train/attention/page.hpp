// What a model attends to in one sequence, as a page: one file that needs no other and no network.
#pragma once

#include <string>
#include <vector>

#include "common/report/html.hpp"
#include "sight.hpp"

namespace train {

/// `source`: where the sequence is from. `residual`: whether the model adds its first values after every factor.
/// `about`: what else there is to be known.
std::string attention_page(const Sight& sight, const std::string& source, bool residual,
                           const std::vector<program::Detail>& about);

/// How the colours are to be read; a sentence or two.
std::string reading_aid(const RowChoice& choice, bool residual);

}  // namespace train
