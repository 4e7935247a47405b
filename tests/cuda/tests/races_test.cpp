// Threads that do not wait for each other, and memory that nobody wrote: reported, while the kernel goes on.
#include <doctest/doctest.h>

#include "harness.hpp"

namespace chord::standin_tests {
namespace {

std::vector<float> zeros(std::size_t count) { return std::vector<float>(count); }

void check_report(const Settings& settings, const std::string& pattern, const std::function<void(Gpu&)>& work) {
  const Outcome outcome = with_gpu(settings, work);
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
  CHECK(outcome.says(pattern));
}

const Settings races{{"RACES", "1"}}, uninitialised{{"UNINIT", "1"}};

}  // namespace

TEST_CASE("two threads write to the same place") {
  check_report(races,
               R"(RACE in race_global on global memory \(written twice\): block 0 thread 0 at 'st.global.*)"
               R"(wrong_kernels.cpp:\d+\)', block 0 thread 1 at)",
               [](Gpu& gpu) {
                 gpu.launch("race_global", {2, 32}, gpu.upload(zeros(32)));
                 gpu.wait();
                 expect(gpu.api().reports("RACE") == 32, "a race for each pair");
               });
}

TEST_CASE("a missing barrier") {
  for (const char* order : {"forward", "reverse", "random"})
    check_report({{"RACES", "1"}, {"ORDER", order}},
                 R"(RACE in missing_barrier on shared memory \((read, then written|written, then read)\))",
                 [](Gpu& gpu) {
                   gpu.launch("missing_barrier", {1, 64}, gpu.upload(zeros(64)));
                   gpu.wait();
                 });
}

TEST_CASE("blocks that depend on each other") {
  check_report(races,
               R"(RACE in race_blocks on global memory \(written, then read\): block 0 thread 0 .* block 1 thread 0)",
               [](Gpu& gpu) {
                 gpu.launch("race_blocks", {4, 32}, gpu.upload(zeros(5)));
                 gpu.wait();
               });
}

TEST_CASE("reads are watched in as many blocks as wanted, writes in all") {
  const Outcome outcome = with_gpu({{"RACES", "2"}}, [](Gpu& gpu) {
    gpu.launch("race_blocks", {8, 32}, gpu.upload(zeros(9)));
    gpu.wait();
    expect(gpu.api().reports("RACE") == 1, "a race of the second block with the first, none of those behind");
    gpu.launch("race_global", {8, 32}, gpu.upload(zeros(128)));
    gpu.wait();
    expect(gpu.api().reports("RACE") == 1 + 128, "and one for each pair that writes");
  });
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
}

TEST_CASE("a plain store among atomics") {
  check_report(races, "RACE in race_with_atomic", [](Gpu& gpu) {
    gpu.launch("race_with_atomic", {1, 32}, gpu.upload(zeros(1)));
    gpu.wait();
  });
}

TEST_CASE("launches do not race with each other") {
  const Outcome outcome = with_gpu(races, [](Gpu& gpu) {
    const Address x = gpu.upload(zeros(100)), y = gpu.upload(zeros(100));
    gpu.launch("axpy", {1, 128}, 1.0f, x, y, 100u);
    gpu.launch("axpy", {1, 128}, 1.0f, y, x, 100u);
    gpu.wait();
  });
  CHECK(outcome.passed);
  CHECK(outcome.messages.empty());
}

TEST_CASE("memory that nobody wrote") {
  check_report(uninitialised, "UNINITIALISED memory read in copy, block 0,0,0 thread 10,0,0 at 'ld.global",
               [](Gpu& gpu) {
                 const std::vector<float> some = zeros(10);
                 const Address x = gpu.allocate(128), y = gpu.allocate(128);
                 gpu.copy(x, reinterpret_cast<Address>(some.data()), 40);
                 gpu.launch("copy", {1, 32}, x, y);
                 gpu.wait();
                 expect(gpu.api().reports("UNINITIALISED") == 22, "a report for each thread past the tenth");
               });
}

TEST_CASE("shared memory that nobody wrote") {
  check_report(uninitialised, "UNINITIALISED memory read in unwritten_shared, block 0,0,0 thread 63,0,0", [](Gpu& gpu) {
    gpu.launch("unwritten_shared", {1, 64}, gpu.upload(zeros(64)));
    gpu.wait();
    expect(gpu.api().reports("UNINITIALISED") == 1, "one report");
  });
}

TEST_CASE("copies carry along what was written") {
  check_report(uninitialised, "UNINITIALISED COPY to the host: 24 of 64 bytes were never written", [](Gpu& gpu) {
    const std::vector<float> some = zeros(10);
    const Address x = gpu.allocate(64), y = gpu.allocate(64);
    gpu.copy(x, reinterpret_cast<Address>(some.data()), 40);
    gpu.copy(y, x, 64);
    expect(gpu.download<float>(y, 10) == some, "what was written");
    expect(gpu.api().reports(nullptr) == 0, "no report of that");
    gpu.download<float>(y, 16);
  });
}

TEST_CASE("fresh memory holds NaN") {
  const Outcome outcome = with_gpu({}, [](Gpu& gpu) {
    const Address x = gpu.allocate(128), y = gpu.upload(zeros(32));
    gpu.launch("axpy", {1, 32}, 1.0f, x, y, 32u);
    const float sum = gpu.download<float>(y, 32)[5];
    expect(sum != sum, "NaN");
  });
  CHECK(outcome.passed);
}

}  // namespace chord::standin_tests
