// Models through the public interface: against dense double precision, against finite differences, and themselves.
#include <chord/chord.hpp>
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "finite_differences.hpp"
#include "model_kinds.hpp"
#include "parameters.hpp"

using namespace testing;
using chord::Model;
using files::content_of;

namespace {

std::vector<Values> reference_outputs(const ModelSettings& s, const Parameters& p, const Data& data) {
  std::vector<Values> outputs;
  const std::size_t each = data.inputs.size() / std::size_t(data.batch);
  for (std::int64_t b = 0; b < data.batch; ++b)
    outputs.push_back(reference::model(s, p, data.inputs.data() + std::size_t(b) * each));
  return outputs;
}

Values flattened(const std::vector<Values>& rows) {
  Values all;
  for (const Values& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

template <class T>
void check_outputs(Context& context, const ModelSettings& s, std::int64_t batch) {
  Model model(context, json_of(s, sizeof(T) * 8), 3);
  const Data data = data_for(s, batch, 5);
  const std::vector<Values> expected = reference_outputs(s, parameters_of<T>(model), data);
  Tensor outputs = Tensor::empty<T>(context, {batch, s.classes});
  const Tensor inputs = inputs_of<T>(context, s, data), labels = labels_of<T>(context, s, data);
  model.forward(inputs, outputs);
  const double allowed = sizeof(T) == 4 ? 2e-5 : 1e-12;
  CHECK(difference(values_of<T>(outputs), flattened(expected)) < allowed);
  const auto result = model.evaluate(inputs, labels);
  CHECK(difference(result.loss, reference::mean_loss(s, expected, data.labels)) < allowed);
  CHECK(result.count == batch);
}

}  // namespace

TEST_CASE("outputs and loss agree with a dense model in double precision") {
  on_every_device([](Context& context) {
    for (const ModelSettings& s : kinds()) {
      CAPTURE(json_of(s, 64));
      check_outputs<float>(context, s, 3);
      check_outputs<double>(context, s, 3);
    }
  });
}

TEST_CASE("lengths that are odd, and rows of several tiles") {
  on_every_device([](Context& context) {
    for (const std::int64_t n : {1, 2, 3, 17, 100, 257}) {
      ModelSettings s = small_tokens();
      s.length = n;
      s.factors = n == 1 ? 0 : std::int64_t(std::ceil(std::log2(double(n))));
      s.links = s.factors + 1;
      CAPTURE(n);
      check_outputs<float>(context, s, 5);
    }
  });
}

TEST_CASE("gradients of every parameter agree with finite differences") {
  for (const ModelSettings& s : kinds()) {
    CAPTURE(json_of(s, 64));
    Context host("host");
    Model model(host, json_of(s, 64), 7);
    const Data data = data_for(s, 3, 11);
    const Tensor inputs = inputs_of<double>(host, s, data), labels = labels_of<double>(host, s, data);
    model.gradients(inputs, labels);
    const Parameters gradients = gradients_of<double>(model);
    const double step = 1e-5;
    for (const std::string& name : model.parameter_names()) {
      CAPTURE(name);
      Tensor parameter = model.parameter(name);
      const Values values = parameter.to_host<double>();
      const auto loss_at = [&](const Values& those) {
        parameter.from_host(those);
        return model.evaluate(inputs, labels).loss;
      };
      Values expected(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) expected[i] = slope(loss_at, values, i, step);
      parameter.from_host(values);
      CHECK(difference(gradients.at(name), expected) < 1e-5);  // the rounding of a difference of losses
    }
    on_every_other_device([&](Context& context) {
      if (!context.device().has_float64) return;
      Model other(context, json_of(s, 64), 7);
      other.gradients(inputs_of<double>(context, s, data), labels_of<double>(context, s, data));
      CHECK(largest_difference(gradients_of<double>(other), gradients) < 1e-12);
    });
  }
}

namespace {

template <class T>
Parameters gradients_at_start(Context& context, const ModelSettings& s, const Data& data) {
  Model model(context, json_of(s, sizeof(T) * 8), 3);
  model.gradients(inputs_of<T>(context, s, data), labels_of<T>(context, s, data), chord::train_options());
  return gradients_of<T>(model);
}

double largest(const Values& values) {
  double found = 0;
  for (const double each : values) found = std::max(found, std::abs(each));
  return found;
}

}  // namespace

TEST_CASE("gradients in float32 are those in float64 but for the rounding, and so are sums over several workers") {
  on_every_device([](Context& context) {
    if (!context.device().has_float64) return;
    for (const ModelSettings& s : kinds()) {
      const Data data = data_for(s, 1 + 1200 / s.length, 5);  // rows for more than one worker of any layer
      const Parameters found = gradients_at_start<float>(context, s, data);
      for (const auto& [name, expected] : gradients_at_start<double>(context, s, data)) {
        CAPTURE(name);
        Values wrong = expected;
        for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] -= found.at(name)[i];
        CHECK(largest(wrong) <= 2e-5 * largest(expected));
      }
    }
  });
}

TEST_CASE("memory and micro-batches change nothing but the rounding") {
  on_every_device([](Context& context) {
    for (const ModelSettings& s : kinds()) {
      CAPTURE(json_of(s, 64));
      Model model(context, json_of(s, 64), 7);
      const Data data = data_for(s, 7, 13);
      const Tensor inputs = inputs_of<double>(context, s, data), labels = labels_of<double>(context, s, data);
      const double loss = model.gradients(inputs, labels, with(CHORD_MEMORY_NORMAL, 0)).loss;
      const Parameters expected = gradients_of<double>(model);
      for (const std::int32_t memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW})
        for (const std::int64_t micro : {1, 3, 100}) {
          CHECK(difference(model.gradients(inputs, labels, with(memory, micro)).loss, loss) < 1e-13);
          CHECK(largest_difference(gradients_of<double>(model), expected) < 1e-13);
        }
    }
  });
}

