// Batches shared by several calls and models, losses of somebody else's, and the optimiser's state: against finite
// differences, against plain code, and, where it is the same, against a training step to the bit.
#include <chord/chord.hpp>

#include "finite_differences.hpp"
#include "support.hpp"

using namespace testing;
using chord::Model;

namespace {

constexpr int64_t length = 9, features = 2;

std::string reals(int precision, const std::string& more = "") {
  return R"({"input":"reals","features":2,"length":9,"width":6,"factors":3,"links":4,"hidden_f":5,"hidden_g":4,)"
         R"("channels":3,"residual":true,"classes":3,"blocks":2,"loss":"cross_entropy","precision":)" +
         std::to_string(precision) + more + "}";
}
const std::string dropping = R"(,"dropout_input":0.3,"dropout_values":0.25,"dropout_output":0.5)";

struct Data {
  Tensor inputs, labels;
};

template <class T>
Data part_of_data(Context& context, int64_t first, int64_t count, int64_t all = 10) {
  const Values inputs = random_values(std::size_t(all * length * features), 3);
  std::vector<int32_t> labels;
  for (int64_t i = first; i < first + count; ++i) labels.push_back(int32_t(i * 7 % 3));
  const auto begin = inputs.begin() + first * length * features;
  return {tensor<T>(context, {count, length, features}, Values(begin, begin + count * length * features)),
          Tensor::from<int32_t>(context, {count}, labels)};
}

chord_train_options part(int64_t first, int64_t whole, bool dropout, bool accumulate) {
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.first_sequence = first;
  options.whole_batch = whole;
  options.dropout = dropout;
  options.accumulate = accumulate;
  return options;
}

}  // namespace

TEST_CASE("gradients with dropout, and the optimiser with them, are a training step to the bit") {
  on_every_device([](Context& context) {
    for (const double clip : {0.0, 0.05})
      for (const chord_optimizer optimizer : {CHORD_OPTIMIZER_ADAM, CHORD_OPTIMIZER_SGD}) {
        Model stepped(context, reals(32, dropping), 5), parted(context, reals(32, dropping), 5);
        const Data data = part_of_data<float>(context, 0, 7);
        chord_train_options step = CHORD_TRAIN_OPTIONS_INIT;
        step.learning_rate = 0.02;
        step.weight_decay = 0.1;
        step.clip_norm = clip;
        step.optimizer = optimizer;
        step.momentum = optimizer == CHORD_OPTIMIZER_SGD ? 0.9 : 0;
        for (int i = 0; i < 3; ++i) {
          const auto expected = stepped.train_step(data.inputs, data.labels, step);
          const auto found = parted.gradients(data.inputs, data.labels, part(0, 0, true, false));
          parted.apply_gradients(step);
          CHECK(found.loss == expected.loss);
          CHECK(parted.info().step == i + 1);
          REQUIRE(parted.parameters().to_host<float>() == stepped.parameters().to_host<float>());
        }
        CHECK(parted.moments().first.to_host<float>() == stepped.moments().first.to_host<float>());
      }
  });
}

TEST_CASE("a batch in parts, one behind the other, is one in micro-batches to the bit") {
  on_every_device([](Context& context) {
    Model whole(context, reals(32, dropping), 5), parted(context, reals(32, dropping), 5);
    const Data all = part_of_data<float>(context, 0, 10);
    chord_train_options micro = part(0, 0, true, false);
    micro.micro_batch = 4;
    whole.gradients(all.inputs, all.labels, micro);
    for (const int64_t first : {0, 4, 8}) {
      const Data some = part_of_data<float>(context, first, std::min<int64_t>(4, 10 - first));
      parted.gradients(some.inputs, some.labels, part(first, 10, true, first > 0));
    }
    CHECK(parted.gradients().to_host<float>() == whole.gradients().to_host<float>());
  });
}

TEST_CASE("two models with half a batch each go the way of one") {
  on_every_device([](Context& context) {
    if (!context.device().has_float64) return;
    Model one(context, reals(64, dropping), 5), left(context, reals(64, dropping), 5),
        right(context, reals(64, dropping), 5);
    const Data all = part_of_data<double>(context, 0, 10), low = part_of_data<double>(context, 0, 5),
               high = part_of_data<double>(context, 5, 5);
    for (int step = 0; step < 5; ++step) {
      one.train_step(all.inputs, all.labels);
      left.gradients(low.inputs, low.labels, part(0, 10, true, false));
      right.gradients(high.inputs, high.labels, part(5, 10, true, false));
      std::vector<double> sum = left.gradients().to_host<double>();
      const std::vector<double> other = right.gradients().to_host<double>();
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
      for (Model* each : {&left, &right}) {
        each->gradients().from_host(sum);
        each->apply_gradients();
      }
    }
    CHECK(left.parameters().to_host<double>() == right.parameters().to_host<double>());
    CHECK(difference(left.parameters().to_host<double>(), one.parameters().to_host<double>()) < 1e-12);
  });
}

