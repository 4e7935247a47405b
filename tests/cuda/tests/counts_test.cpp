// What is counted: calls always, instructions and accesses where they are asked for.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness.hpp"
#include "tests/ops/goals.hpp"

namespace chord::standin_tests {
namespace {

using nlohmann::json;

json counts_of(Gpu& gpu) {
  std::string text(gpu.api().counts_json(nullptr, 0) + 1, '\0');
  text.resize(gpu.api().counts_json(text.data(), text.size()));
  return json::parse(text);
}

json kernel_of(const json& counts, const std::string& name) {
  for (const json& kernel : counts["kernels"])
    if (kernel["name"] == name) return kernel;
  throw std::runtime_error("no kernel " + name + " was counted");
}

void expect_counts(const json& all, const json& wanted) {
  for (const auto& [name, value] : wanted.items())
    expect(all.at(name) == value, name + " to be " + value.dump() + ", not " + all.at(name).dump());
}

/// The sum over accesses of a kind whose instruction has a word in it.
std::uint64_t sum(const json& kernel, const std::string& word, const std::string& kind, const std::string& what) {
  std::uint64_t total = 0;
  for (const json& access : kernel["accesses"])
    if (access["instruction"].get<std::string>().find(word) != std::string::npos && access["kind"] == kind)
      total += access[what].get<std::uint64_t>();
  return total;
}

void check_passes(const Settings& settings, const std::function<void(Gpu&)>& work) {
  const Outcome outcome = with_gpu(settings, work);
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
}

}  // namespace

TEST_CASE("launches, waits and copies are counted, from a reset on") {
  check_passes({{"LAZY", "1"}}, [](Gpu& gpu) {
    const Address x = gpu.upload(std::vector<float>(100)), y = gpu.upload(std::vector<float>(100));
    gpu.launch("axpy", {1, 128}, 1.0f, x, y, 100u);
    gpu.wait();
    gpu.api().reset_counts();
    for (int i = 0; i < 3; ++i) gpu.launch("axpy", {2, 64}, 1.0f, x, y, 100u);
    gpu.copy(x, y, 400);
    gpu.download<float>(y, 10);
    const json counts = counts_of(gpu);
    expect_counts(counts, {{"launches", 3}, {"waits", 1}, {"allocations", 0}, {"graph_launches", 0}});
    expect_counts(counts["copies"]["on_device"], {{"count", 1}, {"bytes", 400}});
    expect_counts(counts["copies"]["to_host"], {{"count", 1}, {"bytes", 40}});
    expect_counts(counts["copies"]["to_device"], {{"count", 0}, {"bytes", 0}});
    expect_counts(kernel_of(counts, "axpy"), {{"launches", 3}, {"blocks", 6}, {"threads", 384}, {"warps", 12}});
  });
}

TEST_CASE("instructions, sectors and bank conflicts") {
  check_passes({{"PROFILE", "1"}}, [](Gpu& gpu) {
    const unsigned n = 64;
    const Address x = gpu.upload(std::vector<float>(n * n)), out = gpu.allocate(n * n * 4);
    for (const char* name : {"transpose_with_conflicts", "transpose_padded"})
      gpu.launch(name, {2, 32, 2, 8}, x, out, n);
    gpu.wait();
    const json counts = counts_of(gpu);
    const json bad = kernel_of(counts, "transpose_with_conflicts"), good = kernel_of(counts, "transpose_padded");
    // 4 blocks of 8 warps, which go round 4 times: 128 requests of each kind; a column has all its words in one bank.
    expect_counts(
        bad["warp_instructions"],
        {{"barrier", 32}, {"load_global", 128}, {"store_global", 128}, {"load_shared", 128}, {"store_shared", 128}});
    expect_counts(bad["thread_instructions"], {{"load_global", 4096}});
    expect(sum(bad, ".shared", "load", "passes") == 128 * 32, "32 ways of conflict");
    expect(sum(bad, ".shared", "load", "ideal_passes") == 128, "one pass without them");
    expect(sum(good, ".shared", "load", "passes") == 128, "none with padding");
    expect(sum(bad, ".shared", "store", "passes") == 128, "rows to be stored without conflicts");
    expect(sum(bad, ".global", "load", "requests") == 128 && sum(bad, ".global", "load", "sectors") == 4 * 128,
           "32 floats in four sectors");
  });
}

TEST_CASE("sectors of strided accesses, lanes that queue up for atomics") {
  check_passes({{"PROFILE", "1"}}, [](Gpu& gpu) {
    const Address in = gpu.upload(std::vector<int>(64)), out = gpu.allocate(64 * 7 * 4);
    gpu.launch("shuffles", {1, 64}, in, out);
    const Address i = gpu.upload(std::vector<int>(7)), wide = gpu.upload(std::vector<double>(1));
    gpu.launch("atomics", {1, 32}, i, i, wide, wide);
    gpu.wait();
    const json counts = counts_of(gpu), shuffles = kernel_of(counts, "shuffles"),
               atomics = kernel_of(counts, "atomics");
    // Stores 28 bytes apart: 896 bytes of a warp are 28 sectors, of which each store touches 28.
    expect(sum(shuffles, "st.global", "store", "requests") == 14, "seven stores of two warps");
    expect(sum(shuffles, "st.global", "store", "sectors") == 14 * 28, "28 sectors each");
    expect(sum(shuffles, "st.global", "store", "ideal_sectors") == 14 * 4, "instead of four");
    for (const json& access : shuffles["accesses"])
      if (access["kind"] == "store") expect_counts(access, {{"executions", 1}, {"most_sectors", 28}});
    // The seven stores of two warps fill 56 sectors, which each of them has touched.
    expect_counts(shuffles, {{"stored_sectors", 56}, {"block_sectors", 56 + 8}});
    expect_counts(shuffles["warp_instructions"], {{"warp", 16}});
    expect(sum(atomics, "atom", "atomic", "same_address") == 10 * 32, "32 lanes at one address, ten times");
  });
}

TEST_CASE("gathers that leave a part of their sectors, and requests of many sectors, miss a goal") {
  check_passes({{"PROFILE", "1"}}, [](Gpu& gpu) {
    const unsigned n = 64;
    std::vector<unsigned> rows(n);
    for (unsigned i = 0; i < n; ++i) rows[i] = i * 37 % n;
    const Address in = gpu.upload(std::vector<float>(n * 8)), at = gpu.upload(rows), out = gpu.allocate(n * 32);
    const auto counts = [&](const char* name, unsigned threads) {
      gpu.api().reset_counts();
      gpu.api().count_gathers(in, n * 32);
      gpu.launch(name, {1, threads}, in, at, out);
      gpu.wait();
      return counts_of(gpu);
    };
    const auto misses = [](const json& all, const std::string& words) {
      for (const std::string& missed : ops::missed_goals("product", "f32", ops::Sums(all), {}))
        if (missed.find(words) != std::string::npos) return true;
      return false;
    };
    const json pairs = counts("gather_by_pairs", 2 * n), halves = counts("gather_by_halves", n);
    // Every row is a sector: touched once by pairs, by each half of a row otherwise.
    expect(sum(kernel_of(pairs, "gather_by_pairs"), "", "load", "gather_sectors") == n, "a sector a row");
    expect(sum(kernel_of(pairs, "gather_by_pairs"), "", "load", "gather_bytes") == 32 * n, "all of it");
    expect(sum(kernel_of(halves, "gather_by_halves"), "", "load", "gather_sectors") == 2 * n, "a sector a half");
    expect(sum(kernel_of(halves, "gather_by_halves"), "", "load", "gather_bytes") == 32 * n, "half of it");
    expect(!misses(pairs, "in gathers"), "32 bytes of a sector to be enough");
    expect(misses(halves, "in gathers"), "16 bytes of a sector to be too few");
    // Four bytes a lane, seven values apart.
    const json apart = [&] {
      gpu.api().reset_counts();
      gpu.launch("shuffles", {1, 64}, at, gpu.allocate(64 * 7 * 4));
      gpu.wait();
      return counts_of(gpu);
    }();
    expect(ops::Sums(apart).scattered == 14, "seven stores of two warps to be scattered");
    expect(misses(apart, "many sectors"), "a scattered request to be too many");
    expect(!misses(pairs, "many sectors"), "none there");
  });
}

TEST_CASE("a sample of blocks is counted as all of them") {
  const unsigned n = 64 * 100;
  const auto run = [&](Gpu& gpu) {
    const Address x = gpu.upload(std::vector<float>(n)), y = gpu.upload(std::vector<float>(n));
    gpu.launch("axpy", {100, 64}, 2.0f, x, y, n);
    gpu.wait();
    const json axpy = kernel_of(counts_of(gpu), "axpy");
    expect_counts(axpy, {{"blocks", 100}, {"threads", 6400}, {"block_sectors", 1600}, {"stored_sectors", 800}});
    expect_counts(axpy["warp_instructions"], {{"load_global", 400}, {"store_global", 200}});
    expect(sum(axpy, ".global", "load", "sectors") == 1600, "sectors of all blocks");
  };
  check_passes({{"PROFILE", "1"}}, run);
  check_passes({{"PROFILE", "1"}, {"SAMPLE", "4"}}, run);
}

TEST_CASE("the counts go to a file at exit") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("counts-" + std::to_string(getpid()));
  check_passes({{"PROFILE", file.string()}}, [](Gpu& gpu) {
    gpu.launch("variables", {1, 8}, gpu.allocate(32));
    gpu.wait();
  });
  expect_counts(kernel_of(json::parse(contents(file.string())), "variables")["warp_instructions"], {{"load_const", 1}});
  std::filesystem::remove(file);
}

}  // namespace chord::standin_tests