TEST_CASE("dropout depends on seed, step and place alone") {
  on_every_device([](Context& context) {
    ModelSettings s = small_tokens();
    s.blocks = 2;
    const std::string dropping = R"(,"dropout_input":0.3,"dropout_values":0.25,"dropout_output":0.5)";
    const Data data = data_for(s, 6, 17);
    const Tensor inputs = inputs_of<double>(context, s, data), labels = labels_of<double>(context, s, data);
    const auto trained = [&](const chord_train_options& options, std::uint64_t seed) {
      Model model(context, json_of(s, 64, dropping), seed);
      for (int i = 0; i < 3; ++i) model.train_step(inputs, labels, options);
      return parameters_of<double>(model);
    };
    const Parameters whole = trained(with(CHORD_MEMORY_NORMAL, 0), 1);
    CHECK(largest_difference(trained(with(CHORD_MEMORY_NORMAL, 0), 1), whole) == 0);
    CHECK(largest_difference(trained(with(CHORD_MEMORY_LOW, 4), 1), whole) < 1e-6);  // Adam divides by small numbers
    CHECK(largest_difference(trained(with(CHORD_MEMORY_NORMAL, 0), 2), whole) > 1e-3);
    // Evaluation drops nothing, so two calls do not differ; two steps do.
    Model model(context, json_of(s, 64, dropping), 1);
    CHECK(model.evaluate(inputs, labels).loss == model.evaluate(inputs, labels).loss);
    auto resting = chord::train_options();
    resting.learning_rate = 1e-300;
    CHECK(model.train_step(inputs, labels, resting).loss != model.train_step(inputs, labels, resting).loss);
  });
}

TEST_CASE("gradients of a step with dropout agree with finite differences of its loss") {
  on_every_device([](Context& context) {
    ModelSettings s = small_tokens();
    s.blocks = 2;
    s.head_hidden = 4;
    const std::string json = json_of(s, 64, R"(,"dropout_input":0.2,"dropout_values":0.25,"dropout_output":0.5)");
    const Data data = data_for(s, 3, 41);
    const Tensor inputs = inputs_of<double>(context, s, data), labels = labels_of<double>(context, s, data);
    auto options = chord::train_options();
    options.learning_rate = 1e-300;  // a step that does not move: only its loss and gradients are wanted
    const auto loss_with = [&](const std::string& name, const Values& values) {
      Model model(context, json, 9);
      chord::check(chord_tensor_from_host(model.parameter(name).get(), values.data(), values.size() * sizeof(double)));
      return model.train_step(inputs, labels, options).loss;
    };
    Model model(context, json, 9);
    model.train_step(inputs, labels, options);
    const double step = 1e-5;
    for (const auto& [name, gradient] : gradients_of<double>(model)) {
      CAPTURE(name);
      const Values there = Model(context, json, 9).parameter(name).to_host<double>();
      const auto loss_at = [&, &name = name](const Values& values) { return loss_with(name, values); };
      for (const std::size_t i : {std::size_t(0), gradient.size() / 2, gradient.size() - 1}) {
        const double expected = slope(loss_at, there, i, step);
        CHECK(gradient[i] == doctest::Approx(expected).epsilon(1e-6).scale(1e-2));
      }
    }
  });
}