TEST_CASE("SGD with momentum is what plain code makes of the gradients") {
  Context context("host");
  Model model(context, reals(64), 5);
  const Data data = part_of_data<double>(context, 0, 6);
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.optimizer = CHORD_OPTIMIZER_SGD;
  options.learning_rate = 0.1;
  options.momentum = 0.8;
  std::vector<double> expected = model.parameters().to_host<double>(), speed(expected.size());
  for (int step = 0; step < 4; ++step) {
    model.gradients(data.inputs, data.labels);
    const std::vector<double> gradient = model.gradients().to_host<double>();
    for (std::size_t i = 0; i < speed.size(); ++i) {
      speed[i] = 0.8 * speed[i] + gradient[i];
      expected[i] -= 0.1 * speed[i];
    }
    model.apply_gradients(options);
  }
  CHECK(difference(model.parameters().to_host<double>(), expected) < 1e-13);
}

TEST_CASE("the way back from a foreign loss agrees with finite differences, for parameters and inputs, with dropout") {
  on_every_device([](Context& context) {
    if (!context.device().has_float64) return;
    for (const bool dropout : {false, true})
      for (const int32_t memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW}) {
        Model model(context, reals(64, dropping), 5);
        const Data data = part_of_data<double>(context, 0, 5);
        const Values weights = random_values(15, 8), inputs = values_of<double>(data.inputs);
        chord_train_options options = part(2, 0, dropout, false);
        options.memory = memory;
        options.micro_batch = 2;
        Tensor outputs = Tensor::empty<double>(context, {5, 3}), dinputs = Tensor::empty<double>(context, {5, 9, 4});
        Tensor strided = dinputs.view({5, 9, 2}, {36, 4, 1}, 1);
        const auto loss_of = [&](const Tensor& those) {
          model.forward(those, outputs, options);
          const Values found = values_of<double>(outputs);
          double sum = 0;
          for (std::size_t i = 0; i < found.size(); ++i) sum += weights[i] * found[i];
          return sum;
        };
        model.backward(data.inputs, tensor<double>(context, {5, 3}, weights), &strided, options);
        const Values din = values_of<double>(strided), gradient = values_of<double>(model.gradients());
        const auto at_inputs = [&](const Values& those) { return loss_of(tensor<double>(context, {5, 9, 2}, those)); };
        for (std::size_t i = 0; i < inputs.size(); i += 11) {
          CAPTURE(i);
          CHECK(std::abs(slope(at_inputs, inputs, i, 1e-5) - din[i]) < 1e-7);
        }
        Tensor all = model.parameters();
        const Values parameters = values_of<double>(all), direction = random_values(parameters.size(), 9);
        const auto at_parameters = [&](const Values& those) {
          all.from_host(those);
          return loss_of(data.inputs);
        };
        double along = 0;
        for (std::size_t i = 0; i < gradient.size(); ++i) along += gradient[i] * direction[i];
        CHECK(std::abs(slope(at_parameters, parameters, direction, 1e-6) - along) < 1e-6);
      }
  });
}

TEST_CASE("the model's own loss, taken as a foreign one, gives its gradients") {
  Context context("host");
  Model model(context, reals(64), 5);
  const Data data = part_of_data<double>(context, 0, 5);
  model.gradients(data.inputs, data.labels);
  const Values expected = values_of<double>(model.gradients());
  Tensor outputs = Tensor::empty<double>(context, {5, 3});
  model.forward(data.inputs, outputs);
  Values gradient = values_of<double>(outputs);  // of the cross-entropy: (softmax - one-hot) / 5
  for (int row = 0; row < 5; ++row) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += std::exp(gradient[std::size_t(3 * row + c)]);
    for (int c = 0; c < 3; ++c) {
      double& each = gradient[std::size_t(3 * row + c)];
      each = (std::exp(each) / sum - (row * 7 % 3 == c)) / 5;
    }
  }
  model.backward(data.inputs, tensor<double>(context, {5, 3}, gradient), nullptr);
  CHECK(difference(values_of<double>(model.gradients()), expected) < 1e-12);
  model.backward(data.inputs, tensor<double>(context, {5, 3}, gradient), nullptr, part(0, 0, false, true));
  CHECK(difference(values_of<double>(model.gradients()), doubled(expected)) < 1e-12);
}

