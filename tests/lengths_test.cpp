// Sequences shorter than the model's length: against a dense model that has no padding at all, against finite
// differences, and to the bit whatever the padding holds.
#include <chord/chord.hpp>
#include <limits>

#include "finite_differences.hpp"
#include "model_kinds.hpp"
#include "parameters.hpp"

using namespace testing;
using chord::Model;

namespace {

constexpr std::int64_t sequences = 6;

/// From none to all of the positions.
std::vector<std::int32_t> lengths_for(const ModelSettings& s) {
  const auto n = std::int32_t(s.length);
  return {n, (n + 1) / 2, 0, std::min(n, 1), n - 1, (2 * n + 2) / 3};
}

chord_train_options with_lengths(const Tensor& lengths, chord_memory_mode memory = CHORD_MEMORY_NORMAL,
                                 std::int64_t micro_batch = 0) {
  chord_train_options options = with(memory, micro_batch);
  options.lengths = lengths.get();
  return options;
}

/// The same sequences with something else behind their ends.
Data with_padding(const ModelSettings& s, Data data, double value) {
  const std::int64_t each = s.tokens ? 1 : s.features;
  for (std::int64_t b = 0; b < data.batch; ++b)
    for (std::int64_t i = lengths_for(s)[std::size_t(b)] * each; i < s.length * each; ++i)
      data.inputs[std::size_t(b * s.length * each + i)] = value;
  return data;
}

/// Paddings that nobody may look at: what is no number, what is no token.
std::vector<double> paddings(const ModelSettings& s) {
  if (s.tokens) return {0, 4, -1, 1e9};
  return {0, -3, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
}

std::vector<Values> expected_outputs(const ModelSettings& s, const Parameters& p, const Data& data) {
  std::vector<Values> outputs;
  const std::size_t each = data.inputs.size() / std::size_t(data.batch);
  for (std::size_t b = 0; b < std::size_t(data.batch); ++b)
    outputs.push_back(reference::short_model(s, p, data.inputs.data() + b * each, lengths_for(s)[b]));
  return outputs;
}

/// All that follows from a batch, in the bits of its numbers.
template <class T>
struct Followed {
  std::vector<T> outputs, gradients, dinputs, parameters;
  std::vector<double> losses;
  bool operator==(const Followed&) const = default;
};

/// `lengths` may be null.
template <class T>
Followed<T> all_passes(Context& context, const ModelSettings& s, const Data& data, const Tensor* lengths,
                       chord_memory_mode memory, std::int64_t micro_batch) {
  const std::string dropping = R"(,"dropout_input":0.3,"dropout_values":0.25,"dropout_output":0.5)";
  Model model(context, json_of(s, sizeof(T) * 8, dropping), 7);
  const Tensor inputs = inputs_of<T>(context, s, data), labels = labels_of<T>(context, s, data);
  chord_train_options options = with(memory, micro_batch);
  if (lengths) options.lengths = lengths->get();
  Followed<T> found;
  Tensor outputs = Tensor::empty<T>(context, {data.batch, s.classes});
  model.forward(inputs, outputs, options);
  found.outputs = outputs.template to_host<T>();
  found.losses.push_back(model.evaluate(inputs, labels, options).loss);
  found.losses.push_back(model.gradients(inputs, labels, options).loss);
  found.gradients = model.gradients().template to_host<T>();
  if (!s.tokens) {
    Tensor dinputs = Tensor::empty<T>(context, {data.batch, s.length, s.features});
    model.backward(inputs, outputs, &dinputs, options);
    found.dinputs = dinputs.template to_host<T>();
  }
  for (int step = 0; step < 4; ++step)  // the first is launched, the second recorded, the others replayed
    found.losses.push_back(model.train_step(inputs, labels, options).loss);
  model.queue_train_step(inputs, labels, options);
  found.losses.push_back(model.take_losses().losses.at(0));
  found.parameters = model.parameters().template to_host<T>();
  return found;
}

template <class T>
void check_outputs(Context& context, const ModelSettings& s) {
  const Tensor lengths = Tensor::from<std::int32_t>(context, {sequences}, lengths_for(s));
  const Data data = data_for(s, sequences, 5);
  Model model(context, json_of(s, sizeof(T) * 8), 3);
  const std::vector<Values> expected = expected_outputs(s, parameters_of<T>(model), data);
  Values flat;
  for (const Values& row : expected) flat.insert(flat.end(), row.begin(), row.end());
  const Tensor inputs = inputs_of<T>(context, s, data), labels = labels_of<T>(context, s, data);
  const double allowed = sizeof(T) == 4 ? 2e-5 : 1e-12;
  for (const chord_memory_mode memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW}) {
    Tensor outputs = Tensor::empty<T>(context, {sequences, s.classes});
    model.forward(inputs, outputs, with_lengths(lengths, memory, 4));
    CHECK(difference(values_of<T>(outputs), flat) < allowed);
    const double loss = model.evaluate(inputs, labels, with_lengths(lengths, memory)).loss;
    CHECK(difference(loss, reference::mean_loss(s, expected, data.labels)) < allowed);
  }
}

}  // namespace

