// How a batch is cut into passes: sequences that are computed together.
#pragma once

#include <algorithm>
#include <cstdint>

#include "nn/parameters.hpp"

namespace chord {

/// Each pass leaves [3, its sequences] parts of the loss: sums, gaps, correct.
struct BatchCut {
  std::int64_t all = 0, together = 0;
  std::int64_t parts() const { return 3 * all; }
  bool operator==(const BatchCut&) const = default;
};

/// action(first, count) for every pass.
template <class Action>
void for_each_pass(const BatchCut& cut, Action action) {
  for (std::int64_t first = 0; first < cut.all; first += cut.together)
    action(first, std::min(cut.together, cut.all - first));
}

/// The passes of a batch where nobody has said how many sequences are to be taken together: as many as the host's
/// caches hold from where factors are made to where they are used, and all of them on other devices. It depends on the
/// model alone, so that a step has the same bits on every processor.
BatchCut cut_for_caches(const ModelDescription& description, const ParameterList& list, const DeviceDescription& device,
                        std::int64_t batch, bool training);

}  // namespace chord
