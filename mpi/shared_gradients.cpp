#include "mpi/shared_gradients.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mpi/rows.hpp"

namespace parallel {
namespace {

chord::Tensor gradients_of(chord_model* model) {
  chord_tensor* handle = nullptr;
  chord::check(chord_model_get_gradients(model, &handle));
  return chord::Tensor(handle);
}

}  // namespace

SharedGradients::SharedGradients(Peers& peers, chord_model* model, Sum sum)
    : peers_(peers),
      model_(model),
      gradients_(gradients_of(model)),
      info_(gradients_.info()),
      sum_(sum),
      tree_(peers, sizeof(Head) + info_.bytes) {}

SharedResult SharedGradients::compute(const Pieces& pieces, const chord_tensor* inputs, const chord_tensor* labels,
                                      const chord_train_options& options, std::int64_t asked) {
  const Batch batch{pieces, inputs, labels, options, asked};
  const Message& sum = sum_ == Sum::fast
                           ? sum_of_shares(batch)
                           : tree_.sum(
                                 pieces, [&](std::int64_t piece, Message& into) { try_piece(batch, piece, into); },
                                 [&](Message& to, const Message& other) { add(to, other); });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (head(sum).failed > 0) throw PeersLost("rank " + std::to_string(head(sum).failed - 1) + " has failed");
  chord::check(chord_tensor_from_host(gradients_.get(), sum.data() + sizeof(Head), info_.bytes));
  return {head(sum).loss / double(pieces.batch), head(sum).correct, head(sum).asked};
}

/// The others wait for an answer, whatever becomes of the piece.
void SharedGradients::try_piece(const Batch& batch, std::int64_t piece, Message& into) {
  head(into) = {0, 0, batch.asked, 0};
  try {
    if (!failure_) compute_piece(batch, piece, into);
  } catch (const std::exception&) {
    failure_ = std::current_exception();
  }
  if (failure_) head(into).failed = 1 + peers_.rank();
}

void SharedGradients::compute_piece(const Batch& batch, std::int64_t piece, Message& into) {
  const PieceOfShare part(batch.pieces, peers_.rank(), piece, batch.inputs, batch.labels, batch.options);
  chord_train_options options = part.options;
  options.whole_batch = batch.pieces.batch;
  options.dropout = 1;
  options.accumulate = 0;
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  chord::check(chord_model_gradients(model_, part.inputs.get(), part.labels.get(), &options, &result));
  chord::check(chord_tensor_to_host(gradients_.get(), into.data() + sizeof(Head), info_.bytes));
  head(into).loss = result.loss * double(result.count);
  head(into).correct = result.correct;
}

/// Heads first: where a share has failed, nobody adds.
const SharedGradients::Message& SharedGradients::sum_of_shares(const Batch& batch) {
  share_.resize(sizeof(Head) + info_.bytes);
  try_piece(batch, peers_.rank(), share_);
  std::vector<Head> heads(std::size_t(peers_.size()));
  peers_.gather(&head(share_), sizeof(Head), heads.data());
  head(share_) = heads[0];
  for (std::size_t rank = 1; rank < heads.size(); ++rank) add(head(share_), heads[rank]);
  if (head(share_).failed > 0) return share_;
  char* const values = share_.data() + sizeof(Head);
  if (info_.type == CHORD_FLOAT64)
    peers_.add_up(reinterpret_cast<double*>(values), info_.bytes / sizeof(double));
  else
    peers_.add_up(reinterpret_cast<float*>(values), info_.bytes / sizeof(float));
  return share_;
}

void SharedGradients::add(Head& sum, const Head& other) {
  sum.loss += other.loss;
  sum.correct += other.correct;
  sum.asked = std::max(sum.asked, other.asked);
  sum.failed = std::max(sum.failed, other.failed);
}

void SharedGradients::add(Message& sum, const Message& other) const {
  add(head(sum), head(other));
  const auto add = info_.type == CHORD_FLOAT64 ? add_values<double> : add_values<float>;
  add(sum, other, sizeof(Head));
}

}  // namespace parallel