TEST_CASE("a short sequence is what a dense model without padding makes of it") {
  on_every_device([](Context& context) {
    for (const ModelSettings& s : kinds()) {
      CAPTURE(json_of(s, 64));
      check_outputs<float>(context, s);
      if (context.device().has_float64) check_outputs<double>(context, s);
    }
  });
}

TEST_CASE("nothing depends on what the padding holds, to the bit") {
  on_every_device([](Context& context) {
    for (const ModelSettings& s : kinds())
      for (const chord_memory_mode memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW}) {
        CAPTURE(json_of(s, 32));
        CAPTURE(memory);
        const Tensor lengths = Tensor::from<std::int32_t>(context, {sequences}, lengths_for(s));
        const Data data = data_for(s, sequences, 5);
        const auto expected = all_passes<float>(context, s, data, &lengths, memory, 0);
        for (const double padding : paddings(s)) {
          CAPTURE(padding);
          REQUIRE(all_passes<float>(context, s, with_padding(s, data, padding), &lengths, memory, 0) == expected);
        }
        for (std::size_t i = 0; i < expected.dinputs.size(); ++i) {
          const std::size_t each = std::size_t(s.length * s.features), position = i % each / std::size_t(s.features);
          if (position >= std::size_t(lengths_for(s)[i / each])) REQUIRE(expected.dinputs[i] == 0);
        }
      }
  });
}

TEST_CASE("sequences that are all as long as the model are those without lengths, to the bit") {
  on_every_device([](Context& context) {
    for (const ModelSettings& s : kinds())
      for (const chord_memory_mode memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW})
        for (const std::int64_t micro_batch : {0, 4}) {
          CAPTURE(json_of(s, 32));
          const Data data = data_for(s, sequences, 5);
          const Tensor lengths =
              Tensor::from<std::int32_t>(context, {sequences}, std::vector<std::int32_t>(sequences, int(s.length)));
          CHECK(all_passes<float>(context, s, data, &lengths, memory, micro_batch) ==
                all_passes<float>(context, s, data, nullptr, memory, micro_batch));
        }
  });
}

TEST_CASE("gradients of short sequences agree with finite differences") {
  for (const ModelSettings& s : kinds())
    for (const chord_memory_mode memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW}) {
      CAPTURE(json_of(s, 64));
      const Data data = data_for(s, sequences, 11);
      const auto gradients_in = [&](Context& context, const auto& look) {
        Model model(context, json_of(s, 64), 7);
        const Tensor lengths = Tensor::from<std::int32_t>(context, {sequences}, lengths_for(s));
        const Tensor inputs = inputs_of<double>(context, s, data), labels = labels_of<double>(context, s, data);
        const chord_train_options options = with_lengths(lengths, memory, 4);
        model.gradients(inputs, labels, options);
        look(model, [&] { return model.evaluate(inputs, labels, options).loss; });
      };
      Context host("host");
      Parameters gradients;
      gradients_in(host, [&](Model& model, const auto& loss) {
        gradients = gradients_of<double>(model);
        for (const std::string& name : model.parameter_names()) {
          CAPTURE(name);
          Tensor parameter = model.parameter(name);
          const Values values = parameter.to_host<double>();
          const auto loss_at = [&](const Values& those) {
            parameter.from_host(those);
            return loss();
          };
          for (unsigned seed = 0; seed < 3; ++seed) {
            const Values direction = random_values(values.size(), seed);
            const double found = reference::inner(gradients.at(name), direction);
            CHECK(std::abs(found - slope(loss_at, values, direction, 1e-5)) < 1e-8);
          }
          parameter.from_host(values);
        }
      });
      on_every_other_device([&](Context& context) {
        if (!context.device().has_float64) return;
        gradients_in(context, [&](Model& model, const auto&) {
          CHECK(largest_difference(gradients_of<double>(model), gradients) < 1e-12);
        });
      });
    }
}

