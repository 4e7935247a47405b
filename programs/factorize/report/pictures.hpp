// X, its approximations and what they miss, side by side, with colours that can be compared.
#pragma once

#include <string>

#include "../result.hpp"
#include "../view.hpp"

namespace factorize {

/// X, X̂ and the TSVD's approximation on one scale, below them the residuals on another.
std::string all_pictures(const Result& result, const View& view);

/// The factors, on a scale of their own.
/// The parts that X̂ is the sum of, each on a scale of its own.
std::string part_pictures(const Result& result, const View& view);

std::string factor_pictures(const Result& result, const View& view);

/// X, X̂ and X − X̂. `id` tells the matrices of a page apart.
std::string few_pictures(const Result& result, const View& view, const std::string& id);

}  // namespace factorize