TEST_CASE("dropout drops the share it is told and keeps the mean") {
  on_every_device([](Context& context) {
    // The loss of a model whose head is the mean of all values is their mean: constant, whatever is dropped, up to
    // noise.
    ModelSettings s = small_reals();
    s.length = 4096;
    s.factors = 0;
    s.links = 1;
    s.channels = 8;
    Model model(context, json_of(s, 64, R"(,"dropout_output":0.4)"), 1);
    const auto set = [&](const std::string& name, double value) {
      Tensor parameter = model.parameter(name);
      parameter.fill(value);
    };
    for (const std::string& name : model.parameter_names()) set(name, 0);
    set("g.network.2.bias", 1);
    set("final.weight", 1.0 / double(s.length * s.channels));
    const Data data{Values(std::size_t(s.length * s.features), 0.0), {0.0}, 1};
    auto options = chord::train_options();
    options.learning_rate = 1e-300;
    const double kept =
        model.train_step(inputs_of<double>(context, s, data), labels_of<double>(context, s, data), options).loss;
    // (mean of kept/0.6)²; the mean of 32768 draws of variance 0.4/0.6 is 1 ± 0.0045.
    CHECK(std::sqrt(kept) == doctest::Approx(1).epsilon(0.02));
    CHECK(kept != 1.0);
  });
}

TEST_CASE("a step is PyTorch's Adam") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_reals();
    Model model(context, json_of(s, 64), 21);
    const Data data = data_for(s, 4, 23);
    const Tensor inputs = inputs_of<double>(context, s, data), labels = labels_of<double>(context, s, data);
    auto options = chord::train_options();
    options.learning_rate = 0.01;
    Parameters expected = parameters_of<double>(model), first, second;
    for (int step = 1; step <= 3; ++step) {
      model.train_step(inputs, labels, options);
      const Parameters gradients = gradients_of<double>(model);
      for (auto& [name, values] : expected) {
        first[name].resize(values.size());
        second[name].resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double g = gradients.at(name)[i];
          double &m = first[name][i], &v = second[name][i];
          m = 0.9 * m + 0.1 * g;
          v = 0.999 * v + 0.001 * g * g;
          const double m_hat = m / (1 - std::pow(0.9, step)), v_hat = v / (1 - std::pow(0.999, step));
          values[i] -= 0.01 * m_hat / (std::sqrt(v_hat) + 1e-8);
        }
      }
      CHECK(largest_difference(parameters_of<double>(model), expected) < 1e-12);
    }
    CHECK(model.info().step == 3);
  });
}

TEST_CASE("a step is PyTorch's AdamW on gradients clipped by their norm") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_reals();
    Model model(context, json_of(s, 64), 21);
    const Data data = data_for(s, 4, 23);
    const Tensor inputs = inputs_of<double>(context, s, data), labels = labels_of<double>(context, s, data);
    Parameters expected = parameters_of<double>(model), first, second;
    for (int step = 1; step <= 6; ++step) {
      // Each is different: with and without decay, clipped and not, and by a norm that none of them has.
      auto options = chord::train_options();
      options.learning_rate = 0.01 * step;
      options.weight_decay = step % 2 ? 0.3 : 0;
      options.clip_norm = step % 3 == 0 ? 0 : step == 4 ? 1e6 : 1e-3;
      model.train_step(inputs, labels, options);
      const Parameters gradients = gradients_of<double>(model);
      long double squares = 0;
      for (const auto& [name, values] : gradients)
        for (const double g : values) squares += static_cast<long double>(g) * g;
      const double norm = double(std::sqrt(squares));
      const double scale = options.clip_norm > 0 && norm > options.clip_norm ? options.clip_norm / (norm + 1e-6) : 1;
      CHECK((scale < 1) == (step % 3 != 0 && step != 4));
      for (auto& [name, values] : expected) {
        first[name].resize(values.size());
        second[name].resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double g = gradients.at(name)[i] * scale;
          double &m = first[name][i], &v = second[name][i];
          m = 0.9 * m + 0.1 * g;
          v = 0.999 * v + 0.001 * g * g;
          const double m_hat = m / (1 - std::pow(0.9, step)), v_hat = v / (1 - std::pow(0.999, step));
          values[i] *= 1 - options.learning_rate * options.weight_decay;
          values[i] -= options.learning_rate * m_hat / (std::sqrt(v_hat) + 1e-8);
        }
      }
      CHECK(largest_difference(parameters_of<double>(model), expected) < 1e-11);
    }
  });
}

TEST_CASE("a padding token's embedding is never trained") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_tokens();
    const Data data = data_for(s, 4, 29);
    Model model(context, json_of(s, 32, R"(,"padding":2)"), 1);
    const Values before = parameters_of<float>(model).at("embedding.weight");
    for (std::int64_t c = 0; c < s.width; ++c) CHECK(before[std::size_t(2 * s.width + c)] == 0);
    for (int i = 0; i < 3; ++i)
      model.train_step(inputs_of<float>(context, s, data), labels_of<float>(context, s, data));
    const Values after = parameters_of<float>(model).at("embedding.weight");
    for (std::int64_t row = 0; row < s.vocabulary; ++row)
      CHECK((after[std::size_t(row * s.width)] == before[std::size_t(row * s.width)]) == (row == 2));
  });
}

