// Files written by earlier versions load for ever, and mean what they meant (see fixtures/0.1/README.md).
#include "support.hpp"

using namespace testing;
using chord::Factorization;
using chord::Model;

namespace {

const std::string folder = CHORD_TESTS "/fixtures/0.1/";

struct Stored {
  const char* name;
  std::int32_t constraint, precision;
};
const Stored factorizations[] = {{"float64", CHORD_CONSTRAINT_NONE, 64},
                                 {"float32", CHORD_CONSTRAINT_NONE, 32},
                                 {"symmetric", CHORD_CONSTRAINT_SYMMETRIC, 64},
                                 {"psd", CHORD_CONSTRAINT_SEMIDEFINITE, 64},
                                 {"nonnegative", CHORD_CONSTRAINT_NONNEGATIVE, 64},
                                 {"stochastic", CHORD_CONSTRAINT_STOCHASTIC, 64}};

template <class T>
void check_product(Context& context, const Factorization& factorization, const Tensor& expected) {
  const std::int64_t n = factorization.pattern().n();
  Tensor product = Tensor::empty<T>(context, {n, n});
  factorization.dense(product);
  CHECK(difference(values_of<T>(product), values_of<T>(expected)) < tolerance<T>);
}

}  // namespace

TEST_CASE("factorisations of version 0.1") {
  on_every_device([](Context& context) {
    for (const Stored& stored : factorizations) {
      CAPTURE(stored.name);
      const auto factorization = Factorization::load(context, folder + stored.name + ".safetensors");
      const Tensor expected = chord::read_npy(context, folder + stored.name + "-product.npy");
      CHECK(factorization.info().constraint == stored.constraint);
      REQUIRE(factorization.info().precision == stored.precision);
      if (stored.precision == 32)
        check_product<float>(context, factorization, expected);
      else
        check_product<double>(context, factorization, expected);
    }
  });
}

TEST_CASE("a model of version 0.1") {
  on_every_device([](Context& context) {
    Model model = Model::load(context, folder + "model.safetensors");
    const Tensor expected = chord::read_npy(context, folder + "model-outputs.npy");
    Tensor outputs = Tensor::empty<float>(context, {5, 4});
    model.forward(chord::read_npy(context, folder + "model-inputs.npy"), outputs);
    CHECK(difference(values_of<float>(outputs), values_of<float>(expected)) < 1e-6);
  });
}

TEST_CASE("a checkpoint of version 0.1 has its optimiser") {
  on_every_device([](Context& context) {
    const Model model = Model::load(context, folder + "run/checkpoint.safetensors");
    CHECK(model.info().step == 20);  // two epochs of 80 sequences in batches of 8
    CHECK(model.info().seed == 3);
    CHECK(model.note() != "");
  });
}
