// Which rows of the product show what a model attends to: those the paper shows, where it shows any.
#pragma once

#include <string>
#include <vector>

#include "sequence.hpp"

namespace train {

struct RowChoice {
  std::vector<int64_t> rows;
  std::string meaning;  ///< "the row of the token that the answer is made from"
};

/// `symbols`: what each token is, where tokens have a name.
RowChoice rows_of(const std::string& task, const Sequence& sequence, const std::vector<std::string>& symbols);

/// A token's grey level, where tokens are those of a picture.
double grey_level(int32_t token, const std::vector<std::string>& symbols);

/// The side of a square picture with so many pixels; 0 if there is none.
int64_t picture_side(int64_t pixels);

}  // namespace train
