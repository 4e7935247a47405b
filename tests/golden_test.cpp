// Models against PyTorch, which made the files in golden/ (see make.py there): outputs, losses, every gradient, and ten
// steps of training, two ways. Batches are long enough for several workers of every kernel.
#include "parameters.hpp"
#include "support.hpp"

using namespace testing;
using chord::Model;

namespace {

/// What PyTorch made of one kind of model.
class Golden {
 public:
  Golden(Context& context, const std::string& kind) : context_(context), folder_(CHORD_TESTS "/golden/" + kind + "/") {}

  Model model(const std::string& name) const { return Model::load(context_, folder_ + name + ".safetensors"); }
  Tensor array(const std::string& name) const { return chord::read_npy(context_, folder_ + name + ".npy"); }
  std::vector<double> losses(const std::string& name) const { return values_of<double>(array(name)); }
  /// A gradient has the shape of its parameter, so a file of them is one of a model.
  Parameters gradients() const { return parameters_of<float>(model("gradients")); }

 private:
  Context& context_;
  std::string folder_;
};

/// Every kind on every device, its model opened, with its batch.
template <class Body>
void for_every_kind(Body body) {
  on_every_device([&](Context& context) {
    for (const char* kind : {"image", "order", "listops", "text", "adding", "stacked"}) {
      CAPTURE(kind);
      const Golden golden(context, kind);
      Model model = golden.model("parameters");
      body(golden, model, golden.array("inputs"), golden.array("labels"));
    }
  });
}

}  // namespace

TEST_CASE("outputs, loss and gradients are PyTorch's") {
  for_every_kind([](const Golden& golden, Model& model, const Tensor& inputs, const Tensor& labels) {
    Tensor outputs = golden.array("logits");
    const auto logits = values_of<float>(outputs);
    outputs.fill(0);
    model.forward(inputs, outputs);
    CHECK(difference(values_of<float>(outputs), logits) < 3e-6);
    const double loss = golden.losses("losses").front();
    CHECK(difference(model.evaluate(inputs, labels).loss, loss) < 3e-6);
    for (const std::int32_t memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW}) {
      CAPTURE(memory);
      auto options = chord::train_options();
      options.memory = memory;
      CHECK(difference(model.gradients(inputs, labels, options).loss, loss) < 3e-6);
      const Parameters found = gradients_of<float>(model), expected = golden.gradients();
      REQUIRE(found.size() == expected.size());
      for (const auto& [name, values] : expected) {
        CAPTURE(name);
        CHECK(difference(found.at(name), values) < 1e-5);
      }
    }
  });
}

TEST_CASE("the first ten losses of training are PyTorch's") {
  for_every_kind([](const Golden& golden, Model& model, const Tensor& inputs, const Tensor& labels) {
    for (const double expected : golden.losses("losses")) {
      CAPTURE(model.info().step);
      CHECK(difference(model.train_step(inputs, labels).loss, expected) < 1e-4);
    }
  });
}

TEST_CASE("so are those of AdamW with a rising rate and clipped gradients") {
  for_every_kind([](const Golden& golden, Model& model, const Tensor& inputs, const Tensor& labels) {
    auto options = chord::train_options();
    options.weight_decay = 0.1;
    options.clip_norm = 0.5;
    const auto expected = golden.losses("losses_adamw");
    std::vector<double> found;
    for (std::size_t step = 0; step < expected.size(); ++step) {
      options.learning_rate = 1e-3 * double(step + 1);
      found.push_back(model.train_step(inputs, labels, options).loss);
    }
    CHECK(difference(found, expected) < 1e-4);
  });
}
