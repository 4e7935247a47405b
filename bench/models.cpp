// Training steps and inference of the paper's models on every device, through the public interface.
#include <chord/chord.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "work.hpp"

namespace {

using chord::Context;
using chord::Model;
using chord::Tensor;

struct Task {
  const char* name;
  std::int64_t batch, width, hidden, channels, head;
};
constexpr Task adding{"adding", 40, 32, 32, 8, 1}, image{"image", 32, 16, 16, 16, 16};

/// Multiplications and additions of a forward pass: the networks, the chain, the head. A backward pass has twice as
/// many.
double operations_of(const Task& task, std::int64_t n) {
  const double rows = double(task.batch * n), m = double(factors_of(n)), d = double(task.width),
               h = double(task.hidden), c = double(task.channels), links = double(links_of(n));
  const double networks = m * (d * h + h * links) + d * h + h * c;
  return 2 * rows * (networks + m * links * c + c * double(task.head));
}

/// What must pass through memory: the factors, written once and read once; going back also their gradients.
double bytes_of(const Task& task, std::int64_t n, bool training) {
  const double factors = double(task.batch * n) * double(factors_of(n)) * double(links_of(n));
  return 4.0 * factors * (training ? 5 : 2);
}

struct Setting {
  Context context;
  Model model;
  Tensor inputs, labels, outputs;

  Setting(const std::string& device, const Task& task, std::int64_t n)
      : context(device), model(context, nlohmann::json{{"preset", task.name}, {"length", n}}.dump()) {
    const auto info = model.info();
    if (info.features > 0) {
      inputs = Tensor::empty<float>(context, {task.batch, n, info.features});
      labels = Tensor::empty<float>(context, {task.batch});
    } else {
      inputs = Tensor::empty<std::int32_t>(context, {task.batch, n});
      labels = Tensor::empty<std::int32_t>(context, {task.batch});
    }
    inputs.fill(info.features > 0 ? 0.5 : 100);
    labels.fill(1);
    outputs = Tensor::empty<float>(context, {task.batch, info.classes});
  }
};

void register_model(const Machine& machine, const std::string& device, const Task& task, std::int64_t n) {
  const auto add = [&](const std::string& what, bool training, auto call) {
    const Work work{std::string(task.name) + what,
                    device,
                    n,
                    task.channels,
                    task.batch,
                    operations_of(task, n) * (training ? 3 : 1),
                    bytes_of(task, n, training)};
    register_work(machine, work, [=] {
      auto s = std::make_shared<Setting>(device, task, n);
      return [=] {
        call(*s);
        s->context.wait();
      };
    });
  };
  add(" training", true, [](Setting& s) { s.model.train_step(s.inputs, s.labels); });
  add(" inference", false, [](Setting& s) { s.model.forward(s.inputs, s.outputs); });
}

}  // namespace

void register_models(const Machine& machine) {
  for (const auto& device : chord::devices()) {
    for (std::int64_t n = 1 << 7; n <= 1 << 14; n *= 2) register_model(machine, device.selector, adding, n);
    register_model(machine, device.selector, image, 1024);
  }
}
