// A training step through the public interface, counted.
#include <chord/chord.hpp>

#include "counts.hpp"

namespace ops {

nlohmann::json count_training_step(const char* device, const Counts& counts) {
  constexpr int64_t batch = 40, length = 128;
  chord::api::Context context(device);
  chord::api::Model model(context, R"({"preset":"adding","length":128})", 1);
  const auto inputs = chord::api::Tensor::from<float>(context, {batch, length, 2},
                                                      std::vector<float>(std::size_t(batch * length * 2), 0.5f));
  const auto labels = chord::api::Tensor::from<float>(context, {batch}, std::vector<float>(batch, 0.5f));
  for (int i = 0; i < 3; ++i) model.queue_train_step(inputs, labels);
  context.wait();
  counts.reset();
  model.queue_train_step(inputs, labels);
  const nlohmann::json counted = counts.read();
  context.wait();
  return counted;
}

}  // namespace ops