TEST_CASE("rows of the attention product") {
  on_every_device([](Context& context) {
    for (const std::int64_t block : {0, 1}) {
      ModelSettings s = small_tokens();
      s.blocks = 2;
      Model model(context, json_of(s, 64), 3);
      const Data data = data_for(s, 2, 5);
      const Parameters p = parameters_of<double>(model);
      const std::vector<std::int64_t> rows = {0, 6, 3};
      Values expected;
      for (std::int64_t b = 0; b < data.batch; ++b) {
        Values x = reference::embedded(s, p, data.inputs.data() + b * s.length);
        for (std::int64_t i = 0; i < block; ++i) x = reference::block_output(s, p, i, x);
        const Values w = reference::block_factors(s, p, block, x);
        const Values matrix = reference::chain_matrix(s.length, s.offsets(), s.factors, w.data());
        for (const std::int64_t row : rows)
          expected.insert(expected.end(), matrix.begin() + row * s.length, matrix.begin() + (row + 1) * s.length);
      }
      Tensor out = Tensor::empty<double>(context, {2, 3, s.length});
      model.attention(inputs_of<double>(context, s, data), block, rows, out);
      CHECK(difference(values_of<double>(out), expected) < 1e-12);
    }
  });
}

TEST_CASE("a saved model comes back, and training goes on to the bit") {
  on_every_device([](Context& context) {
    const files::Folder folder;
    const std::string path = folder / "model.safetensors", other = folder / "other.safetensors";
    const ModelSettings s = small_tokens();
    const Data data = data_for(s, 4, 37);
    const Tensor inputs = inputs_of<float>(context, s, data), labels = labels_of<float>(context, s, data);
    Model model(context, json_of(s, 32, R"(,"dropout_values":0.2)"), 5);
    for (int i = 0; i < 3; ++i) model.train_step(inputs, labels);
    model.save(path, true, "epoch 3");
    Model again = Model::load(context, path);
    CHECK(again.note() == "epoch 3");
    CHECK(again.info().step == 3);
    CHECK(again.info().seed == 5);
    CHECK(again.description() == model.description());
    for (int i = 0; i < 3; ++i) {
      model.train_step(inputs, labels);
      again.train_step(inputs, labels);
    }
    model.save(path, true);
    again.save(other, true);
    CHECK(content_of(path) == content_of(other));
    CHECK(content_of(path).size() > 100);

    // Without the optimiser, the parameters alone come back.
    model.save(path);
    Model plain = Model::load(context, path, json_of(s, 32));
    CHECK(plain.info().step == 0);
    CHECK(largest_difference(parameters_of<float>(plain), parameters_of<float>(model)) == 0);
  });
}

TEST_CASE("files that do not fit are refused") {
  Context context("host");
  const files::Folder folder;
  const std::string path = folder / "model.safetensors";
  const ModelSettings s = small_tokens();
  Model(context, json_of(s, 32), 1).save(path);
  ModelSettings wider = s;
  wider.hidden_f = 6;
  chord_model* model = nullptr;
  const auto load = [&](const std::string& json) {
    return chord_model_load(context.get(), path.c_str(), json.c_str(), &model);
  };
  expect(load(json_of(wider, 32)), CHORD_ERROR_INVALID_FILE, "fs.0.network.0.weight");
  ModelSettings more = s;
  more.factors = 4;
  expect(load(json_of(more, 32)), CHORD_ERROR_INVALID_FILE, "fs.3.network.0.weight");
  ModelSettings fewer = s;
  fewer.factors = 2;
  expect(load(json_of(fewer, 32)), CHORD_ERROR_INVALID_FILE, "fs.2.network.0");
  // An embedding of positions that this model has no use for is passed over.
  ModelSettings placeless = s;
  placeless.positions = false;
  CHECK(load(json_of(placeless, 32)) == CHORD_SUCCESS);
  chord_model_destroy(model);
  expect(chord_model_load(context.get(), (folder / "none").c_str(), nullptr, &model), CHORD_ERROR_IO_FAILURE, "none");
  const std::string whole = content_of(path);
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    files::save(path, whole.substr(0, length));
    const chord_status status = chord_model_load(context.get(), path.c_str(), nullptr, &model);
    CHECK((status == CHORD_ERROR_INVALID_FILE || status == CHORD_ERROR_INVALID_ARGUMENT));
  }
}

