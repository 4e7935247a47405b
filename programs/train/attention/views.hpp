// What a model attends to, over what it was given: a review, an expression, a picture, a sequence.
#pragma once

#include <string>

#include "common/report/picture.hpp"
#include "sight.hpp"

namespace train {

/// `whole`: for a page of its own; otherwise for one of many, with little room. `id` tells those of a page apart.
std::string view(const Sight& sight, bool whole, const std::string& id);

/// The same as a picture: the sum of the rows over a picture's pixels, or a band for each row.
program::Picture picture_of(const Sight& sight);
program::Colouring colouring_of(const program::Picture& picture);

// How views are drawn, by what they are drawn over.
std::string text_view(const Sight& sight, bool whole);
std::string tree_view(const Sight& sight, bool whole);
std::string picture_view(const Sight& sight, bool whole, const std::string& id);
std::string strip_view(const Sight& sight, bool whole);

}  // namespace train
