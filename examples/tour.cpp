// Factorises a picture and applies the result, then trains a network: tour PICTURE [PASSES]
#include <chord/chord.hpp>
#include <cstdio>
#include <cstdlib>

// The FNV-1a hash of numbers' bytes.
template <class T>
unsigned long long bits(const std::vector<T>& values) {
  unsigned long long hash = 14695981039346656037u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

void factorize(chord::Context& context, const char* path) {
  const auto picture = chord::Matrix::read(path);
  const int64_t n = picture.info().n;
  auto options = chord::factorize_options();
  options.iterations = 30;
  options.seed = 1;
  const auto factors = chord::Factorization::fit(chord::Pattern::chord(context, n), picture, options);
  const auto ones = chord::Tensor::from(context, {n, 1}, std::vector<double>(std::size_t(n), 1.0));
  auto sums = chord::Tensor::empty<double>(context, {n, 1});
  factors.apply(ones, sums);
  std::printf("picture: %lld rows, relative error %.4f, bits %016llx\n", static_cast<long long>(n),
              factors.info().relative_error, bits(sums.to_host<double>()));
}

void train(chord::Context& context, int64_t passes) {
  chord::Model model(context, R"({"preset": "adding", "length": 32})", 1);
  chord_dataset_options options = CHORD_DATASET_OPTIONS_INIT;
  options.task = "adding", options.split = "train", options.length = 32, options.count = 200, options.seed = 1;
  const chord::Dataset data(options);
  double loss = 0;
  for (int64_t pass = 0; pass < passes; ++pass) {
    chord_batches_options order = CHORD_BATCHES_OPTIONS_INIT;
    order.batch = 40, order.shuffle = 1, order.seed = 1, order.epoch = pass;
    chord::Batches batches(data, order);
    for (auto batch = batches.next(); batch.count > 0; batch = batches.next()) {
      const auto* x = static_cast<const float*>(batch.inputs);
      const auto* y = static_cast<const float*>(batch.labels);
      const auto inputs = chord::Tensor::from(context, {batch.count, 32, 2}, std::vector(x, x + batch.count * 64));
      const auto labels = chord::Tensor::from(context, {batch.count}, std::vector(y, y + batch.count));
      loss = model.train_step(inputs, labels).loss;
    }
  }
  std::printf("adding: loss %.4f, bits %016llx\n", loss, bits(model.parameters().to_host<float>()));
}

int main(int count, char** arguments) try {
  if (count < 2) return std::fprintf(stderr, "tour PICTURE [PASSES]\n"), 2;
  chord::Context context("auto");
  factorize(context, arguments[1]);
  train(context, count > 2 ? std::atoll(arguments[2]) : 20);
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
