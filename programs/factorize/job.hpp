// One matrix to be factorised, and what is known about it beforehand.
#pragma once

#include <optional>
#include <string>

namespace factorize {

struct Job {
  std::string name;
  std::string file;
  std::optional<double> published_error, published_tsvd_error;
};

}  // namespace factorize
