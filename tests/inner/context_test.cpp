#include "device/context.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "common/error.hpp"
#include "operations/tensor.hpp"

namespace {

/// A device whose queued work fails some time later.
class FailingQueue final : public chord::Queue {
 public:
  const chord::DeviceDescription& device() const override { return description; }
  void* allocate(std::size_t bytes) override { return std::malloc(bytes); }
  void release(void* memory) noexcept override { std::free(memory); }
  void copy(void*, const void*, std::size_t) override { failed = true; }
  void run(int, chord::Grid, const void* const*) override { failed = true; }
  void wait() override {
    if (std::exchange(failed, false)) chord::fail(chord::Status::device_failure, "the device gave up");
  }
  chord::DeviceDescription description;
  bool failed = false;
};

}  // namespace

TEST_CASE("an error of queued work comes out of the next wait, once") {
  chord::Context context(std::make_unique<FailingQueue>());
  context.submit()->run(0, {}, nullptr);
  try {
    context.wait();
    FAIL("the error was lost");
  } catch (const chord::Error& error) {
    CHECK(error.status() == chord::Status::device_failure);
    CHECK(std::string(error.what()) == "the device gave up");
  }
  CHECK_NOTHROW(context.wait());
}

TEST_CASE("giving foreign memory back does not lose an error of queued work") {
  auto context = std::make_shared<chord::Context>(std::make_unique<FailingQueue>());
  {
    char memory[8];
    const chord::Storage storage(context, memory, sizeof memory, [] {});
    context->submit()->run(0, {}, nullptr);
  }
  CHECK_THROWS_AS(context->wait(), chord::Error);
  CHECK_NOTHROW(context->wait());
}

TEST_CASE("closing a context with failed work is quiet, and foreign memory goes back all the same") {
  int released = 0;
  {
    auto context = std::make_shared<chord::Context>(std::make_unique<FailingQueue>());
    char memory[8];
    const chord::Storage storage(context, memory, sizeof memory, [&] { ++released; });
    context->submit()->run(0, {}, nullptr);
  }
  CHECK(released == 1);
}
