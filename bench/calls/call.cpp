// What a call from C++ costs: a product of 16 rows on existing tensors, queued.
#include <algorithm>
#include <chord/chord.hpp>
#include <chrono>
#include <cstdio>

int main() {
  chord::Context context("auto");
  const auto pattern = chord::Pattern::chord(context, 16);
  const auto w = chord::Tensor::from(context, {16, 5}, std::vector<float>(80, 1.0f));
  const auto v = chord::Tensor::from(context, {16, 4}, std::vector<float>(64, 1.0f));
  auto z = chord::Tensor::empty<float>(context, {16, 4});
  double best = 1;
  for (int round = 0; round < 200; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) chord::product(pattern, w, v, z);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 1000);
  }
  std::printf("%.2f\n", best * 1e6);
}
