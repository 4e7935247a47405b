// A pass over a dataset, batch by batch; the next ones are prepared by a thread while the caller works on one.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "data/batch_plan.hpp"

namespace chord {

struct Batch {
  std::vector<char> inputs, labels;  ///< of the types the dataset names
  std::int64_t count = 0;            ///< sequences
};

class Batches {
 public:
  /// Begins with batch number `first`.
  Batches(BatchPlan plan, std::int64_t first);
  /// In a fork of the process that made it, leaves everything as it is: the thread is not there to be waited for.
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /// Throws Status::forked in a fork.
  void check_process() const;

  /// How many batches the whole pass has.
  std::int64_t count() const;

  /// The next batch, valid until the next call; null at the end. What goes wrong in the thread is thrown here.
  const Batch* next();

 private:
  class Preparation;
  Preparation* preparation_;  ///< not a smart pointer: left alone in a fork
  pid_t owner_;
};

}  // namespace chord