TEST_CASE("a description is checked, with the path of the key") {
  Context context("host");
  chord_model* model = nullptr;
  const auto create = [&](const std::string& json) {
    return chord_model_create(context.get(), json.c_str(), 0, &model);
  };
  const auto refused = [&](const std::string& json, const std::string& part) {
    CAPTURE(json);
    expect(create(json), CHORD_ERROR_INVALID_ARGUMENT, part);
  };
  refused("{", "not valid JSON");
  refused("[1]", "expected an object");
  refused(R"({"preset":"adding","widht":3})", "/widht is no key");
  refused(R"({"preset":"add"})", "adding, image, listops, order, pathfinder, text");
  refused(R"({"preset":3})", "/preset");
  refused(R"({"preset":"adding","width":"3"})", "/width is \"3\"; expected a whole number");
  refused(R"({"preset":"adding","width":3.5})", "/width");
  refused(R"({"preset":"adding","width":0})", "/width is 0; expected 1 to");
  refused(R"({"preset":"adding","width":99999999999999999999})", "/width");
  refused(R"({"preset":"adding","residual":1})", "/residual is 1; expected true or false");
  refused(R"({"preset":"adding","dropout_input":1})", "/dropout_input is 1");
  refused(R"({"preset":"adding","dropout_input":-0.1})", "/dropout_input");
  refused(R"({"preset":"adding","pooling":"mean"})", "\"flatten\" or \"cls\"");
  refused(R"({"preset":"adding","precision":48})", "/precision is 48; expected 32 or 64");
  refused(R"({"preset":"adding","features":0})", "/features");
  refused(R"({"preset":"adding","padding":1})", "/padding");
  refused(R"({"preset":"image","padding":256})", "/padding");
  refused(R"({"input":"tokens"})", "/length is missing");
  refused(R"({"preset":"adding","width":1,"width":2})", "has 'width' twice");
  refused(R"({"preset":"adding","width":[1]})", "/width is [1]; expected a whole number");
  expect(create(R"({"preset":"adding","length":2000000000,"width":2000000000})"), CHORD_ERROR_TOO_LARGE, "layer");
}

TEST_CASE("descriptions of any depth or size are refused, and cost nothing") {
  Context context("host");
  chord_model* model = nullptr;
  const auto create = [&](const std::string& json) {
    return chord_model_create(context.get(), json.c_str(), 0, &model);
  };
  expect(create("{\"width\":" + std::string(1'000'000, '[')), CHORD_ERROR_INVALID_ARGUMENT, "nested more than");
  // Numbers that are drawn, and a list of parameters that nobody has memory for.
  expect(create(R"({"preset":"order","vocabulary":2147483647,"width":1,"classes":2147483647,"length":1000000})"),
         CHORD_ERROR_OUT_OF_MEMORY, "bytes asked for");
  expect(create(R"({"preset":"adding","factors":65536,"blocks":1024,"hidden_f":16000})"), CHORD_ERROR_OUT_OF_MEMORY,
         "bytes asked for");
}

TEST_CASE("a file's number of steps is one that can be counted on from") {
  Context context("host");
  const files::Folder folder;
  const std::string path = folder / "model.safetensors";
  Model model(context, R"({"preset":"adding","length":4})");
  REQUIRE(chord_model_set_step(model.get(), 9007199254740991) == CHORD_SUCCESS);
  REQUIRE(chord_model_save(model.get(), path.c_str(), 1, nullptr) == CHORD_SUCCESS);
  std::string content = files::content_of(path);
  const std::string largest = "9007199254740991";
  content.replace(content.find(largest), largest.size(), "9999999999999999");
  files::save(path, content);
  chord_model* loaded = nullptr;
  expect(chord_model_load(context.get(), path.c_str(), nullptr, &loaded), CHORD_ERROR_INVALID_FILE,
         "step is 9999999999999999; expected 0 to 9007199254740991");
}

TEST_CASE("presets are the paper's, and follow the length") {
  Context context("host");
  const auto has = [](const std::string& json, const std::string& part) {
    CHECK_MESSAGE(json.find(part) != std::string::npos, json);
  };
  for (const char* name : {"adding", "order", "listops", "text", "image", "pathfinder"})
    has(Model::preset(name), "\"length\":");
  has(Model::preset("text"), "\"factors\":12,\"links\":13");
  has(Model::preset("pathfinder"), "\"factors\":11,\"links\":12");
  has(Model(context, R"({"preset":"adding","length":2048})").description(), "\"factors\":11,\"links\":12");
  has(Model(context, R"({"preset":"text","length":100})").description(), "\"factors\":7,\"links\":8");
  has(Model(context, R"({"preset":"adding","factors":3})").description(), "\"factors\":3,\"links\":4");
  // 2·32+32, and 8 networks of 32·32+32+32·8+8, and 128·8+1.
  CHECK(Model(context, R"({"preset":"adding"})").info().parameters == 96 + 8 * 1320 + 1025);
}