TEST_CASE("gradients with respect to inputs stop at a sequence's end") {
  Context context("host");
  const ModelSettings s = small_reals();
  Model model(context, json_of(s, 64), 7);
  const Data data = data_for(s, sequences, 11);
  const Tensor lengths = Tensor::from<std::int32_t>(context, {sequences}, lengths_for(s));
  const Tensor doutputs = tensor<double>(context, {sequences, 1}, Values(sequences, 1.0));
  Tensor outputs = Tensor::empty<double>(context, {sequences, 1});
  Tensor dinputs = Tensor::empty<double>(context, {sequences, s.length, s.features});
  model.backward(inputs_of<double>(context, s, data), doutputs, &dinputs, with_lengths(lengths));
  const auto sum_at = [&](const Values& those) {
    model.forward(tensor<double>(context, {sequences, s.length, s.features}, those), outputs, with_lengths(lengths));
    double sum = 0;
    for (const double each : values_of<double>(outputs)) sum += each;
    return sum;
  };
  Values expected;
  for (std::size_t i = 0; i < data.inputs.size(); ++i) expected.push_back(slope(sum_at, data.inputs, i, 1e-5));
  CHECK(difference(values_of<double>(dinputs), expected) < 1e-8);
}

TEST_CASE("attention has no rows and no columns behind a sequence's end") {
  on_every_device([](Context& context) {
    if (!context.device().has_float64) return;
    ModelSettings s = small_tokens();
    s.blocks = 2;
    Model model(context, json_of(s, 64), 3);
    const Data data = data_for(s, sequences, 5);
    const Parameters p = parameters_of<double>(model);
    const std::vector<std::int64_t> rows = {0, 6, 3};
    Values expected;
    for (std::size_t b = 0; b < sequences; ++b) {
      const std::int64_t n = lengths_for(s)[b];
      ModelSettings shorter = s;
      shorter.length = n;
      const Values embedded = reference::embedded(shorter, p, data.inputs.data() + std::int64_t(b) * s.length);
      const Values factors = reference::block_factors(s, p, 1, reference::short_block_output(s, p, 0, n, embedded));
      Values product(std::size_t(n * n), 0.0);
      for (std::int64_t i = 0; i < n; ++i) product[std::size_t(i * n + i)] = 1;
      for (std::int64_t m = 0; m < s.factors; ++m)
        product =
            reference::multiply(n, n, reference::leading_part(s, n, factors.data() + m * n * s.links), product.data());
      for (const std::int64_t row : rows)
        for (std::int64_t column = 0; column < s.length; ++column)
          expected.push_back(row < n && column < n ? product[std::size_t(row * n + column)] : 0);
    }
    const Tensor wide = Tensor::empty<double>(context, {sequences, 3, s.length + 2});
    Tensor out = wide.view({sequences, 3, s.length}, {3 * (s.length + 2), s.length + 2, 1}, 1);
    model.attention(inputs_of<double>(context, s, data), 1, rows, out,
                    with_lengths(Tensor::from<std::int32_t>(context, {sequences}, lengths_for(s))));
    CHECK(difference(values_of<double>(out), expected) < 1e-12);
  });
}

