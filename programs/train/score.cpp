#include "score.hpp"

namespace train {
namespace {

double label_of(const chord::Batch& batch, int32_t type, int64_t index) {
  if (type == CHORD_INT32) return static_cast<const int32_t*>(batch.labels)[index];
  return static_cast<const float*>(batch.labels)[index];
}

}  // namespace

ScoredAnswers score_of(chord::Model& model, const chord::Dataset& data, int64_t batch, Feed& feed,
                       const std::function<bool(const Score&)>& seen) {
  const auto data_info = data.info();
  const int64_t classes = model.info().classes;
  const Judge judge(model);
  chord::Batches batches(data, chord::batches_options(batch));
  ScoredAnswers score;
  score.answers.reserve(std::size_t(data_info.count));
  for (chord::Batch next = batches.next(); next.count > 0; next = batches.next()) {
    feed.load(next);
    const std::vector<double> outputs = feed.outputs_of(model);
    for (int64_t i = 0; i < next.count; ++i) {
      score.answers.push_back(judge(&outputs[std::size_t(i * classes)], label_of(next, data_info.label_type, i)));
      score.add(score.answers.back());
    }
    if (!seen(score)) break;
  }
  return score;
}

}  // namespace train