TEST_CASE("inputs and labels are checked") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_tokens();
    Model model(context, json_of(s, 32), 1);
    const Data data = data_for(s, 2, 3);
    const Tensor inputs = inputs_of<float>(context, s, data), labels = labels_of<float>(context, s, data);
    auto result = chord_step_result{};
    result.struct_size = sizeof result;
    const auto evaluate = [&](const Tensor& x, const Tensor& y) {
      return chord_model_evaluate(model.get(), x.get(), y.get(), &result);
    };
    Values tokens = data.inputs;
    tokens[3] = 5;
    expect(evaluate(tensor<std::int32_t>(context, {2, 7}, tokens), labels), CHORD_ERROR_INVALID_ARGUMENT,
           "5 at place 3");
    tokens[3] = -1;
    expect(evaluate(tensor<std::int32_t>(context, {2, 7}, tokens), labels), CHORD_ERROR_INVALID_ARGUMENT,
           "-1 at place 3");
    expect(evaluate(inputs, tensor<std::int32_t>(context, {2}, {0, 4})), CHORD_ERROR_INVALID_ARGUMENT, "labels");
    expect(evaluate(inputs, tensor<std::int32_t>(context, {3}, {0, 1, 2})), CHORD_ERROR_INVALID_SHAPE, "labels");
    expect(evaluate(inputs, tensor<float>(context, {2}, {0, 1})), CHORD_ERROR_INVALID_TYPE, "labels is float32");
    expect(evaluate(labels, labels), CHORD_ERROR_INVALID_SHAPE, "inputs");
    chord_tensor* none = nullptr;
    expect(chord_model_gradient(model.get(), "g.network.0.bias", &none), CHORD_ERROR_INVALID_ARGUMENT,
           "no gradients yet");
    expect(chord_model_parameter(model.get(), "g", &none), CHORD_ERROR_INVALID_ARGUMENT, "no parameter \"g\"");
    auto options = chord::train_options();
    options.learning_rate = -1;
    expect(chord_model_train_step(model.get(), inputs.get(), labels.get(), &options, nullptr),
           CHORD_ERROR_INVALID_ARGUMENT, "learning_rate is -1");
    options = chord::train_options();
    options.weight_decay = -0.1;
    expect(chord_model_train_step(model.get(), inputs.get(), labels.get(), &options, nullptr),
           CHORD_ERROR_INVALID_ARGUMENT, "weight_decay is -0.1; expected 0, or a number above");
    options = chord::train_options();
    options.clip_norm = HUGE_VAL;
    expect(chord_model_train_step(model.get(), inputs.get(), labels.get(), &options, nullptr),
           CHORD_ERROR_INVALID_ARGUMENT, "clip_norm is inf");
    options = with(7, 0);
    expect(chord_model_train_step(model.get(), inputs.get(), labels.get(), &options, nullptr),
           CHORD_ERROR_INVALID_ARGUMENT, "memory is 7");
  });
}

TEST_CASE("of values that only the device has seen, a fault comes at the wait, and nothing is learnt from it") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_tokens();
    Model model(context, json_of(s, 32), 1);
    const Data data = data_for(s, 2, 3);
    const auto unseen = [&](const Tensor& given, const chord::Shape& shape) {
      Tensor copied = Tensor::empty<std::int32_t>(context, shape);
      copied.copy_from(given);
      return copied;
    };
    const Tensor inputs = unseen(inputs_of<float>(context, s, data), {2, 7});
    const Tensor labels = unseen(labels_of<float>(context, s, data), {2});
    model.train_step(inputs, labels);
    Values tokens = data.inputs;
    tokens[11] = 5;
    const Tensor bad_inputs = unseen(tensor<std::int32_t>(context, {2, 7}, tokens), {2, 7});
    const Tensor bad_labels = unseen(tensor<std::int32_t>(context, {2}, {0, -3}), {2});

    const auto before = parameters_of<float>(model);
    const files::Folder folder;
    const std::string path = folder / "before.safetensors", again = folder / "after.safetensors";
    model.save(path, true);
    const auto expect_unchanged = [&] {
      CHECK(parameters_of<float>(model) == before);
      model.save(again, true);  // the optimiser's state and the step with them
      CHECK(content_of(path) == content_of(again));
    };
    chord_step_result result{sizeof result, 0, 0, 0};
    const auto step = [&](const Tensor& x, const Tensor& y, chord_step_result* wanted) {
      return chord_model_train_step(model.get(), x.get(), y.get(), nullptr, wanted);
    };
    const std::string in_inputs = "inputs has no index at place 11; expected 0 to 4";
    const std::string in_labels = "labels has no index at place 1; expected 0 to 3";
    expect(step(bad_inputs, labels, &result), CHORD_ERROR_INVALID_ARGUMENT, in_inputs);
    expect(step(inputs, bad_labels, &result), CHORD_ERROR_INVALID_ARGUMENT, in_labels);
    expect_unchanged();

    // Who asks for no result waits for nothing: the fault is told by whoever waits.
    CHECK(step(bad_inputs, labels, nullptr) == CHORD_SUCCESS);
    CHECK(step(inputs, bad_labels, nullptr) == CHORD_SUCCESS);
    expect(chord_context_wait(context.get()), CHORD_ERROR_INVALID_ARGUMENT, in_inputs);
    expect_unchanged();
    CHECK(step(inputs, bad_labels, nullptr) == CHORD_SUCCESS);
    double losses[3];
    std::int64_t count = 7;
    expect(chord_model_take_losses(model.get(), 3, losses, nullptr, &count, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
           in_labels);
    CHECK(count == 7);
    CHECK(chord_model_take_losses(model.get(), 3, losses, nullptr, &count, nullptr) == CHORD_SUCCESS);
    CHECK(count == 3);
    for (const double loss : losses) CHECK(std::isnan(loss));
    expect_unchanged();

    // Nor does a forward pass.
    Tensor outputs = Tensor::empty<float>(context, {2, s.classes});
    model.forward(bad_inputs, outputs);
    expect(chord_context_wait(context.get()), CHORD_ERROR_INVALID_ARGUMENT, "inputs has no index at place 11");
    CHECK(chord_context_wait(context.get()) == CHORD_SUCCESS);
    CHECK_NOTHROW(model.train_step(inputs, labels));
  });
}

