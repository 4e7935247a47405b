#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "device/devices.hpp"
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
  for (int v = 0; v < Width; ++v) {
    const T found = sums[v];  // clang makes no reference to a vector's element
    CHECK(found == expected[v]);
  }
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
      kernels::visit(first, last, rows, lanes,
                     [&](std::size_t s, std::size_t r, std::size_t l) { seen.emplace_back(s, r, l); });
      REQUIRE(seen == decltype(all)(all.begin() + first, all.begin() + last));
    }
}

TEST_CASE("the source for the run-time compiler has an entry for every kernel") {
  const std::string source = kernel_source();
  int count = 0;
#define CHORD_CHECK_ENTRY(name, ...)                                       \
  CHECK(source.find("CHORD_ENTRY chord_" #name "(") != std::string::npos); \
  CHECK(kernel_number<&kernels::__VA_ARGS__>() == count++);
  CHORD_KERNELS_ALL(CHORD_CHECK_ENTRY)
  CHECK(source.find("#include \"") == std::string::npos);
}

TEST_CASE("the kernels for GPUs give the same result as those for CPUs") {
  // Run by the host way, which has every kernel of the list: what a GPU would compute, point by point.
  const auto queue = open_device("host");
  const std::int32_t n = 37, links = 6, d = 11;
  const std::int32_t offsets[links] = {0, 1, 2, 4, 8, 16};
  std::vector<float> w(n * links), v(n * d), a(n * d), b(n * d), da(n * links), db(n * links);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = float(i % 13) - 6;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = float(i % 7) - 3;
  const float* none = nullptr;
  launch<&kernels::product<float, 4, 1, 1, false>>(*queue, Grid{1, n, 3}, w.data(), 0, links, v.data(), 0, d, a.data(),
                                                   0, d, none, 0, 0, offsets, n, links, d, 1, 4);
  launch<&kernels::product<float, 8, 1, 4, false>>(*queue, Grid{1, 10, 2}, w.data(), 0, links, v.data(), 0, d, b.data(),
                                                   0, d, none, 0, 0, offsets, n, links, d, 4, 8);
  CHECK(a == b);
  launch<&kernels::product<float, 4, 1, 1, true>>(*queue, Grid{1, n, 3}, w.data(), 0, links, v.data(), 0, d, a.data(),
                                                  0, d, none, 0, 0, offsets, n, links, d, 1, 4);
  launch<&kernels::product<float, 8, 1, 4, true>>(*queue, Grid{1, 10, 2}, w.data(), 0, links, v.data(), 0, d, b.data(),
                                                  0, d, none, 0, 0, offsets, n, links, d, 4, 8);
  CHECK(a == b);
  launch<&kernels::product_weights<float, 1, 1>>(*queue, Grid{1, n, links}, a.data(), 0, d, v.data(), 0, d, da.data(),
                                                 0, links, 0, 1, offsets, n, links, d, 1, 1);
  launch<&kernels::product_weights<float, 8, 4>>(*queue, Grid{1, 10}, a.data(), 0, d, v.data(), 0, d, db.data(), 0,
                                                 links, 0, 1, offsets, n, links, d, 4, links);
  CHECK(da == db);
}
