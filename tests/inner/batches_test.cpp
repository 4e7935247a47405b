#include "data/batches.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "common/error.hpp"

using chord::Batches;
using chord::BatchPlan;
using chord::Status;

namespace {

/// Its sequences are their own indices; from `bad` on, they cannot be read.
class Counting : public chord::Dataset {
 public:
  Counting(std::int64_t count, std::int64_t bad) : Dataset({count, 1, 0, count, 2}), bad_(bad) {}
  void read(std::int64_t index, void* input, void* label) const override {
    if (index >= bad_) chord::fail(Status::io_failure, "no sequence ", index);
    *static_cast<std::int32_t*>(input) = *static_cast<std::int32_t*>(label) = std::int32_t(index);
    ++reads_;
  }
  std::int64_t reads() const { return reads_; }

 private:
  std::int64_t bad_;
  mutable std::atomic<std::int64_t> reads_{0};
};

BatchPlan plan(const std::shared_ptr<Counting>& dataset, std::int64_t batch) {
  chord::BatchOptions options;
  options.batch = batch;
  return BatchPlan(dataset, options);
}

}  // namespace

TEST_CASE("what goes wrong in the thread comes out of next, after the batches that were right") {
  Batches batches(plan(std::make_shared<Counting>(10, 5), 2), 0);
  CHECK(batches.count() == 5);
  CHECK(batches.next() != nullptr);
  CHECK(batches.next() != nullptr);
  for (int again = 0; again < 2; ++again) {
    try {
      batches.next();
      FAIL_CHECK("no error");
    } catch (const chord::Error& error) {
      CHECK(error.status() == Status::io_failure);
      CHECK(std::string(error.what()) == "no sequence 5");
    }
  }
}

TEST_CASE("three batches are prepared ahead, and no more") {
  const auto dataset = std::make_shared<Counting>(100, 100);
  Batches batches(plan(dataset, 10), 0);
  for (int taken = 0; taken <= 7; ++taken) {
    const std::int64_t expected = 10 * (taken + 3);
    for (int wait = 0; wait < 5000 && dataset->reads() < expected; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(dataset->reads() == expected);
    REQUIRE(batches.next() != nullptr);
  }
}

TEST_CASE("a batch stays as it is until the next is asked for") {
  Batches batches(plan(std::make_shared<Counting>(1000, 1000), 7), 0);
  std::int32_t expected = 0;
  while (const chord::Batch* batch = batches.next()) {
    std::this_thread::sleep_for(std::chrono::microseconds(expected % 5 * 20));
    const auto* inputs = reinterpret_cast<const std::int32_t*>(batch->inputs.data());
    for (std::int64_t i = 0; i < batch->count; ++i) CHECK(inputs[i] == expected++);
  }
  CHECK(expected == 1000);
}

TEST_CASE("destroyed in the middle of a batch, it does not finish it") {
  class Slow : public chord::Dataset {
   public:
    Slow() : Dataset({100000, 1, 0, 1, 2}) {}
    void read(std::int64_t, void*, void*) const override { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  };
  chord::BatchOptions options;
  options.batch = 100000;
  const auto start = std::chrono::steady_clock::now();
  {
    const Batches batches(BatchPlan(std::make_shared<Slow>(), options), 0);
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}
