// What a fit does where its caller says nothing, and what it refuses.
#include "factorize/fit_options.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "common/error.hpp"

using namespace chord;

namespace {

/// A device without float64.
class SingleQueue final : public Queue {
 public:
  SingleQueue() { description_.has_float64 = false; }
  const DeviceDescription& device() const override { return description_; }
  void* allocate(std::size_t bytes) override { return std::malloc(bytes); }
  void release(void* memory) noexcept override { std::free(memory); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void run(int, Grid, const void* const*) override {}
  void wait() override {}

 private:
  DeviceDescription description_;
};

FitProblem problem_of(const Matrix& matrix, Constraint constraint = Constraint::none, std::int64_t factors = 0) {
  const auto context = Context::open("host");
  const auto pattern = std::make_shared<const Pattern>(context, matrix.n(), chord_offsets(matrix.n(), 2, 0));
  return splits_of(pattern, &matrix, constraint, {0, factors, 0, 0}).front();
}

Matrix ones(std::int64_t n) { return Matrix(DenseMatrix(n, std::vector<double>(std::size_t(n * n), 1))); }

template <class Body>
std::string refusal(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "it was taken";
}

}  // namespace

TEST_CASE("zeros become the defaults that chord.h promises") {
  const Matrix x = ones(16);
  const FitProblem problem = problem_of(x);
  const FitOptions found = FitOptions().completed(problem);
  CHECK(found.iterations == std::numeric_limits<std::int64_t>::max());
  CHECK(std::isinf(found.seconds));
  CHECK(found.gradient_tolerance == 1e-10);
  CHECK(found.improvement_tolerance == 1e-4);
  CHECK(found.checkpoint_seconds == 2);
  CHECK(found.callback_seconds == 0.1);
  FitOptions single;
  single.type = DataType::float32;
  CHECK(single.completed(problem).gradient_tolerance == 1e-6);
  CHECK(!found.whole_time);
}

TEST_CASE("several starts of every kind where they are cheap, one where not; never more than a thousand") {
  const Matrix small = ones(16), large = ones(256);
  CHECK(FitOptions().completed(problem_of(small)).starts == 12);
  CHECK(FitOptions().completed(problem_of(large)).starts == 3);
  FitOptions many;
  many.starts = 5000;
  CHECK(many.completed(problem_of(small)).starts == 1000);
}

TEST_CASE("what is given stays") {
  FitOptions given;
  given.starts = 5;
  given.iterations = 6;
  given.seconds = 7;
  given.gradient_tolerance = 0.1;
  const Matrix x = ones(4);
  const FitOptions found = given.completed(problem_of(x));
  CHECK(found.starts == 5);
  CHECK(found.iterations == 6);
  CHECK(found.seconds == 7);
  CHECK(found.gradient_tolerance == 0.1);
  CHECK(!found.whole_time);
  given.gradient_tolerance = 0;
  CHECK(given.completed(problem_of(x)).whole_time);
}

TEST_CASE("values that make no sense are refused by their names in chord.h") {
  const Matrix x = ones(4);
  const FitProblem problem = problem_of(x);
  FitOptions starts, seconds;
  starts.starts = -1;
  seconds.seconds = std::nan("");
  CHECK(refusal([&] { starts.completed(problem); }) == "restarts is -1; expected 0 or more");
  CHECK(refusal([&] { seconds.completed(problem); }) == "seconds is nan; expected 0 or more");
  CHECK(refusal([&] { problem_of(x, Constraint::none, -2); }) == "factors is -2; expected -1 or more");
}

TEST_CASE("factors are stored once for each use: half of them where the product is P Pᵀ") {
  const Matrix x = ones(16), one = ones(1);
  CHECK(problem_of(x).stored_factors == 4);
  CHECK(problem_of(x, Constraint::semidefinite).stored_factors == 2);
  CHECK(problem_of(x, Constraint::semidefinite, 5).stored_factors == 3);
  CHECK(problem_of(one).stored_factors == 1);
}

TEST_CASE("a fit is refused where the device has no float64, whatever it is to be stored as") {
  const Matrix x = ones(4);
  const auto context = std::make_shared<Context>(std::make_unique<SingleQueue>());
  const auto pattern = std::make_shared<const Pattern>(context, 4, chord_offsets(4, 2, 0));
  const FitProblem problem = splits_of(pattern, &x, Constraint::none, {}).front();
  for (const DataType type : {DataType::float64, DataType::float32}) {
    FitOptions options;
    options.type = type;
    CHECK(refusal([&] { options.completed(problem); }).find("the device has no float64") == 0);
  }
}

TEST_CASE("matrix and pattern must be of one size") {
  const Matrix x = ones(4);
  const auto pattern = std::make_shared<const Pattern>(Context::open("host"), 5, chord_offsets(5, 2, 0));
  CHECK(refusal([&] { splits_of(pattern, &x, Constraint::none, {}); }) == "the matrix has n = 4, the pattern n = 5");
}

TEST_CASE("numbers are split between factors and a low rank, and nothing is spent twice") {
  const Matrix x = ones(16);  // five links: a factor has 80 numbers, a column of each side 32
  const auto pattern = std::make_shared<const Pattern>(Context::open("host"), 16, chord_offsets(16, 2, 0));
  REQUIRE(pattern->links() == 5);
  const auto split = [&](const PartsWanted& wanted, Constraint constraint = Constraint::none) {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const FitProblem& each : splits_of(pattern, &x, constraint, wanted)) {
      found.emplace_back(each.stored_factors, each.rank);
      if (wanted.numbers > 0) CHECK(each.parameters() + 2 * each.entries <= wanted.numbers);
    }
    return found;
  };
  using Found = std::vector<std::pair<std::int64_t, std::int64_t>>;
  CHECK(split({}) == Found{{4, 0}});
  CHECK(split({.rank = 3}) == Found{{4, 3}});
  CHECK(split({.factors = no_part, .rank = 3}) == Found{{0, 3}});
  CHECK(split({.numbers = 320}) == Found{{4, 0}, {2, 5}, {1, 7}, {0, 10}});
  CHECK(split({.numbers = 320, .entries = 10}) == Found{{3, 1}, {2, 4}, {1, 6}, {0, 9}});
  CHECK(split({.numbers = 320, .factors = 3}) == Found{{3, 2}});
  CHECK(split({.numbers = 320, .rank = 3}) == Found{{2, 3}});
  CHECK(split({.numbers = 320, .rank = no_part}) == Found{{4, 0}});
  CHECK(split({.numbers = 320, .factors = no_part}) == Found{{0, 10}});
  CHECK(split({.numbers = 79}) == Found{{0, 2}});
  CHECK(split({.numbers = 10000, .factors = no_part}) == Found{{0, 16}});
  CHECK(split({.numbers = 160}, Constraint::semidefinite) == Found{{2, 0}, {1, 5}, {0, 10}});
  CHECK(split({.numbers = 320}, Constraint::stochastic) == Found{{4, 0}});

