// Fits, by this process alone or by all that a launcher started together: the leader has the inputs and says what is
// fitted, the others follow.
#pragma once

#include <chord/chord.hpp>

#include "common/team.hpp"
#include "options.hpp"

namespace factorize {

class Fitter {
 public:
  /// Throws Misuse where the ranks cannot share the work.
  Fitter(const Options& options, program::Team& team);
  /// At the leader's end, the others end, too.
  ~Fitter();
  Fitter(const Fitter&) = delete;
  Fitter& operator=(const Fitter&) = delete;

  /// Into how many pieces X's columns are cut, whatever the number of ranks; 0: they are not.
  int64_t pieces() const { return pieces_; }
  int ranks() const { return team_.size(); }

  /// At the leader.
  chord::Factorization fit(const chord::Pattern& pattern, const chord::Matrix& matrix,
                           const chord_factorize_options& options) const;
  /// At the others, until the leader ends.
  void follow(chord::Context& context) const;
  /// The signal that came to the leader, or to another during a fit; or 0.
  int interrupted() const;

 private:
  program::Team& team_;
  int64_t pieces_;
};

}  // namespace factorize
