// Models against PyTorch, which made the files in golden/ (see make.py there): outputs, losses, every gradient, and ten
// steps of training, two ways. Batches are long enough for several workers of every kernel.
#include "parameters.hpp"
#include "support.hpp"

using namespace testing;
using chord::Model;

namespace {

/// The folder of one kind of model.
class Golden {
 public:
  explicit Golden(const std::string& kind) : folder_(CHORD_TESTS "/golden/" + kind + "/") {}

  Model model(Context& context) const { return Model::load(context, folder_ + "parameters.safetensors"); }
  /// A gradient has the shape of its parameter, so a file of them is one of a model.
  Parameters gradients(Context& context) const {
    return parameters_of<float>(Model::load(context, folder_ + "gradients.safetensors"));
  }
  Tensor array(Context& context, const std::string& name) const {
    return chord::read_npy(context, folder_ + name + ".npy");
  }

 private:
  std::string folder_;
};

const char* const kinds[] = {"image", "order", "listops", "text", "adding", "stacked"};

}  // namespace

TEST_CASE("outputs, loss and gradients are PyTorch's") {
  on_every_device([](Context& context) {
    for (const char* kind : kinds) {
      CAPTURE(kind);
      const Golden golden(kind);
      Model model = golden.model(context);
      const Tensor inputs = golden.array(context, "inputs"), labels = golden.array(context, "labels");
      const Tensor logits = golden.array(context, "logits");
      Tensor outputs = Tensor::empty<float>(context, {logits.info().shape[0], logits.info().shape[1]});
      model.forward(inputs, outputs);
      CHECK(difference(values_of<float>(outputs), values_of<float>(logits)) < 3e-6);
      const double loss = values_of<double>(golden.array(context, "losses")).front();
      CHECK(difference(model.evaluate(inputs, labels).loss, loss) < 3e-6);
      for (const std::int32_t memory : {CHORD_MEMORY_NORMAL, CHORD_MEMORY_LOW}) {
        CAPTURE(memory);
        auto options = chord::train_options();
        options.memory = memory;
        CHECK(difference(model.gradients(inputs, labels, options).loss, loss) < 3e-6);
        const Parameters found = gradients_of<float>(model), expected = golden.gradients(context);
        REQUIRE(found.size() == expected.size());
        for (const auto& [name, values] : expected) {
          CAPTURE(name);
          CHECK(difference(found.at(name), values) < 1e-5);
        }
      }
    }
  });
}

TEST_CASE("the first ten losses of training are PyTorch's") {
  on_every_device([](Context& context) {
    for (const char* kind : kinds) {
      CAPTURE(kind);
      const Golden golden(kind);
      Model model = golden.model(context);
      const Tensor inputs = golden.array(context, "inputs"), labels = golden.array(context, "labels");
      for (const double expected : values_of<double>(golden.array(context, "losses"))) {
        CAPTURE(model.info().step);
        CHECK(difference(model.train_step(inputs, labels).loss, expected) < 1e-4);
      }
    }
  });
}

TEST_CASE("so are those of AdamW with a rising rate and clipped gradients") {
  on_every_device([](Context& context) {
    for (const char* kind : kinds) {
      CAPTURE(kind);
      const Golden golden(kind);
      Model model = golden.model(context);
      const Tensor inputs = golden.array(context, "inputs"), labels = golden.array(context, "labels");
      auto options = chord::train_options();
      options.weight_decay = 0.1;
      options.clip_norm = 0.5;
      const auto expected = values_of<double>(golden.array(context, "losses_adamw"));
      std::vector<double> found;
      for (std::size_t step = 0; step < expected.size(); ++step) {
        options.learning_rate = 1e-3 * double(step + 1);
        found.push_back(model.train_step(inputs, labels, options).loss);
      }
      CHECK(difference(found, expected) < 1e-4);
    }
  });
}