TEST_CASE("flat tensors have the parameters in the order of their names, without gaps") {
  Context context("host");
  Model model(context, reals(32), 5);
  Tensor all = model.parameters();
  const std::vector<float> flat = all.to_host<float>();
  std::vector<float> joined;
  for (const std::string& name : model.parameter_names()) {
    const auto values = model.parameter(name).to_host<float>();
    joined.insert(joined.end(), values.begin(), values.end());
  }
  CHECK(flat == joined);
  CHECK(model.gradients().to_host<float>() == std::vector<float>(flat.size()));
  all.fill(2);
  CHECK(model.parameter(model.parameter_names().back()).to_host<float>()[0] == 2);
}

TEST_CASE("the optimiser's state moves to another model") {
  Context context("host");
  const Data data = part_of_data<float>(context, 0, 6);
  Model first(context, reals(32, dropping), 5), second(context, reals(32, dropping), 5);
  for (int i = 0; i < 3; ++i) first.train_step(data.inputs, data.labels);
  second.parameters().from_host(first.parameters().to_host<float>());
  auto [m, v] = second.moments();
  m.from_host(first.moments().first.to_host<float>());
  v.from_host(first.moments().second.to_host<float>());
  second.set_step(first.info().step);
  first.train_step(data.inputs, data.labels);
  second.train_step(data.inputs, data.labels);
  CHECK(first.parameters().to_host<float>() == second.parameters().to_host<float>());
}

TEST_CASE("parts that make no sense are refused") {
  Context context("host");
  Model model(context, reals(32), 5);
  const Data data = part_of_data<float>(context, 0, 2);
  const auto gradients = [&](const chord_train_options& options) {
    return chord_model_gradients(model.get(), data.inputs.get(), data.labels.get(), &options, nullptr);
  };
  expect(gradients(part(-1, 0, false, false)), CHORD_ERROR_INVALID_ARGUMENT, "first_sequence is -1");
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.dropout = 2;
  expect(gradients(options), CHORD_ERROR_INVALID_ARGUMENT, "dropout is 2");
  options = part(0, 0, true, false);
  expect(chord_model_train_step(model.get(), data.inputs.get(), data.labels.get(), &options, nullptr),
         CHORD_ERROR_INVALID_ARGUMENT, "a training step is of a whole batch");
  options = CHORD_TRAIN_OPTIONS_INIT;
  options.optimizer = 7;
  expect(chord_model_apply_gradients(model.get(), &options), CHORD_ERROR_INVALID_ARGUMENT, "optimizer is 7");
  options.optimizer = CHORD_OPTIMIZER_SGD;
  options.momentum = 1;
  expect(chord_model_apply_gradients(model.get(), &options), CHORD_ERROR_INVALID_ARGUMENT, "momentum is 1");
  expect(chord_model_apply_gradients(model.get(), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "no gradients yet");
  expect(chord_model_set_step(model.get(), -1), CHORD_ERROR_INVALID_ARGUMENT, "step is -1");
  const Tensor doutputs = Tensor::empty<float>(context, {2, 3}), wrong = Tensor::empty<float>(context, {2, 4});
  expect(chord_model_backward(model.get(), data.inputs.get(), wrong.get(), nullptr, nullptr), CHORD_ERROR_INVALID_SHAPE,
         "doutputs has shape [2, 4]; expected [2, 3]");
  expect(chord_model_backward(model.get(), data.inputs.get(), doutputs.get(), data.inputs.get(), nullptr),
         CHORD_ERROR_INVALID_ARGUMENT, "dinputs shares memory");
  Model tokens(context, R"({"preset": "order", "length": 16})", 1);
  const Tensor some = Tensor::from<int32_t>(context, {1, 16}, std::vector<int32_t>(16, 1));
  const Tensor four = Tensor::empty<float>(context, {1, tokens.info().classes});
  expect(chord_model_backward(tokens.get(), some.get(), four.get(), doutputs.get(), nullptr), CHORD_ERROR_UNSUPPORTED,
         "no gradient with respect to tokens");
}
