// The charts of a result.
#pragma once

#include <string>

#include "../result.hpp"
#include "../view.hpp"

namespace factorize {

/// The relative error over the seconds, and the errors to compare it with.
std::string convergence_chart(const Result& result, double width, double height);

/// The singular values of X and X̂, and the rank at which the truncated SVD ends.
std::string singular_value_chart(const Result& result, const View& view, double width, double height);

}  // namespace factorize
