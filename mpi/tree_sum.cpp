#include "mpi/tree_sum.hpp"

namespace parallel {
namespace {

/// Half of a node of the tree: the greatest power of two below.
std::int64_t left_part(std::int64_t pieces) {
  std::int64_t half = 1;
  while (2 * half < pieces) half *= 2;
  return half;
}

}  // namespace

/// On each level of the tree a rank has one message at most, and has sent another.
void TreeSum::prepare(const Pieces& pieces) {
  std::size_t levels = 0;
  for (std::int64_t count = pieces.count; count > 1; count = left_part(count)) ++levels;
  while (messages_.size() < 1 + 2 * levels) {
    messages_.push_back(std::make_unique<Message>(bytes_));
    free_.push_back(messages_.back().get());
  }
  sent_.reserve(levels);
}

const TreeSum::Message& TreeSum::sum(const Pieces& pieces, const Make& make, const Add& add) {
  Message& sum = take();
  add_up({pieces, make, add}, 0, pieces.count, sum);
  peers_.broadcast(sum.data(), sum.size());
  peers_.flush();
  free_.push_back(&sum);
  free_.insert(free_.end(), sent_.begin(), sent_.end());
  sent_.clear();
  return sum;
}

/// The sum of the pieces from `first` to `last`, in `sum` of the rank that has the first. All that have some of them
/// call it.
void TreeSum::add_up(const Work& work, std::int64_t first, std::int64_t last, Message& sum) {
  if (last - first == 1) return work.make(first, sum);
  const int own = peers_.rank();
  const std::int64_t middle = first + left_part(last - first);
  if (work.pieces.has_some(own, first, middle)) add_up(work, first, middle, sum);
  Message& right = take();
  if (work.pieces.has_some(own, middle, last)) add_up(work, middle, last, right);
  const int owner = work.pieces.owner(first), owner_of_right = work.pieces.owner(middle);
  if (owner != own && owner_of_right == own) {
    peers_.send(owner, right.data(), right.size());
    sent_.push_back(&right);
    return;
  }
  if (owner == own) {
    if (owner_of_right != own) peers_.receive(owner_of_right, right.data(), right.size());
    work.add(sum, right);
  }
  free_.push_back(&right);
}

TreeSum::Message& TreeSum::take() {
  if (free_.empty()) {
    messages_.push_back(std::make_unique<Message>(bytes_));
    free_.push_back(messages_.back().get());
  }
  Message& taken = *free_.back();
  free_.pop_back();
  return taken;
}

}  // namespace parallel
