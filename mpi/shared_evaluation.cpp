#include "mpi/shared_evaluation.hpp"

#include <chord/chord.hpp>
#include <exception>
#include <string>
#include <vector>

#include "mpi/rows.hpp"

namespace parallel {
namespace {

struct PieceScore {
  double loss = 0;  // sum over sequences
  std::int64_t correct = 0;
  bool failed = false;
};

}  // namespace

chord_step_result shared_evaluation(Peers& peers, chord_model* model, const Pieces& pieces, const chord_tensor* inputs,
                                    const chord_tensor* labels, const chord_train_options& options) {
  const int own = peers.rank();
  const auto room = std::size_t((pieces.count + pieces.ranks - 1) / pieces.ranks);
  std::vector<PieceScore> scores(room), all(room * std::size_t(pieces.ranks));
  std::exception_ptr failure;
  try {
    for (std::int64_t piece = pieces.first_of(own); piece < pieces.first_of(own + 1); ++piece) {
      const PieceOfShare part(pieces, own, piece, inputs, labels, options);
      chord_step_result result = CHORD_STEP_RESULT_INIT;
      chord::check(chord_model_evaluate_with(model, part.inputs.get(), part.labels.get(), &part.options, &result));
      scores[std::size_t(piece - pieces.first_of(own))] = {result.loss * double(result.count), result.correct};
    }
  } catch (const std::exception&) {
    failure = std::current_exception();
    scores[0].failed = true;
  }
  peers.gather(scores.data(), room * sizeof(PieceScore), all.data());
  if (failure) std::rethrow_exception(failure);

  chord_step_result sum = CHORD_STEP_RESULT_INIT;
  sum.count = pieces.batch;
  for (int rank = 0; rank < pieces.ranks; ++rank) {
    const PieceScore* of_rank = &all[std::size_t(rank) * room];
    if (of_rank->failed) throw PeersLost("rank " + std::to_string(rank) + " has failed");
    for (std::int64_t piece = pieces.first_of(rank); piece < pieces.first_of(rank + 1); ++piece, ++of_rank) {
      sum.loss += of_rank->loss;
      sum.correct += of_rank->correct;
    }
  }
  sum.loss /= double(pieces.batch);
  return sum;
}

}  // namespace parallel
