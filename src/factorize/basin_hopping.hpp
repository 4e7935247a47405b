// Basin hopping (Wales and Doye, 1997): noise on the best parameters, then a descent, again and again. It leaves narrow
// valleys, along which a descent only creeps, for better ones nearby. A hop that does harm is undone; where hops hardly
// help several times in a row, the next are half as strong.
#pragma once

#include "factorize/fit.hpp"

namespace chord {

template <class T>
class BasinHopping {
 public:
  explicit BasinHopping(Fit<T>& fit) : fit_(fit) {}

  /// Goes on from these parameters until the run ends.
  Stop run(const Scratch& parameters);

 private:
  std::optional<Stop> descend_while_steep(const Scratch& parameters);
  std::optional<Stop> hop_while_it_helps(const Scratch& parameters);
  std::optional<Stop> hop(const Scratch& parameters, double strength, std::uint64_t number);

  Fit<T>& fit_;
};

}  // namespace chord
