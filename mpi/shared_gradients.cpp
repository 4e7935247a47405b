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

/// Half of a node of the tree: the greatest power of two below.
std::int64_t left_part(std::int64_t pieces) {
  std::int64_t half = 1;
  while (2 * half < pieces) half *= 2;
  return half;
}

template <class T>
void add_values(char* sum, const char* other, std::size_t bytes) {
  T* const to = reinterpret_cast<T*>(sum);
  const T* const from = reinterpret_cast<const T*>(other);
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) to[i] += from[i];
}

}  // namespace

SharedGradients::SharedGradients(Peers& peers, chord_model* model)
    : peers_(peers), model_(model), gradients_(gradients_of(model)), info_(gradients_.info()) {}

SharedResult SharedGradients::compute(const Pieces& pieces, const chord_tensor* inputs, const chord_tensor* labels,
                                      const chord_train_options& options, std::int64_t asked) {
  Message& sum = take();
  add_up({pieces, inputs, labels, options, asked}, 0, pieces.count, sum);
  peers_.broadcast(sum.data(), sum.size());
  peers_.flush();
  free_.push_back(&sum);
  free_.insert(free_.end(), sent_.begin(), sent_.end());
  sent_.clear();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (head(sum).failed > 0) throw PeersLost("rank " + std::to_string(head(sum).failed - 1) + " has failed");
  chord::check(chord_tensor_from_host(gradients_.get(), sum.data() + sizeof(Head), info_.bytes));
  return {head(sum).loss / double(pieces.batch), head(sum).correct, head(sum).asked};
}

/// The sum of the pieces from `first` to `last`, in `sum` of the rank that has the first. All that have some of them
/// call it; each has computed all of its own before it waits for others.
void SharedGradients::add_up(const Batch& batch, std::int64_t first, std::int64_t last, Message& sum) {
  if (last - first == 1) return try_piece(batch, first, sum);
  const int own = peers_.rank();
  const std::int64_t middle = first + left_part(last - first);
  if (batch.pieces.has_some(own, first, middle)) add_up(batch, first, middle, sum);
  Message& right = take();
  if (batch.pieces.has_some(own, middle, last)) add_up(batch, middle, last, right);
  const int owner = batch.pieces.owner(first), owner_of_right = batch.pieces.owner(middle);
  if (owner != own && owner_of_right == own) {
    peers_.send(owner, right.data(), right.size());
    sent_.push_back(&right);
    return;
  }
  if (owner == own) {
    if (owner_of_right != own) peers_.receive(owner_of_right, right.data(), right.size());
    add(sum, right);
  }
  free_.push_back(&right);
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

void SharedGradients::add(Message& sum, const Message& other) const {
  const Head& from = *reinterpret_cast<const Head*>(other.data());
  Head& to = head(sum);
  to.loss += from.loss;
  to.correct += from.correct;
  to.asked = std::max(to.asked, from.asked);
  to.failed = std::max(to.failed, from.failed);
  const auto add = info_.type == CHORD_FLOAT64 ? add_values<double> : add_values<float>;
  add(sum.data() + sizeof(Head), other.data() + sizeof(Head), info_.bytes);
}

SharedGradients::Message& SharedGradients::take() {
  if (free_.empty()) {
    messages_.push_back(std::make_unique<Message>(sizeof(Head) + info_.bytes));
    free_.push_back(messages_.back().get());
  }
  Message& taken = *free_.back();
  free_.pop_back();
  return taken;
}

}  // namespace parallel