TEST_CASE("lengths are checked, and nothing is learnt from a batch with one that is none") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_tokens();
    Model model(context, json_of(s, 32), 1);
    const Data data = data_for(s, 2, 3);
    const Tensor inputs = inputs_of<float>(context, s, data), labels = labels_of<float>(context, s, data);
    const auto step = [&](const Tensor& lengths, chord_step_result* result) {
      const chord_train_options options = with_lengths(lengths);
      return chord_model_train_step(model.get(), inputs.get(), labels.get(), &options, result);
    };
    const auto ints = [&](std::vector<std::int32_t> values) {
      return Tensor::from<std::int32_t>(context, {std::int64_t(values.size())}, values);
    };
    chord_step_result result = CHORD_STEP_RESULT_INIT;
    expect(step(ints({7, 8}), &result), CHORD_ERROR_INVALID_ARGUMENT, "lengths has 8 at place 1; expected 0 to 7");
    expect(step(ints({-1, 7}), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "lengths has -1 at place 0");
    expect(step(ints({7}), nullptr), CHORD_ERROR_INVALID_SHAPE, "lengths has shape [1]; expected [2]");
    expect(step(tensor<float>(context, {2}, {7, 7}), nullptr), CHORD_ERROR_INVALID_TYPE,
           "lengths is float32; expected int32");

    Tensor unseen = Tensor::empty<std::int32_t>(context, {2});
    unseen.copy_from(ints({3, 99}));
    const std::string fault = "lengths has no index at place 1; expected 0 to 7";
    const auto before = model.parameters().to_host<float>();
    expect(step(unseen, &result), CHORD_ERROR_INVALID_ARGUMENT, fault);
    // Whoever tells of a queued fault may have begun to look with a step that had no lengths.
    Tensor unseen_labels = Tensor::empty<std::int32_t>(context, {2});
    unseen_labels.copy_from(tensor<std::int32_t>(context, {2}, {0, 77}));
    CHECK(chord_model_train_step(model.get(), inputs.get(), unseen_labels.get(), nullptr, nullptr) == CHORD_SUCCESS);
    expect(chord_context_wait(context.get()), CHORD_ERROR_INVALID_ARGUMENT, "labels has no index at place 1");
    unseen_labels.copy_from(labels);
    Model other(context, json_of(s, 32), 1);
    other.queue_train_step(inputs, unseen_labels);
    const chord_train_options options = with_lengths(unseen);
    other.queue_train_step(inputs, labels, options);
    expect(chord_context_wait(context.get()), CHORD_ERROR_INVALID_ARGUMENT, fault);
    CHECK(model.parameters().to_host<float>() == before);
    CHECK(other.info().step == 1);

    // Of inputs with something that is no token, the device tells whether that is padding.
    Values tokens = data.inputs;
    tokens[5] = 99;
    const Tensor odd = tensor<std::int32_t>(context, {2, 7}, tokens);
    const Tensor five = ints({5, 7}), six = ints({6, 7});
    CHECK_NOTHROW(model.evaluate(odd, labels, with_lengths(five)));
    const chord_train_options longer = with_lengths(six);
    expect(chord_model_evaluate_with(model.get(), odd.get(), labels.get(), &longer, &result),
           CHORD_ERROR_INVALID_ARGUMENT, "inputs has no index at place 5");
  });
}

TEST_CASE("the plan is kept with lengths, too, and a warm step allocates nothing") {
  on_every_device([](Context& context) {
    Model model(context, R"({"preset":"adding","length":256,"width":8,"channels":2})", 1);
    const Tensor inputs = tensor<float>(context, {16, 256, 2}, random_values(16 * 256 * 2, 1));
    const Tensor labels = tensor<float>(context, {16}, random_values(16, 2));
    const Tensor lengths = tensor<std::int32_t>(context, {16}, Values(16, 150.0));
    const chord_train_options options = with_lengths(lengths);
    const auto plan = model.plan(16, true, options);
    for (int i = 0; i < 3; ++i) model.queue_train_step(inputs, labels, options);
    model.take_losses();
    const auto warm = context.memory();
    CHECK(warm.peak_bytes <= plan.peak_bytes + 16 * 256 * 2 * 4 + 65536);
    for (int i = 0; i < 3; ++i) model.queue_train_step(inputs, labels, options);
    model.take_losses();
    CHECK(context.memory().device_allocations == warm.device_allocations);
  });
}

TEST_CASE("an empty batch with lengths is fine") {
  Context context("host");
  const ModelSettings s = small_tokens();
  Model model(context, json_of(s, 32), 1);
  const Tensor none = Tensor::empty<std::int32_t>(context, {0});
  Tensor outputs = Tensor::empty<float>(context, {0, s.classes});
  const Tensor inputs = Tensor::empty<std::int32_t>(context, {0, s.length});
  CHECK_NOTHROW(model.forward(inputs, outputs, with_lengths(none)));
  CHECK(model.gradients(inputs, none, with_lengths(none)).count == 0);
}
