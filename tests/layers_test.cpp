// A model put together from its layers: outputs, loss and all gradients are those of the model itself.
#include <chord/chord.hpp>

#include "support.hpp"

using namespace testing;
using chord::Model;

namespace {

constexpr int64_t sequences = 3, length = 9;

const char* const kinds[] = {
    R"({"input":"reals","features":2,"length":9,"width":6,"factors":3,"links":4,"hidden_f":5,"hidden_g":4,"channels":3,
        "residual":true,"classes":1,"loss":"mse","precision":64,"dropout_input":0.3,"dropout_values":0.25,
        "dropout_output":0.5})",
    R"({"input":"tokens","vocabulary":7,"length":9,"width":6,"factors":3,"links":4,"hidden_f":5,"hidden_g":4,"channels":3,
        "positions":true,"pooling":"cls","head_hidden":5,"classes":3,"precision":64,"padding":0,"dropout_output":0.3})",
};

struct Data {
  Tensor inputs, labels;
};

Data data_of(Context& context, bool tokens) {
  if (!tokens)
    return {tensor<double>(context, {sequences, length, 2}, random_values(std::size_t(sequences * length * 2), 3)),
            tensor<double>(context, {sequences}, random_values(std::size_t(sequences), 4))};
  std::vector<int32_t> inputs, labels{2, 0, 1};
  for (int64_t i = 0; i < sequences * length; ++i) inputs.push_back(int32_t(i * 5 % 7));
  return {Tensor::from<int32_t>(context, {sequences, length}, inputs),
          Tensor::from<int32_t>(context, {sequences}, labels)};
}

void check_close(const Tensor& found, const Tensor& expected) {
  const auto a = found.to_host<double>(), b = expected.to_host<double>();
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(std::abs(a[i] - b[i]) <= 1e-11);
}

/// Forward, loss and back, with the chain between the layers; returns the loss.
double run_by_layers(Context& context, Model& model, const Data& data, bool residual, int64_t head,
                     const chord_train_options& options) {
  const auto empty = [&](const chord::Shape& shape) { return Tensor::empty<double>(context, shape); };
  const int64_t width = 6, channels = 3, links = 4, factors = 3, classes = model.info().classes;
  Tensor embedded = empty({sequences, length, width}), v = empty({sequences, length, channels}),
         z = empty({sequences, length, channels}), w = empty({factors, sequences, length, links}),
         pooled = empty({sequences, head}), outputs = empty({sequences, classes});
  const auto factor = [&](const Tensor& all, int64_t m) {
    return all.view({sequences, length, links}, {}, m * sequences * length * links);
  };
  model.layer_forward({CHORD_LAYER_EMBEDDING}, data.inputs, embedded, options);
  model.layer_forward({CHORD_LAYER_VALUES}, embedded, v, options);
  for (int64_t m = 0; m < factors; ++m) {
    Tensor place = factor(w, m);
    model.layer_forward({CHORD_LAYER_FACTOR, 0, m}, embedded, place, options);
  }
  const auto pattern = chord::Pattern::chord(context, length, 2, links);
  const chord::Chain chain(pattern, w, residual);
  chain.apply(v, z);
  model.layer_forward({CHORD_LAYER_HEAD}, z, pooled, options);
  model.layer_forward({CHORD_LAYER_OUTPUTS}, pooled, outputs, options);

  Tensor dembedded = empty({sequences, length, width}), dv = empty({sequences, length, channels}),
         dz = empty({sequences, length, channels}), dw = empty({factors, sequences, length, links}),
         dpooled = empty({sequences, head}), doutputs = empty({sequences, classes});
  const auto result = model.loss(outputs, data.labels, &doutputs, options);
  CHECK(result.count == sequences);
  model.layer_backward({CHORD_LAYER_OUTPUTS}, pooled, doutputs, &dpooled, options);
  model.layer_backward({CHORD_LAYER_HEAD}, z, dpooled, &dz, options);
  chain.gradient(v, nullptr, dz, dw, &dv);
  for (int64_t m = 0; m < factors; ++m)
    model.layer_backward({CHORD_LAYER_FACTOR, 0, m}, embedded, factor(dw, m), &dembedded, options, m > 0);
  model.layer_backward({CHORD_LAYER_VALUES}, embedded, dv, &dembedded, options, true);
  model.layer_backward({CHORD_LAYER_EMBEDDING}, data.inputs, dembedded, nullptr, options);
  return result.loss;
}

}  // namespace