TEST_CASE("a fault of a forward pass does not keep a later step from counting") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_tokens();
    const Data data = data_for(s, 2, 3);
    const Tensor inputs = inputs_of<float>(context, s, data), labels = labels_of<float>(context, s, data);
    const auto trained = [&](bool with_a_fault) {
      Model model(context, json_of(s, 32), 1);
      Tensor bad = Tensor::empty<std::int32_t>(context, {2, 7}),
             outputs = Tensor::empty<float>(context, {2, s.classes});
      bad.fill(with_a_fault ? 99 : 0);
      model.forward(bad, outputs);
      // The step is taken; what it reports, if anything, is of the pass before.
      chord_step_result result{sizeof result, 0, 0, 0};
      const chord_status status = chord_model_train_step(model.get(), inputs.get(), labels.get(), nullptr, &result);
      CHECK(status == (with_a_fault ? CHORD_ERROR_INVALID_ARGUMENT : CHORD_SUCCESS));
      model.train_step(inputs, labels);
      return parameters_of<float>(model);
    };
    CHECK(trained(true) == trained(false));
  });
}

TEST_CASE("a pass that nobody waits for keeps nothing alive") {
  int released = 0;
  std::vector<std::int32_t> tokens(7, 0);
  {
    Context context("host");
    Model model(context, json_of(small_tokens(), 32), 1);
    const std::int64_t shape[] = {1, 7};
    chord_tensor* wrapped = nullptr;
    chord::check(chord_tensor_wrap(
        context.get(), CHORD_INT32, 2, shape, nullptr, tokens.data(), [](void* user) { ++*static_cast<int*>(user); },
        &released, &wrapped));
    Tensor outputs = Tensor::empty<float>(context, {1, 4});
    chord::check(chord_model_forward(model.get(), wrapped, outputs.get()));
    chord::check(chord_tensor_destroy(wrapped));
  }
  CHECK(released == 1);
}

