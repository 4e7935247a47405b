// Prints a line for each piece of work with a hash of its results' bits: same_bits_test runs it with several numbers of
// threads. The work is large enough for all of them.
#include <chord/chord.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "values.hpp"

using namespace testing;
using chord::Model;

namespace {

/// FNV-1a of the numbers' bytes.
template <class T>
class Hash {
 public:
  void add(const Tensor& tensor) {
    for (const T value : tensor.to_host<T>()) {
      unsigned char bytes[sizeof(T)];
      std::memcpy(bytes, &value, sizeof(T));
      for (const unsigned char byte : bytes) state_ = (state_ ^ byte) * 0x100000001b3u;
    }
  }
  void print(const char* name) const { std::printf("%s %016llx\n", name, state_); }

 private:
  unsigned long long state_ = 0xcbf29ce484222325u;
};

/// Numbers from 0 to below `limit`.
std::vector<std::int32_t> whole_numbers(std::size_t count, int limit, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::int32_t> values(count);
  for (std::int32_t& each : values) each = std::int32_t(generator() % unsigned(limit));
  return values;
}

void train(const char* name, Model model, const Tensor& inputs, const Tensor& labels) {
  for (int i = 0; i < 3; ++i) model.train_step(inputs, labels);
  Hash<float> hash;
  for (const std::string& parameter : model.parameter_names()) hash.add(model.parameter(parameter));
  hash.print(name);
}

void train_on_reals(Context& context) {
  const std::int64_t batch = 40, length = 64;
  train("reals", Model(context, R"({"preset":"adding","length":64})", 1),
        tensor<float>(context, {batch, length, 2}, random_values(std::size_t(batch * length * 2), 1)),
        tensor<float>(context, {batch}, random_values(std::size_t(batch), 2)));
}

void train_on_tokens(Context& context) {
  const std::int64_t batch = 20, length = 129;
  train("tokens", Model(context, R"({"preset":"text","length":129,"hidden_f":20,"dropout_output":0.3})", 1),
        Tensor::from(context, {batch, length}, whole_numbers(std::size_t(batch * length), 97, 3)),
        Tensor::from(context, {batch}, whole_numbers(std::size_t(batch), 2, 4)));
}

/// ListOps, whose layers are wide.
void train_wide_layers(Context& context) {
  const std::int64_t batch = 3, length = 2000;
  train("wide layers", Model(context, R"({"preset":"listops"})", 1),
        Tensor::from(context, {batch, length}, whole_numbers(std::size_t(batch * length), 17, 9)),
        Tensor::from(context, {batch}, whole_numbers(std::size_t(batch), 10, 10)));
}

/// One set of factors for a whole batch: its gradient is a sum over the sequences.
void chain_gradient(Context& context) {
  const std::int64_t n = 100, d = 8, batch = 50, factors = 7;
  const Pattern pattern = Pattern::chord(context, n);
  const Tensor weights = tensor<float>(context, {factors, n, pattern.links()},
                                       random_values(std::size_t(factors * n * pattern.links()), 5));
  const Tensor v = tensor<float>(context, {batch, n, d}, random_values(std::size_t(batch * n * d), 6));
  const Tensor g = tensor<float>(context, {batch, n, d}, random_values(std::size_t(batch * n * d), 7));
  Tensor dw = Tensor::empty<float>(context, {factors, n, pattern.links()});
  Tensor dv = Tensor::empty<float>(context, {batch, n, d});
  chord::Chain(pattern, weights).gradient(v, nullptr, g, dw, &dv);
  Hash<float> hash;
  hash.add(dw);
  hash.add(dv);
  hash.print("chain");
}

void factorize(Context& context) {
  const std::int64_t n = 200;
  auto options = chord::factorize_options();
  options.iterations = 40;
  const auto matrix = chord::Matrix::dense(n, random_values(std::size_t(n * n), 8));
  Hash<double> hash;
  hash.add(chord::Factorization::fit(Pattern::chord(context, n), matrix, options).weights());
  hash.print("factorisation");
}

}  // namespace

int main() {
  Context context("host");
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (!threads || context.device().units != std::atoi(threads)) {
    std::fprintf(stderr, "the host has %d threads, not OMP_NUM_THREADS\n", context.device().units);
    return 1;
  }
  train_on_reals(context);
  train_on_tokens(context);
  train_wide_layers(context);
  chain_gradient(context);
  factorize(context);
}
