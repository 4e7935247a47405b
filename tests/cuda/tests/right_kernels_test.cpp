// Kernels that are right give the right numbers, in every mode and order, and nothing is reported.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "harness.hpp"

namespace chord::standin_tests {
namespace {

std::vector<float> random_values(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

void expect_near(const std::vector<float>& got, const std::vector<double>& wanted, const std::string& what) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    expect(std::fabs(double(got[i]) - wanted[i]) < 1e-4, what + ", at " + std::to_string(i));
}

void axpy(Gpu& gpu) {
  const unsigned n = 1000;
  const auto x = random_values(n);
  const Address dx = gpu.upload(x), dy = gpu.upload(x);
  gpu.launch("axpy", {8, 128}, 2.0f, dx, dy, n);
  std::vector<double> wanted(n);
  for (unsigned i = 0; i < n; ++i) wanted[i] = 3.0 * double(x[i]);
  expect_near(gpu.download<float>(dy, n), wanted, "axpy");
}

void matmul(Gpu& gpu) {
  const unsigned n = 50;
  const auto a = random_values(n * n);
  const Address da = gpu.upload(a), dc = gpu.allocate(n * n * 4);
  gpu.launch("matmul", {4, 16, 4, 16}, da, da, dc, n);
  std::vector<double> wanted(n * n);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned k = 0; k < n; ++k)
      for (unsigned j = 0; j < n; ++j) wanted[i * n + j] += double(a[i * n + k]) * double(a[k * n + j]);
  expect_near(gpu.download<float>(dc, n * n), wanted, "matmul");
}

void block_sums(Gpu& gpu) {
  const auto x = random_values(3 * 256);
  const Address dx = gpu.upload(x), sums = gpu.allocate(3 * 4);
  gpu.launch("block_sums", {3, 64, 1, 1, 256}, dx, sums);
  std::vector<double> wanted(3);
  for (std::size_t i = 0; i < x.size(); ++i) wanted[i / 256] += double(x[i]);
  expect_near(gpu.download<float>(sums, 3), wanted, "block_sums");
}

void reverse_vectors(Gpu& gpu) {
  const auto x = random_values(2 * 256);
  const Address dx = gpu.upload(x), out = gpu.allocate(2 * 256 * 4);
  gpu.launch("reverse_vectors", {2, 64}, dx, out);
  std::vector<double> wanted(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) wanted[i] = double(x[i / 256 * 256 + 255 - i % 256]);
  expect_near(gpu.download<float>(out, x.size()), wanted, "reverse_vectors");
}

void transpose(Gpu& gpu) {
  const unsigned n = 64;
  const auto x = random_values(n * n);
  std::vector<double> wanted(x.size());
  for (unsigned i = 0; i < n * n; ++i) wanted[i] = double(x[i % n * n + i / n]);
  for (const char* name : {"transpose_with_conflicts", "transpose_padded"}) {
    const Address dx = gpu.upload(x), out = gpu.allocate(n * n * 4);
    gpu.launch(name, {2, 32, 2, 8}, dx, out, n);
    expect_near(gpu.download<float>(out, x.size()), wanted, name);
  }
}

void shuffles(Gpu& gpu) {
  std::vector<int> v(64);
  for (int i = 0; i < 64; ++i) v[std::size_t(i)] = i * 37 % 101;
  const Address dv = gpu.upload(v), out = gpu.allocate(64 * 7 * 4);
  gpu.launch("shuffles", {1, 64}, dv, out);
  const auto got = gpu.download<int>(out, 64 * 7);
  for (int i = 0; i < 64; ++i) {
    const int first = i / 32 * 32, lane = i % 32;
    const auto at = [&](int l) { return v[std::size_t(first + l)]; };
    unsigned odd = 0;
    for (int l = 0; l < 32; ++l) odd |= unsigned(at(l) & 1) << l;
    const bool any = std::any_of(v.begin() + first, v.begin() + first + 32, [](int x) { return x > 100; });
    const int wanted[] = {at(lane ^ 5),
                          lane >= 3 ? at(lane - 3) : at(lane),
                          lane < 29 ? at(lane + 3) : at(lane),
                          at(lane / 8 * 8 + 2),
                          int(odd),
                          int(any) + 2,
                          at(lane < 16 ? lane ^ 1 : lane ^ 2)};
    for (int k = 0; k < 7; ++k)
      expect(got[std::size_t(i * 7 + k)] == wanted[k],
             "shuffle " + std::to_string(k) + " of lane " + std::to_string(i));
  }
}

void atomics(Gpu& gpu) {
  const int n = 40 * 64;
  const Address i = gpu.upload(std::vector<int>{0, 0, 0, 0, 0, 7, 0}), f = gpu.upload(std::vector<float>{0});
  const Address d = gpu.upload(std::vector<double>{0}), l = gpu.upload(std::vector<std::uint64_t>{0});
  gpu.launch("atomics", {40, 64}, i, f, d, l);
  int mixed = 0;
  for (int t = 0; t < n; ++t) mixed ^= t;
  const auto got = gpu.download<int>(i, 7);
  const std::vector<int> wanted{n * (n - 1) / 2, n - 1, 1 - n, -1, mixed, got[5], 5};
  expect(got == wanted && got[5] != 7, "atomics of integers");
  expect(gpu.download<float>(f, 1)[0] == float(n) / 2 && gpu.download<double>(d, 1)[0] == n / 4.0, "atomics of floats");
  expect(gpu.download<std::uint64_t>(l, 1)[0] == std::uint64_t(n) << 33, "atomics of 64 bits");
}

void barriers(Gpu& gpu) {
  const Address out = gpu.allocate(128 * 4), x = gpu.allocate(256 * 4);
  gpu.launch("named_barriers", {1, 128}, out);
  gpu.launch("through_global", {4, 64}, x);
  const auto got = gpu.download<unsigned>(out, 128);
  const auto swapped = gpu.download<float>(x, 256);
  for (unsigned t = 0; t < 128; ++t) expect(got[t] == (t ^ 32), "named barriers");
  for (unsigned t = 0; t < 256; ++t) expect(swapped[t] == float(t % 64 ^ 1), "a barrier for global memory");
}

void variables_and_bytes(Gpu& gpu) {
  const Address out = gpu.allocate(8 * 4), bytes = gpu.allocate(256);
  gpu.launch("variables", {1, 8}, out);
  gpu.launch("bytes", {4, 64}, bytes);
  const std::vector<float> wanted{5, 10, 20, 40, 5, 10, 20, 40};
  expect(gpu.download<float>(out, 8) == wanted, "variables of a module");
  const auto got = gpu.download<unsigned char>(bytes, 256);
  for (unsigned i = 0; i < 256; ++i) expect(got[i] == i % 64, "bytes");
}

void calls(Gpu& gpu) {
  std::vector<int> which(64);
  for (int i = 0; i < 64; ++i) which[std::size_t(i)] = i % 7;
  const Address dw = gpu.upload(which), out = gpu.allocate(64 * 4);
  gpu.launch("calls", {1, 64}, dw, out);
  const auto got = gpu.download<int>(out, 64);
  for (int i = 0; i < 64; ++i) {
    const int v = (i + 2) % 64;
    const int wanted[] = {v + 49, 3 * v, __builtin_popcount(unsigned(v)), v - 1000, v ^ 0x5555, -v, 0};
    expect(got[std::size_t(i)] == wanted[i % 7], "calls, case " + std::to_string(i % 7));
  }
}

// Pinned memory of the host may be used by kernels; the last bytes of an allocation, too.
void pinned_memory(Gpu& gpu) {
  void* memory = nullptr;
  gpu.check(gpu.api().cuMemHostAlloc(&memory, 12, 0), "cuMemHostAlloc");
  auto* values = static_cast<float*>(memory);
  std::fill_n(values, 3, 2.0f);
  const Address y = gpu.upload(std::vector<float>{1, 1, 1});
  gpu.launch("axpy", {1, 32}, 3.0f, reinterpret_cast<Address>(memory), y, 3u);
  gpu.copy(reinterpret_cast<Address>(memory), y, 12);
  gpu.wait();
  expect(values[0] == 7 && values[2] == 7, "pinned memory");
  gpu.check(gpu.api().cuMemFreeHost(memory), "cuMemFreeHost");
}

void all(Gpu& gpu) {
  for (auto* run : {axpy, matmul, block_sums, reverse_vectors, transpose, shuffles, atomics, barriers,
                    variables_and_bytes, calls, pinned_memory})
    run(gpu);
  expect(gpu.api().reports(nullptr) == 0, "no report");
}

void check_mode(const Settings& settings) {
  const Outcome outcome = with_gpu(settings, all);
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
  CHECK(outcome.messages.empty());
}

}  // namespace

TEST_CASE("right kernels") { check_mode({}); }
TEST_CASE("right kernels, on one thread") { check_mode({{"THREADS", "1"}}); }
TEST_CASE("right kernels, late") { check_mode({{"LAZY", "1"}}); }
TEST_CASE("right kernels, the last block and thread first") { check_mode({{"ORDER", "reverse"}, {"LAZY", "1"}}); }
TEST_CASE("right kernels, in any order") {
  for (const char* seed : {"1", "2", "3"}) check_mode({{"ORDER", "random"}, {"SEED", seed}});
}
TEST_CASE("right kernels have no races and read nothing unwritten") {
  check_mode({{"RACES", "1"}, {"UNINIT", "1"}});
  check_mode({{"RACES", "1"}, {"UNINIT", "1"}, {"ORDER", "random"}, {"LAZY", "1"}});
}
TEST_CASE("right kernels, counted") { check_mode({{"PROFILE", "1"}}); }

}  // namespace chord::standin_tests