TEST_CASE("losses of steps that were only queued are those of steps that were waited for") {
  on_every_device([](Context& context) {
    for (const ModelSettings& s : kinds()) {
      const std::string json = json_of(s, 32, R"(,"dropout_values":0.2)");
      Model asked(context, json, 5), silent(context, json, 5);
      std::vector<double> expected;
      std::vector<std::int64_t> expected_correct;
      for (unsigned i = 0; i < 9; ++i) {
        // Fresh data in tensors that are gone before the step is done.
        const Data data = data_for(s, i % 3 == 1 ? 4 : 7, i);
        const Tensor inputs = inputs_of<float>(context, s, data), labels = labels_of<float>(context, s, data);
        const auto options = with(i % 2 ? CHORD_MEMORY_LOW : CHORD_MEMORY_NORMAL, i % 4 == 3 ? 3 : 0);
        const auto result = asked.train_step(inputs, labels, options);
        expected.push_back(result.loss);
        expected_correct.push_back(result.correct);
        silent.queue_train_step(inputs, labels, options);
      }
      CHECK(silent.info().step == 9);
      CHECK(asked.take_losses().losses.empty());
      double first[2];
      std::int64_t count = 0, lost = 7;
      CHECK(chord_model_take_losses(silent.get(), 2, first, nullptr, &count, &lost) == CHORD_SUCCESS);
      CHECK(count == 2);
      CHECK(lost == 0);
      const chord::KeptLosses rest = silent.take_losses();
      std::vector<double> found(first, first + 2);
      found.insert(found.end(), rest.losses.begin(), rest.losses.end());
      CHECK(found == expected);
      CHECK(rest.correct == std::vector<std::int64_t>(expected_correct.begin() + 2, expected_correct.end()));
      CHECK(rest.lost == 0);
      CHECK(largest_difference(parameters_of<float>(silent), parameters_of<float>(asked)) == 0);

      expect(chord_model_take_losses(silent.get(), -1, first, nullptr, &count, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
             "capacity is -1");
      expect(chord_model_take_losses(silent.get(), 1, nullptr, nullptr, &count, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
             "losses is NULL");
      expect(chord_model_take_losses(silent.get(), 1, first, nullptr, nullptr, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
             "count is NULL");
      CHECK(chord_model_take_losses(silent.get(), 0, nullptr, nullptr, &count, nullptr) == CHORD_SUCCESS);
      CHECK(count == 0);
    }
  });
}

TEST_CASE("an empty batch is fine") {
  on_every_device([](Context& context) {
    const ModelSettings s = small_tokens();
    Model model(context, json_of(s, 32), 1);
    const Tensor inputs = Tensor::empty<std::int32_t>(context, {0, s.length});
    const Tensor labels = Tensor::empty<std::int32_t>(context, {0});
    Tensor outputs = Tensor::empty<float>(context, {0, s.classes});
    model.forward(inputs, outputs);
    const auto result = model.gradients(inputs, labels);
    CHECK(result.count == 0);
    CHECK(result.loss == 0);
    for (const auto& [name, values] : gradients_of<float>(model))
      for (const double value : values) CHECK(value == 0);
    for (int i = 0; i < 3; ++i) model.queue_train_step(inputs, labels);
    CHECK(model.take_losses().losses == std::vector<double>(3, 0.0));
  });
}

TEST_CASE("the plan is kept, and a warm step allocates nothing") {
  for (const std::int32_t memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW})
    on_every_device([&](Context& context) {
      CAPTURE(memory);
      Model model(context, R"({"preset":"adding","length":128})", 1);
      const auto options = with(memory, 0);
      const auto plan = model.plan(16, true, options);
      const Tensor inputs = tensor<float>(context, {16, 128, 2}, random_values(16 * 128 * 2, 1));
      const Tensor labels = tensor<float>(context, {16}, random_values(16, 2));
      const std::uint64_t given = 16 * 128 * 2 * 4 + 256;
      for (int i = 0; i < 2; ++i) {
        model.train_step(inputs, labels, options);
        model.queue_train_step(inputs, labels, options);
      }
      const auto warm = context.memory();
      CHECK(warm.peak_bytes <= plan.peak_bytes + given + 65536);
      CHECK(warm.peak_bytes >= plan.peak_bytes * 9 / 10);
      for (int i = 0; i < 3; ++i) {
        model.train_step(inputs, labels, options);
        model.queue_train_step(inputs, labels, options);
      }
      CHECK(context.memory().device_allocations == warm.device_allocations);
      CHECK(plan.memory == memory);
    });
  Context context("host");
  Model model(context, R"({"preset":"adding","length":512})", 1);
  CHECK(model.plan(16, true, with(CHORD_MEMORY_LOW, 0)).peak_bytes < model.plan(16, true).peak_bytes);
  CHECK(model.plan(16, true, with(CHORD_MEMORY_NORMAL, 4)).peak_bytes < model.plan(16, true).peak_bytes);
  CHECK(model.plan(1 << 30, true, with(CHORD_MEMORY_AUTO, 1 << 30)).memory == CHORD_MEMORY_LOW);
}

TEST_CASE("on the host a large batch is computed in as many sequences as caches hold") {
  Context context("host");
  Model model(context, R"({"preset":"adding","length":512})", 1);
  const std::int64_t batch = 50, together = 20;
  CHECK(model.plan(batch, true).activation_bytes ==
        model.plan(batch, true, with(CHORD_MEMORY_NORMAL, together)).activation_bytes);
  const Tensor inputs = tensor<float>(context, {batch, 512, 2}, random_values(batch * 512 * 2, 1));
  const Tensor labels = tensor<float>(context, {batch}, random_values(batch, 2));
  const auto gradients_with = [&](std::int64_t micro_batch) {
    model.gradients(inputs, labels, with(CHORD_MEMORY_NORMAL, micro_batch));
    return values_of<float>(model.gradients());
  };
  const Values found = gradients_with(0), whole = gradients_with(batch);
  CHECK(found == gradients_with(together));
  CHECK(found != whole);  // sums have another order
  CHECK(difference(found, whole) < 1e-5);
  // A share of a batch is one pass: who shares it out decides on the sums.
  chord_train_options share = with(CHORD_MEMORY_NORMAL, 0);
  share.whole_batch = batch;
  model.gradients(inputs, labels, share);
  CHECK(values_of<float>(model.gradients()) == whole);
  // Outputs do not depend on it.
  Tensor cut = Tensor::empty<float>(context, {batch, 1}), uncut = Tensor::empty<float>(context, {batch, 1});
  model.forward(inputs, cut);
  model.forward(inputs, uncut, with(CHORD_MEMORY_NORMAL, batch));
  CHECK(values_of<float>(cut) == values_of<float>(uncut));
}
