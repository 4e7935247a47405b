// A training step through the public interface, counted.
#include <chord/chord.hpp>

#include "counts.hpp"

namespace ops {

nlohmann::json count_training_step(const char* device, const TrainingStep& step, const Counts& counts) {
  using chord::api::Tensor;
  chord::api::Context context(device);
  chord::api::Model model(context, step.description, 1);
  const auto tensor = [&](const std::vector<int64_t>& shape) {
    std::size_t count = 1;
    for (const int64_t extent : shape) count *= std::size_t(extent);
    return step.tokens ? Tensor::from<int32_t>(context, shape, std::vector<int32_t>(count, 1))
                       : Tensor::from<float>(context, shape, std::vector<float>(count, 0.5f));
  };
  const Tensor inputs = step.tokens ? tensor({step.batch, step.length}) : tensor({step.batch, step.length, 2});
  const Tensor labels = tensor({step.batch});
  for (int i = 0; i < 3; ++i) model.queue_train_step(inputs, labels);
  context.wait();
  counts.reset();
  model.queue_train_step(inputs, labels);
  const nlohmann::json counted = counts.read();
  context.wait();
  return counted;
}

}  // namespace ops
