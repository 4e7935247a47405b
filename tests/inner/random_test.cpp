// Random numbers are what they were in version 0.1: Philox, and every use with the stream it has always had.
#include "common/random.hpp"

#include <doctest/doctest.h>

#include "common/streams.hpp"
#include "data/batch_plan.hpp"
#include "factorize/starts.hpp"
#include "nn/parameters.hpp"
#include "nn/presets.hpp"

using namespace chord;

namespace {

constexpr std::uint64_t seed = 0x123456789abcdef0;

/// Random numbers by the stream's bare number, as files of version 0.1 were made with.
Random stream(std::uint64_t number) { return Random(seed, number); }

bool same(const Random& a, const Random& b) { return a.block(5) == b.block(5); }

std::shared_ptr<const Dataset> dataset(const char* task, Split split) {
  DatasetRequest request;
  request.task = task;
  request.split = split;
  request.length = 4;
  request.count = 100;
  request.seed = seed;
  return open_dataset(request);
}

}  // namespace

TEST_CASE("Philox gives the numbers its authors published") {
  using Block = Random::Block;
  CHECK(Random(0, 0).block(0) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(Random(0x299f31d0a4093822, 0x0370734413198a2e).block(0x85a308d3243f6a88) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("every use of random numbers has the stream it always had") {
  CHECK(same(random_of(Stream::starts, seed, 7), stream(7)));
  CHECK(same(random_of(Stream::hops, seed, 7), stream(0x100000007)));
  CHECK(same(random_of(Stream::parameters, seed), stream(0x706172616d)));
  CHECK(same(random_of(Stream::adding, seed, 2, 9), stream(0xda01000200000009)));
  CHECK(same(random_of(Stream::order, seed, 1, 9), stream(0xda02000100000009)));
  CHECK(same(random_of(Stream::shuffle, seed, 3), stream(0xda03000000000003)));
}

TEST_CASE("the starts of a fit draw from streams 0, 1, 2, …") {
  const Matrix x(DenseMatrix(4, std::vector<double>(16, 1)));
  const auto context = Context::open("host");
  const FitProblem problem{std::make_shared<const Pattern>(context, 4, std::vector<std::int64_t>{0, 1}), &x,
                           Constraint::none, 2};
  for (const std::int64_t number : {0, 3}) {
    const std::vector<double> found = start_parameters(problem, seed, number);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == doctest::Approx((1 + 0.1 * stream(std::uint64_t(number)).normal(i)) / 2).epsilon(1e-14));
  }
}

TEST_CASE("a model's parameters start as they did") {
  const ModelDescription description = ModelDescription::parse(preset_json("order"));
  const ParameterList list(description);
  const std::vector<double> found = initial_parameters(description, list, seed);
  const Random random = stream(0x706172616d);
  CHECK(found[0] == random.normal(0));
  const Parameter& last = list.all.back();
  const std::int64_t place = last.offset + last.count - 1;
  CHECK(found[std::size_t(place)] == (2 * random.uniform(std::uint64_t(place)) - 1) * last.start.bound);
}

TEST_CASE("generated sequences are drawn as they were") {
  float pairs[4][2], label;
  dataset("adding", Split::test)->read(9, pairs, &label);
  const Random::Block bits = stream(0xda01000200000009).block(1);
  for (int i = 0; i < 4; ++i) CHECK(pairs[i][0] == doctest::Approx(bits[std::size_t(i)] * 0x1p-31 - 1).epsilon(1e-6));
}

TEST_CASE("sequences are shuffled as they were") {
  BatchOptions options;
  options.batch = 100;
  options.seed = seed;
  options.epoch = 3;
  options.shuffle = true;
  const BatchPlan plan(dataset("order", Split::train), options);
  std::vector<std::int64_t> expected(100);
  for (int i = 0; i < 100; ++i) expected[std::size_t(i)] = i;
  const Random random = stream(0xda03000000000003);
  for (std::size_t left = 100; left > 1; --left)
    std::swap(expected[left - 1], expected[Random::integer_of(random.block(left), 0, std::uint32_t(left))]);
  for (std::int64_t i = 0; i < 100; ++i) CHECK(plan.sequence(0, i) == expected[std::size_t(i)]);
}

TEST_CASE("uses that share a stream are found") {
  using namespace streams;
  const Use wide{Stream::hops, 10}, inside{Stream(std::uint64_t(Stream::hops) + 9), 1},
      behind{Stream(std::uint64_t(Stream::hops) + 10), 1};
  CHECK_FALSE(apart(wide, inside));
  CHECK_FALSE(apart(inside, wide));
  CHECK(apart(wide, behind));
  // The third layer's dropout.
  const Use layers{Stream::dropout, most_steps, layer_stride, 3}, third{Stream(2 * layer_stride + 5), 1};
  CHECK_FALSE(apart(layers, third));
  CHECK_FALSE(apart(third, layers));
  CHECK(apart({Stream::dropout, most_steps, layer_stride, 2}, third));
}
