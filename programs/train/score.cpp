#include "score.hpp"

#include <algorithm>

#include "common/interrupt.hpp"

namespace train {
namespace {

/// What a rank has to say of its batch.
struct Turn {
  int64_t count = 0;
  int interrupted = 0;
};

/// Answers of all ranks, one behind the other.
std::vector<Answer> gather(program::Team& team, const std::vector<Answer>& own, int64_t batch) {
  const auto ranks = std::size_t(team.size()), room = std::size_t(batch);
  const Turn turn{int64_t(own.size()), program::interrupted()};
  std::vector<Turn> turns(ranks);
  team.peers().gather(&turn, sizeof turn, turns.data());
  std::vector<Answer> padded = own, places(room * ranks), all;
  padded.resize(room);
  team.peers().gather(padded.data(), room * sizeof(Answer), places.data());
  int signal = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto begin = places.begin() + std::ptrdiff_t(rank * room);
    all.insert(all.end(), begin, begin + turns[rank].count);
    signal = std::max(signal, turns[rank].interrupted);
  }
  team.agree_on(signal);
  return all;
}

}  // namespace

double label_of(const chord::Batch& batch, int32_t type, int64_t index) {
  if (type == CHORD_INT32) return static_cast<const int32_t*>(batch.labels)[index];
  return static_cast<const float*>(batch.labels)[index];
}

ScoredAnswers score_of(chord::Model& model, const chord::Dataset& data, int64_t batch, Feed& feed, program::Team& team,
                       const std::function<bool(const Score&)>& seen) {
  const auto data_info = data.info();
  const int64_t classes = model.info().classes;
  const Judge judge(model);
  auto options = chord::batches_options(batch * team.size());
  options.part_first = batch * team.rank();
  options.part_count = batch;
  chord::Batches batches(data, options);
  ScoredAnswers score;
  score.answers.reserve(std::size_t(data_info.count));
  for (int64_t turns = batches.count(); turns > 0; --turns) {
    const chord::Batch next = batches.next();
    std::vector<Answer> answers;
    if (next.count > 0) {
      feed.load(next);
      const std::vector<double> outputs = feed.outputs_of(model);
      for (int64_t i = 0; i < next.count; ++i)
        answers.push_back(judge(&outputs[std::size_t(i * classes)], label_of(next, data_info.label_type, i)));
    }
    for (const Answer& answer : gather(team, answers, batch)) {
      score.answers.push_back(answer);
      score.add(answer);
    }
    if (!seen(score)) break;
  }
  return score;
}

}  // namespace train
