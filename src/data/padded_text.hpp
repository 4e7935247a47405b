// Texts of any length as sequences of one: CLS before them, padding behind.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/size.hpp"

namespace chord {

/// The symbols of a task and those two, which have the last tokens of a vocabulary.
inline std::vector<std::string> with_padding(std::vector<std::string> symbols) {
  symbols.insert(symbols.end(), {"<PAD>", "<CLS>"});
  return symbols;
}

/// The length somebody wants, or the task's own.
inline std::int64_t padded_length(std::int64_t wanted, std::int64_t own) {
  if (wanted == 0) return own;
  if (wanted < 2)
    fail(Status::invalid_argument, "length is ", wanted,
         "; CLS and a symbol are 2, so expected that or more, or 0 for ", own);
  return checked_int32(wanted, "length");
}

}  // namespace chord
