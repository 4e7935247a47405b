// Kernels that are wrong are caught, each by name: what, where, who.
#include <doctest/doctest.h>

#include <csignal>

#include "harness.hpp"

namespace chord::standin_tests {
namespace {

/// A kernel that ends the device: the message, and the error of this and every later call.
void check_fault(const std::string& pattern, Result error, const std::function<void(Gpu&)>& launch,
                 Settings settings = {}) {
  const auto work = [&](Gpu& gpu) {
    launch(gpu);
    gpu.check(gpu.api().cuStreamSynchronize(gpu.stream()), "the wait", error);
    Address address = 0;
    gpu.check(gpu.api().cuMemAlloc_v2(&address, 4), "every later call", error);
  };
  Outcome outcome = with_gpu(settings, work);
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
  CHECK(outcome.says(pattern));
  settings["FAULT"] = "abort";
  settings["LAZY"] = "1";
  outcome = with_gpu(settings, work);
  CHECK(outcome.signal == SIGABRT);
  CHECK(outcome.says(pattern));
}

std::vector<float> zeros(std::size_t count) { return std::vector<float>(count); }

/// A launch with an array of so many floats as the first argument.
template <class... Arguments>
std::function<void(Gpu&)> with_array(const char* name, Gpu::Shape shape, std::size_t count, Arguments... arguments) {
  return [=](Gpu& gpu) { gpu.launch(name, shape, gpu.upload(zeros(count)), arguments...); };
}

}  // namespace

TEST_CASE("an overrun by one") {
  check_fault(
      R"(ILLEGAL ADDRESS store of 4 bytes in overrun, block 1,0,0 thread 36,0,0 at 'st.global.*wrong_kernels.cpp:\d+\)': )"
      R"(0x\w+, 0 bytes past the end of 400 allocated)",
      cuda::illegal_address, with_array("overrun", {2, 64}, 100, 100u));
  // Sizes that are no multiple of eight bytes end where they end.
  check_fault("ILLEGAL ADDRESS store of 4 bytes in overrun, block 1,0,0 thread 37", cuda::illegal_address,
              with_array("overrun", {2, 64}, 101, 101u));
}

TEST_CASE("an underrun by one") {
  check_fault("ILLEGAL ADDRESS store of 4 bytes in underrun, block 0,0,0 thread 0,0,0 .* 4 bytes before 400 allocated",
              cuda::illegal_address, with_array("underrun", {1, 64}, 100));
}

TEST_CASE("a null pointer") {
  check_fault("ILLEGAL ADDRESS load of 4 bytes in axpy, .*: 0, not memory of this device", cuda::illegal_address,
              [](Gpu& gpu) { gpu.launch("axpy", {1, 32}, 1.0f, Address(0), gpu.upload(zeros(32)), 32u); });
}

TEST_CASE("freed memory") {
  check_fault("ILLEGAL ADDRESS load of 4 bytes in axpy, .* of 400 that were FREED", cuda::illegal_address,
              [](Gpu& gpu) {
                const Address x = gpu.upload(zeros(100)), y = gpu.upload(zeros(100));
                gpu.free(x);
                gpu.upload(zeros(100));  // does not get the same addresses
                gpu.launch("axpy", {1, 128}, 1.0f, x, y, 100u);
              });
}

TEST_CASE("shared memory has its bounds") {
  const Gpu::Shape shape{1, 64, 1, 1, 256};
  check_fault(
      R"(ILLEGAL ADDRESS store .* in overrun_shared, block 0,0,0 thread 60,0,0 .*: shared memory at \+256 of 256)",
      cuda::illegal_address, with_array("overrun_shared", shape, 64, 4));
  check_fault(R"(ILLEGAL ADDRESS store .* in overrun_shared, block 0,0,0 thread 0,0,0 .*: shared memory at -4 of 256)",
              cuda::illegal_address, with_array("overrun_shared", shape, 64, -1));
}

TEST_CASE("misalignment") {
  check_fault("MISALIGNED ADDRESS store of 16 bytes in misaligned, block 0,0,0 thread 0,0,0", cuda::misaligned_address,
              with_array("misaligned", {1, 1}, 64));
}

TEST_CASE("threads at different barriers") {
  check_fault(
      "DIVERGENT BARRIER in divergent, block 0,0,0 thread 1,0,0: it comes to 'bar.sync 0 .*, thread 0 of the block",
      cuda::launch_failed, with_array("divergent", {1, 64}, 64));
  check_fault(
      "DEADLOCK in two_barriers, block 0,0,0: 32 threads .first: 0. wait at 'bar.sync 1, 128.*"
      "96 threads .first: 32. wait at 'bar.sync 2, 128.*0 of 128 have returned",
      702, with_array("two_barriers", {1, 128}, 128));
}

TEST_CASE("a barrier that not all reach") {
  check_fault(
      "DEADLOCK in early_return, block 1,0,0: 72 threads .first: 0. wait at 'bar.sync 0.*; 56 of 128 have returned",
      702, with_array("early_return", {2, 128}, 200, 200u));
}

TEST_CASE("a lane that does not come to a shuffle") {
  check_fault("DEADLOCK in lost_lane, .*16 threads .first: 0. wait at 'shfl.*16 of 32 have returned", 702,
              with_array("lost_lane", {1, 32}, 32));
}

TEST_CASE("a trap") {
  check_fault("TRAP in trap, block 0,0,0 thread 5,0,0 at 'trap", cuda::launch_failed,
              [](Gpu& gpu) { gpu.launch("trap", {1, 32}, 5u); });
}

TEST_CASE("the host cannot touch memory of a device") {
  const Outcome outcome = with_gpu({}, [](Gpu& gpu) {
    const Address x = gpu.upload(zeros(100));
    expect(*reinterpret_cast<volatile float*>(x + 8) == 0, "to be gone by now");
  });
  CHECK(outcome.signal == SIGSEGV);
  CAPTURE(outcome.messages);
  CHECK(outcome.says("HOST ACCESS to memory of a device: 0x.*, byte 8 of 400 allocated"));
}

TEST_CASE("memory of another device") {
  check_fault("ILLEGAL ADDRESS load .* in axpy, .* not memory of this device", cuda::illegal_address,
              [](Gpu& gpu) {
                Gpu other(1);
                const Address there = other.upload(zeros(32));
                cuda::DriverContext* popped = nullptr;
                gpu.check(gpu.api().cuCtxPopCurrent_v2(&popped), "cuCtxPopCurrent");
                gpu.launch("axpy", {1, 32}, 1.0f, there, gpu.upload(zeros(32)), 32u);
              },
              {{"DEVICES", "2"}});
}

}  // namespace chord::standin_tests
