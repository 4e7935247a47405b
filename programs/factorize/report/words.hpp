// What a reader needs to know of the words and the pictures of a report.
#pragma once

#include <string>

#include "../result.hpp"
#include "../streak.hpp"

namespace factorize {

/// Factors, links, and how X̂ is made of them.
std::string words(const Result& result);

/// Why the residual has a streak.
std::string streak_note(const Streak& streak, int64_t n);

}  // namespace factorize
