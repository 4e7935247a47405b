#include "cut_sequences.hpp"

#include <algorithm>

#include "common/interrupt.hpp"
#include "mpi/device_arrays.hpp"
#include "mpi/rows.hpp"

namespace train {
namespace {

/// `count` values of 32 bits to a tensor's, which may have 64.
void upload(const chord::Tensor& tensor, const void* values, int64_t count) {
  if (tensor.info().type == CHORD_FLOAT64) {
    const float* const narrow = static_cast<const float*>(values);
    const std::vector<double> wide(narrow, narrow + count);
    chord::check(chord_tensor_from_host(tensor.get(), wide.data(), wide.size() * sizeof(double)));
  } else {
    chord::check(chord_tensor_from_host(tensor.get(), values, std::size_t(count) * sizeof(float)));
  }
}

}  // namespace

CutSequences::CutSequences(chord::Context& context, const Settings& settings, const chord_model_info& model,
                           program::Team& team)
    : context_(context),
      team_(team),
      whole_(model),
      judge_(settings.model),
      model_(team.peers(), context.get(), parallel::ModelText(settings.model.dump()), settings.seed, settings.pieces) {
  std::vector<int64_t> shape{settings.batch, model_.share().count};
  if (model.features > 0) shape.push_back(model.features);
  inputs_ = parallel::make_tensor(context.get(), model.input_type, shape);
  labels_ = parallel::make_tensor(context.get(), model.label_type, {settings.batch});
}

std::string CutSequences::problem_with(const Settings& settings, int ranks) {
  if (settings.clip_norm > 0) return "--clip-norm has no part in it: no rank has all gradients";
  if (settings.micro_batch > 0) return "--micro-batch has no part in it: sequences are taken one by one";
  return parallel::CutModel::problem_with(parallel::ModelText(settings.model.dump()), settings.pieces, ranks);
}

chord_model_memory CutSequences::reserve() {
  const uint64_t before = context_.memory().bytes_in_use;
  model_.reserve(true);
  const uint64_t saving = team_.leads() ? state_bytes() : 0;
  const uint64_t own[] = {before + saving, context_.memory().bytes_in_use + saving};
  std::vector<uint64_t> all(2 * std::size_t(team_.size()));
  team_.peers().gather(own, sizeof own, all.data());
  chord_model_memory most = CHORD_MODEL_MEMORY_INIT;
  most.memory = CHORD_MEMORY_LOW;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    if (all[i + 1] <= most.peak_bytes) continue;
    most.parameter_bytes = all[i];
    most.peak_bytes = all[i + 1];
    most.activation_bytes = all[i + 1] - all[i];
  }
  return most;
}

/// Of the whole model's parameters and moments, which the leader has beside its own while it writes them.
uint64_t CutSequences::state_bytes() const {
  return 3 * uint64_t(whole_.parameters) * (whole_.output_type == CHORD_FLOAT64 ? sizeof(double) : sizeof(float));
}

void CutSequences::put(const chord::Batch& single, int64_t place) {
  const parallel::Range share = model_.share();
  const int64_t row = std::max<int64_t>(whole_.features, 1);
  const char* const values = static_cast<const char*>(single.inputs);
  upload(parallel::rows_of(inputs_.get(), {place, 1}), values + share.first * row * int64_t(sizeof(float)),
         share.count * row);
  upload(parallel::rows_of(labels_.get(), {place, 1}), single.labels, 1);
}

void CutSequences::load(chord::Batches& singles, int64_t count) {
  team_.together([&] {
    for (int64_t place = 0; place < count; ++place) put(singles.next(), place);
  });
}

ScoredAnswers CutSequences::score_of(const chord::Dataset& data, const std::function<bool(const Score&)>& seen) {
  chord::Batches singles(data, chord::batches_options(1));
  const auto info = data.info();
  ScoredAnswers score;
  for (int64_t left = info.count; left > 0; --left) {
    chord::Batch next;
    team_.together([&] {
      next = singles.next();
      put(next, 0);
    });
    const std::vector<double> outputs = model_.outputs(parallel::rows_of(inputs_.get(), {0, 1}).get());
    score.answers.push_back(judge_(outputs.data(), label_of(next, info.label_type, 0)));
    score.add(score.answers.back());
    team_.agree_on_signals(program::interrupted());
    if (!seen(score)) break;
  }
  return score;
}

}  // namespace train
