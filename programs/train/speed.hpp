// How fast a process works, and how long what is left will take it.
#pragma once

#include <cstdint>

namespace train {

enum class Pass { training, evaluation };

/// Sequences of each kind of pass.
struct Workload {
  double training = 0, evaluation = 0;

  double& of(Pass pass) { return pass == Pass::training ? training : evaluation; }
};

class Speed {
 public:
  void add(Pass pass, double sequences, double seconds) {
    done_.of(pass) += sequences;
    seconds_.of(pass) += seconds;
  }
  /// By what was measured. A kind of pass that there was none of yet is taken for three times as fast, or slow, as the
  /// other: a step goes forward, backward to the activations and backward to the parameters.
  double seconds_for(const Workload& work) const;

 private:
  Workload done_, seconds_;
};

}  // namespace train
