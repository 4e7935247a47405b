// Which sequences each batch of a pass over a dataset has: a function of the options alone.
#pragma once

#include <memory>
#include <vector>

#include "data/dataset.hpp"

namespace chord {

struct BatchOptions {
  std::int64_t batch = 1;  ///< sequences in each
  std::uint64_t seed = 0;  ///< with epoch: of the order, if shuffled
  std::int64_t epoch = 0;
  bool shuffle = false, drop_last = false;
  std::int64_t part_first = 0, part_count = 0;  ///< these places of each batch alone; 0: all from the first on
};

class BatchPlan {
 public:
  BatchPlan(std::shared_ptr<const Dataset> dataset, const BatchOptions& options);

  const Dataset& dataset() const { return *dataset_; }
  std::int64_t count() const { return count_; }         ///< batches
  std::int64_t largest() const { return part_count_; }  ///< sequences of a batch, or of the part of it
  std::int64_t size(std::int64_t number) const;         ///< of this one
  /// The dataset's index of the place-th sequence of a batch's part.
  std::int64_t sequence(std::int64_t number, std::int64_t place) const {
    const std::int64_t at = number * batch_ + part_first_ + place;
    return order_.empty() ? at : order_[std::size_t(at)];
  }

 private:
  std::shared_ptr<const Dataset> dataset_;
  std::int64_t batch_, count_, part_first_, part_count_;
  std::vector<std::int32_t> order_;  ///< empty where it is the dataset's own
};

}  // namespace chord
