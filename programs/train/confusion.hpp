// What a model takes for what.
#pragma once

#include <vector>

#include "answer.hpp"

namespace train {

class Confusion {
 public:
  Confusion(const std::vector<Answer>& answers, int64_t classes);

  int64_t classes() const { return classes_; }
  int64_t count(int64_t expected, int64_t given) const { return counts_[std::size_t(expected * classes_ + given)]; }
  /// Sequences of a class.
  int64_t count(int64_t expected) const;
  /// Of a class, in percent; 0 where it has no sequences.
  double accuracy(int64_t expected) const;
  double share(int64_t expected, int64_t given) const;  ///< of the class, from 0 to 1

 private:
  int64_t classes_;
  std::vector<int64_t> counts_;  // [expected, given]
};

}  // namespace train
