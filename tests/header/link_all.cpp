// The same through the C++ header.
#include <chord/chord.hpp>

int main() {
  chord::Context context("host");
  const auto pattern = chord::Pattern::chord(context, 4);
  const auto weights = chord::Tensor::from<float>(context, {1, 4, 3}, std::vector<float>(12, 1.0f));
  const auto v = chord::Tensor::from<float>(context, {4, 1}, {1, 2, 3, 4});
  auto z = chord::Tensor::empty<float>(context, {4, 1});
  chord::Chain(pattern, weights).apply(v, z);
  return z.to_host<float>() == std::vector<float>{6, 9, 8, 7} ? 0 : 1;
}
