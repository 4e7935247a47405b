#include <atomic>
#include <thread>

#include "support.hpp"

using namespace testing;

namespace {

/// A few products; true if every one of them is right.
bool products_are_right(Context& context, unsigned seed) {
  const int64_t n = 33, d = 8;
  const auto pattern = Pattern::chord(context, n);
  const Values w = random_values(n * pattern.links(), seed), v = random_values(n * d, seed + 1);
  const Values expected = reference::multiply(n, d, reference::dense_factor(n, pattern.offsets(), w.data()), v.data());
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Tensor wt = tensor<float>(context, {n, pattern.links()}, w), vt = tensor<float>(context, {n, d}, v);
    Tensor z = Tensor::empty<float>(context, {n, d});
    chord::product(pattern, wt, vt, z);
    const auto found = z.to_host<float>();
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!(std::abs(found[i] - expected[i]) < 1e-5)) return false;
  }
  return true;
}

template <class Body>
int count_right(int threads, Body body) {
  std::atomic<int> right{0};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      if (body(t)) ++right;
    });
  for (std::thread& thread : all) thread.join();
  return right;
}

}  // namespace

TEST_CASE("threads with contexts of their own") {
  for (const auto& device : chord::devices()) {
    CAPTURE(device.selector);
    CHECK(count_right(4, [&](int t) {
            Context context(device.selector);
            return products_are_right(context, unsigned(t) * 10);
          }) == 4);
  }
}

TEST_CASE("threads that share a context") {
  on_every_device([](Context& context) {
    CHECK(count_right(4, [&](int t) { return products_are_right(context, unsigned(t) * 10); }) == 4);
  });
}

TEST_CASE("waiting, trimming and asking for statistics while others work") {
  on_every_device([](Context& context) {
    CHECK(count_right(4, [&](int t) {
            if (t > 0) return products_are_right(context, unsigned(t) * 10);
            for (int i = 0; i < 50; ++i) {
              context.wait();
              context.trim();
              static_cast<void>(context.memory());
            }
            return true;
          }) == 4);
  });
}

TEST_CASE("each thread has its own last error") {
  const chord_status failed = chord_context_wait(nullptr);
  REQUIRE(failed == CHORD_ERROR_INVALID_HANDLE);
  const std::string mine = chord_last_error();
  std::string before, after;
  std::thread([&] {
    before = chord_last_error();
    static_cast<void>(chord_device_count(nullptr));
    after = chord_last_error();
  }).join();
  CHECK(before.empty());
  CHECK(after != mine);
  CHECK(chord_last_error() == mine);
}
