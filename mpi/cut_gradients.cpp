#include "mpi/cut_gradients.hpp"

#include "mpi/rows.hpp"

namespace parallel {
namespace {

chord::Tensor run_of(const chord::Tensor& all, const CutParameters::Run& run) {
  return rows_of(all.get(), {run.first, run.count});
}

}  // namespace

CutGradients::CutGradients(Peers& peers, const CutParameters& parameters, const Pieces& blocks, chord_type type)
    : parameters_(parameters),
      blocks_(blocks),
      first_own_(blocks.first_of(peers.rank())),
      number_size_(type == CHORD_FLOAT64 ? sizeof(double) : sizeof(float)),
      tree_(peers, bytes_of(parameters.shared_size())) {}

void CutGradients::add_up(const std::vector<chord::Model*>& own) {
  const Message& sum = tree_.sum(
      blocks_,
      [&](std::int64_t block, Message& into) { take(own[std::size_t(block - first_own_)]->gradients(), into); },
      [&](Message& to, const Message& other) {
        number_size_ == sizeof(double) ? add_values<double>(to, other) : add_values<float>(to, other);
      });
  for (std::size_t i = 0; i < own.size(); ++i) put(sum, own[i]->gradients(), first_own_ == 0 && i == 0);
}

void CutGradients::take(const chord::Tensor& gradients, Message& into) const {
  char* place = into.data();
  for (const CutParameters::Run& run : parameters_.shared()) {
    chord::check(chord_tensor_to_host(run_of(gradients, run).get(), place, bytes_of(run.count)));
    place += bytes_of(run.count);
  }
}

/// Those of the head's that only the first block has become zero elsewhere.
void CutGradients::put(const Message& sum, const chord::Tensor& gradients, bool of_first) const {
  const char* place = sum.data();
  for (const CutParameters::Run& run : parameters_.shared()) {
    chord::check(chord_tensor_from_host(run_of(gradients, run).get(), place, bytes_of(run.count)));
    place += bytes_of(run.count);
  }
  if (of_first) return;
  for (const CutParameters::Run& run : parameters_.of_first()) run_of(gradients, run).fill(0);
}

}  // namespace parallel
