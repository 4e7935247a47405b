#include "score.hpp"

namespace train {

Score score_of(chord::Model& model, const chord::Dataset& data, int64_t batch, Feed& feed,
               const std::function<bool(const Score&)>& seen) {
  chord::Batches batches(data, chord::batches_options(batch));
  Score score;
  for (chord::Batch next = batches.next(); next.count > 0; next = batches.next()) {
    feed.load(next);
    score.add(model.evaluate(feed.inputs(), feed.labels()));
    if (!seen(score)) break;
  }
  return score;
}

}  // namespace train