TEST_CASE("layers one by one are the model") {
  on_every_device([](Context& context) {
    if (!context.device().has_float64) return;
    for (const bool tokens : {false, true}) {
      Model whole(context, kinds[tokens], 5), parts(context, kinds[tokens], 5);
      const Data data = data_of(context, tokens);
      chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
      options.first_sequence = 4;
      options.dropout = 1;
      for (int step = 0; step < 2; ++step) {
        const double expected = whole.gradients(data.inputs, data.labels, options).loss;
        const double found = run_by_layers(context, parts, data, !tokens, tokens ? 5 : 1, options);
        CHECK(std::abs(found - expected) <= 1e-12);
        check_close(parts.gradients(), whole.gradients());
        whole.apply_gradients();
        parts.apply_gradients();
        options.accumulate = 1;
      }
    }
  });
}

TEST_CASE("mistakes with layers are told") {
  Context context("host");
  Model model(context, kinds[1], 5);
  const Data data = data_of(context, true);
  Tensor embedded = Tensor::empty<double>(context, {sequences, length, 6}),
         wrong = Tensor::empty<double>(context, {2, 2});
  const auto forward = [&](chord_layer layer, int64_t block, int64_t factor, const Tensor& in, Tensor& out) {
    return chord_model_layer_forward(model.get(), layer, block, factor, in.get(), nullptr, out.get());
  };
  CHECK(forward(CHORD_LAYER_EMBEDDING, 0, 0, data.inputs, embedded) == CHORD_SUCCESS);
  CHECK(forward(9, 0, 0, data.inputs, embedded) == CHORD_ERROR_INVALID_ARGUMENT);
  CHECK(forward(CHORD_LAYER_EMBEDDING, 0, 0, data.inputs, wrong) == CHORD_ERROR_INVALID_SHAPE);
  CHECK(forward(CHORD_LAYER_EMBEDDING, 0, 0, embedded, embedded) == CHORD_ERROR_INVALID_TYPE);
  CHECK(forward(CHORD_LAYER_FACTOR, 0, 3, embedded, wrong) == CHORD_ERROR_INVALID_ARGUMENT);
  CHECK(forward(CHORD_LAYER_VALUES, 1, 0, embedded, wrong) == CHORD_ERROR_INVALID_ARGUMENT);
  Tensor outside = Tensor::from<int32_t>(context, {1, length}, std::vector<int32_t>(std::size_t(length), 7)),
         one = Tensor::empty<double>(context, {1, length, 6});
  CHECK(forward(CHORD_LAYER_EMBEDDING, 0, 0, outside, one) == CHORD_ERROR_INVALID_ARGUMENT);
  CHECK(chord_model_layer_backward(model.get(), CHORD_LAYER_EMBEDDING, 0, 0, data.inputs.get(), embedded.get(), nullptr,
                                   embedded.get(), 0) == CHORD_ERROR_UNSUPPORTED);
  Tensor pooled = Tensor::empty<double>(context, {sequences, 5}),
         other = Tensor::empty<double>(context, {sequences, 5}),
         outputs = Tensor::empty<double>(context, {sequences, 3});
  CHECK(chord_model_layer_backward(model.get(), CHORD_LAYER_OUTPUTS, 0, 0, pooled.get(), outputs.get(), nullptr,
                                   other.get(), 1) == CHORD_ERROR_INVALID_ARGUMENT);
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  CHECK(chord_model_loss(model.get(), outputs.get(), data.labels.get(), nullptr, outputs.get(), &result) ==
        CHORD_ERROR_INVALID_ARGUMENT);
  CHECK(chord_model_loss(model.get(), outputs.get(), data.inputs.get(), nullptr, nullptr, &result) ==
        CHORD_ERROR_INVALID_SHAPE);
}
