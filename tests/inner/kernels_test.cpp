#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "device/entry_table.hpp"
#include "device/launch.hpp"
#include "device/sycl/kernel_source.hpp"

using namespace chord;

namespace {

template <class T, int Width, int Count = Width>
void check_sums() {
  kernels::vector<T, Width> each[Count];
  kernels::vector<T, Count> sums;
  T expected[Count] = {};
  for (int v = 0; v < Count; ++v)
    for (int i = 0; i < Width; ++i) {
      each[v][i] = T(v * 100 + i);
      expected[v] += each[v][i];
    }
  kernels::sums_of<T>(each, sums);
  for (int v = 0; v < Count; ++v) CHECK(T(sums[v]) == expected[v]);
}

template <class T, int Width>
void check_first_values() {
  kernels::vector<T, Width> values;
  for (int i = 0; i < Width; ++i) values[i] = T(i + 1);
  for (int count = 0; count <= Width + 1; ++count) {
    T to[Width + 2] = {};
    kernels::store_first<Width>(to, values, count);
    for (int i = 0; i < Width + 2; ++i) CHECK(to[i] == (i < std::min(count, Width) ? T(i + 1) : T(0)));
  }
}

}  // namespace

TEST_CASE("the sums of several vectors come in their order") {
  check_sums<float, 1>();
  check_sums<float, 8>();
  check_sums<double, 1>();
  check_sums<double, 4>();
  check_sums<float, 8, 4>();
  check_sums<float, 16, 8>();
  check_sums<float, 16, 4>();
  check_sums<double, 4, 2>();
  check_sums<double, 8, 8>();
  check_sums<double, 8, 4>();
  check_sums<double, 8, 2>();
}

TEST_CASE("as many values of a vector are stored as there are, and none behind them") {
  check_first_values<float, 8>();
  check_first_values<float, 4>();
  check_first_values<double, 4>();
  check_first_values<double, 2>();
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

TEST_CASE("a GPU's work-items find their points without a division") {
  for (const Grid grid :
       {Grid{3, 5, 7}, {1, 1, 1}, {2, 1, 1}, {1, 2048, 2}, {40, 16384, 2}, {7, 1000003, 100}, {1, 1, 0x7fffffff}}) {
    const kernels::GridForGpu gpu(grid);
    CHECK(gpu.points == grid.points());
    std::vector<std::size_t> points{0, 1, gpu.points / 2, gpu.points / 3, gpu.points - 1};
    for (std::size_t i = 1; i < 1000; ++i) points.push_back(i * 2654435761 % gpu.points);
    for (std::size_t i = 1; i < 100 && i * grid.lanes <= gpu.points; ++i) points.push_back(i * grid.lanes - 1);
    for (const std::size_t point : points) {
      if (point >= gpu.points) continue;
      std::size_t found = SIZE_MAX;
      kernels::visit_point(point, gpu.points, gpu.shifts, gpu.rows, gpu.lanes,
                           [&](std::size_t s, std::size_t r, std::size_t l) {
                             REQUIRE(r < grid.rows);
                             REQUIRE(l < grid.lanes);
                             found = (s * grid.rows + r) * grid.lanes + l;
                           });
      REQUIRE(found == point);
    }
    kernels::visit_point(gpu.points, gpu.points, gpu.shifts, gpu.rows, gpu.lanes,
                         [](std::size_t, std::size_t, std::size_t) { FAIL("a point beyond the last"); });
  }
}

TEST_CASE("the source for the run-time compiler has an entry for every entry of the list") {
  const std::string source = kernel_source();
  for (const EntryDescription& entry : entry_table()) {
    CAPTURE(entry.name);
    const std::string form = entry.group ? "CHORD_GROUP_ENTRY(" + entry.name + "," : "CHORD_ENTRY " + entry.name + "(";
    CHECK(source.find(form) != std::string::npos);
  }
  CHECK(source.find("#include \"") == std::string::npos);
}

TEST_CASE("an operation's number is that of its entry for the device") {
  const auto is = [](int number, const char* name) { return entry_table()[number].name == name; };
  using kernels::Devices;
  using kernels::entry_number;
  CHECK(is(entry_number<kernels::product, float>(Devices::cpu), "chord_product_f32_cpu"));
  CHECK(is(entry_number<kernels::product, float>(Devices::gpu), "chord_product_f32_gpu"));
  CHECK(is(entry_number<kernels::adam, double>(Devices::gpu), "chord_adam_f64_gpu"));
  CHECK(entry_number<kernels::chain_gradient, double>(Devices::gpu) == -1);
  CHECK(entry_number<kernels::chain_local, double>(Devices::cpu) == -1);
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
  CHECK(numbers == std::vector<std::int64_t>{1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 37, 6, 0, 9, 0, 0, 0, 0, 0, 1});
  CHECK(numbers.size() + 6 ==
        entry_table()[kernels::entry_number<kernels::product, float>(kernels::Devices::cpu)].leaves.size());
}
