#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "device/entry_table.hpp"
#include "device/launch.hpp"
#include "device/sycl/kernel_source.hpp"

using namespace chord;

namespace {

template <class T, int Width>
void check_sums() {
  kernels::vector<T, Width> each[Width], sums;
  T expected[Width] = {};
  for (int v = 0; v < Width; ++v)
    for (int i = 0; i < Width; ++i) {
      each[v][i] = T(v * 100 + i);
      expected[v] += each[v][i];
    }
  kernels::sums_of<T>(each, sums);
  for (int v = 0; v < Width; ++v) CHECK(T(sums[v]) == expected[v]);
}

}  // namespace

TEST_CASE("the sums of several vectors come in their order") {
  check_sums<float, 1>();
  check_sums<float, 8>();
  check_sums<double, 1>();
  check_sums<double, 4>();
}

TEST_CASE("a run of points is visited once each, in order, wherever it starts") {
  const std::size_t sequences = 3, rows = 4, lanes = 5;
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> all;
  for (std::size_t s = 0; s < sequences; ++s)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t l = 0; l < lanes; ++l) all.emplace_back(s, r, l);
  for (std::size_t first = 0; first <= all.size(); first += 7)
    for (std::size_t last = first; last <= all.size(); ++last) {
      std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> seen;
      kernels::visit({first, last}, rows, lanes,
                     [&](std::size_t s, std::size_t r, std::size_t l) { seen.emplace_back(s, r, l); });
      REQUIRE(seen == decltype(all)(all.begin() + first, all.begin() + last));
    }
}

TEST_CASE("the source for the run-time compiler has an entry for every entry of the list") {
  const std::string source = kernel_source();
  for (const EntryDescription& entry : entry_table()) {
    CAPTURE(entry.name);
    CHECK(source.find("CHORD_ENTRY " + entry.name + "(") != std::string::npos);
  }
  CHECK(source.find("#include \"") == std::string::npos);
}

TEST_CASE("an operation's number is that of its entry for the device") {
  const auto is = [](int number, const char* name) { return entry_table()[number].name == name; };
  using kernels::Devices;
  using kernels::entry_number;
  CHECK(is(entry_number<kernels::product, float>(Devices::cpu), "chord_product_f32_cpu"));
  CHECK(is(entry_number<kernels::product, float>(Devices::gpu), "chord_product_f32_gpu"));
  CHECK(is(entry_number<kernels::adam, double>(Devices::gpu), "chord_adam_f64"));
  CHECK(entry_number<kernels::fit_panels, double>(Devices::gpu) == -1);
}

TEST_CASE("a struct of arguments is made of its pointers and numbers, in order") {
  kernels::product::Arguments<float> arguments{};
  arguments.w = {nullptr, 1, 2, 3};
  arguments.links = {nullptr, 37, 6};
  arguments.columns = 9;
  std::vector<std::int64_t> numbers;
  const auto collect = [&](const auto& leaf) {
    if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(leaf)>>) numbers.push_back(std::int64_t(leaf));
  };
  kernels::for_each_leaf(arguments, collect);
  CHECK(numbers == std::vector<std::int64_t>{1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 37, 6, 0, 9});
  CHECK(numbers.size() + 5 ==
        entry_table()[kernels::entry_number<kernels::product, float>(kernels::Devices::cpu)].leaves.size());
}
