// Where the non-zeros of the factors are, as the command line says it: chord, chord:BASE, symmetric, symmetric:BASE or
// custom:OFFSET,OFFSET,…
#pragma once

#include <chord/chord.hpp>
#include <string>
#include <vector>

namespace factorize {

class Protocol {
 public:
  /// Throws std::invalid_argument.
  explicit Protocol(const std::string& text);

  /// `links`: 0 for the default. A custom protocol has as many as it lists.
  chord::Pattern pattern(chord::Context& context, int64_t n, int64_t links) const;
  bool custom() const { return kind_ == Kind::custom; }

 private:
  enum class Kind { chord, symmetric, custom };

  Kind kind_;
  int64_t base_ = 2;
  std::vector<int64_t> offsets_;
};

}  // namespace factorize
