#include "speed.hpp"

namespace train {

double Speed::seconds_for(const Workload& work) const {
  constexpr double evaluations_per_step = 3;
  double training = done_.training > 0 ? seconds_.training / done_.training : 0;
  double evaluation = done_.evaluation > 0 ? seconds_.evaluation / done_.evaluation : 0;
  if (training == 0) training = evaluation * evaluations_per_step;
  if (evaluation == 0) evaluation = training / evaluations_per_step;
  return work.training * training + work.evaluation * evaluation;
}

}  // namespace train