  CHECK(refusal([&] { split({.numbers = 31}); }) ==
        "numbers is 31; expected at least 80 for a factor, or 32 for a column of each side of a low rank");
  CHECK(refusal([&] { split({.numbers = 100, .factors = 2}); }) == "numbers is 100; the parts asked for have 160");
  CHECK(refusal([&] { split({.rank = 17}); }) == "rank is 17; expected at most n, 16");
  CHECK(refusal([&] { split({.entries = 257}); }) == "entries is 257; expected at most n², 256");
  CHECK(refusal([&] { split({.factors = no_part, .rank = no_part}); }).find("nothing is left") != std::string::npos);
  CHECK(refusal([&] { split({.rank = 1}, Constraint::nonnegative); }).find("a low rank under the constraint") == 0);
  CHECK(refusal([&] { split({.entries = 1}, Constraint::symmetric); }).find("single entries under the") == 0);
}

TEST_CASE("a sparse matrix that is too large to be made dense is known by its products, unless there is a constraint") {
  const std::int64_t n = 5000;
  const Matrix x(SparseMatrix(n, {{0, 0, 1.0}}));
  const auto pattern = std::make_shared<const Pattern>(Context::open("host"), n, chord_offsets(n, 2, 0));
  const PartsWanted numbers{.numbers = 10 * n * pattern->links()};
  CHECK(by_products(splits_of(pattern, &x, Constraint::none, numbers).front()));
  CHECK(splits_of(pattern, &x, Constraint::none, numbers).size() > 1);
  const Splits found = splits_of(pattern, &x, Constraint::symmetric, numbers);
  REQUIRE(found.size() == 1);
  CHECK(found[0].stored_factors == 10);
  CHECK(!by_products(found[0]));
  CHECK(refusal([&] { splits_of(pattern, &x, Constraint::symmetric, {.rank = 1}); }).find("not made dense") !=
        std::string::npos);
  CHECK(refusal([&] { splits_of(pattern, &x, Constraint::none, {.entries = 1}); }).find("single entries of an") == 0);
  CHECK(refusal([&] { splits_of(pattern, nullptr, Constraint::symmetric, {}); }).find("factors of an operator") == 0);
}
