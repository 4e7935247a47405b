// Descents side by side: each goes the way that it goes alone, to the bit, on every device; what one finds does not
// depend on when others end, or fail.
#include "factorize/descents.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "common/random.hpp"
#include "device/devices.hpp"
#include "factorize/objective.hpp"
#include "operations/copy.hpp"

using namespace chord;

namespace {

using Values = std::vector<double>;

Values random_normals(std::size_t count, std::uint64_t seed) {
  const Random random(seed, 0);
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random.normal(i) / 3;
  return values;
}

struct Way {
  double value;
  Values parameters;
  bool operator==(const Way&) const = default;
};

/// Begins the first descents at these places.
void begin(Descents<double>& descents, const std::vector<Tensor>& starts) {
  std::vector<Coroutine<double>> beginnings;
  for (std::size_t i = 0; i < starts.size(); ++i)
    beginnings.push_back(descents.start(std::int64_t(i), starts[i].data<double>()));
  descents.run(std::move(beginnings));
}

/// Where descents from these starts come to, so many side by side; the first takes one iteration, the second two more …
std::vector<Way> ways_of(const FitProblem& problem, const std::vector<Tensor>& starts, std::int64_t together) {
  Objective<double> objective(problem, 1, together);
  Context& context = *problem.pattern->context();
  Descents<double> descents(objective, context, 3, [] { return false; });
  std::vector<Way> ways;
  for (std::size_t first = 0; first < starts.size(); first += std::size_t(together)) {
    const std::size_t count = std::min(starts.size() - first, std::size_t(together));
    begin(descents, {starts.begin() + std::ptrdiff_t(first), starts.begin() + std::ptrdiff_t(first + count)});
    std::vector<std::size_t> done(count);
    descents.iterate(count, [&](std::size_t i, bool lowered) { return lowered && done[i]++ < 1 + 2 * (first + i); });
    for (std::size_t i = 0; i < count; ++i) {
      Values parameters(std::size_t(problem.parameters()));
      context.submit()->copy(parameters.data(), descents.parameters(std::int64_t(i)),
                             parameters.size() * sizeof(double));
      context.wait();
      ways.push_back({descents[std::int64_t(i)].value(), parameters});
    }
  }
  return ways;
}

Coroutine<double> fail_after(Descents<double>* descents, std::int64_t number, Tensor from) {
  co_await descents->start(number, from.data<double>());
  throw std::runtime_error("enough");
}

}  // namespace

TEST_CASE("descents side by side go the way that each goes alone") {
  for (const DeviceDescription& device : devices()) {
    CAPTURE(device.selector);
    const auto context = Context::open(device.selector);
    const std::int64_t n = 11, count = 4;
    const Matrix x(DenseMatrix(n, random_normals(std::size_t(n * n), 1)));
    const auto pattern = std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, 0));
    for (const Constraint constraint : {Constraint::none, Constraint::stochastic, Constraint::semidefinite}) {
      CAPTURE(traits(constraint).name);
      const FitProblem problem{pattern, &x, constraint, 3};
      std::vector<Tensor> starts;
      for (std::int64_t i = 0; i < count; ++i) {
        starts.push_back(Tensor::create(context, DataType::float64, {problem.parameters()}));
        copy_from_host(random_normals(std::size_t(problem.parameters()), std::uint64_t(i + 2)).data(), starts.back());
      }
      if (!plan_fit(problem, sizeof(double)).fused) continue;
      const std::vector<Way> alone = ways_of(problem, starts, 1);
      for (std::size_t i = 1; i < alone.size(); ++i) CHECK(alone[i].value < 1e3);
      for (const std::int64_t together : {2, 3, 4}) CHECK(ways_of(problem, starts, together) == alone);
    }
  }
}

TEST_CASE("one that fails ends them all, and the next run begins anew") {
  const auto context = Context::open("host");
  const std::int64_t n = 5;
  const Matrix x(DenseMatrix(n, random_normals(std::size_t(n * n), 1)));
  const FitProblem problem{std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, 0)), &x, Constraint::none,
                           2};
  const Tensor start = Tensor::create(context, DataType::float64, {problem.parameters()});
  copy_from_host(random_normals(std::size_t(problem.parameters()), 2).data(), start);
  Objective<double> objective(problem, 1, 2);
  Descents<double> descents(objective, *context, 3, [] { return false; });
  begin(descents, {start, start});
  int asked = 0;
  const auto fail_later = [&](std::size_t i, bool) {
    if (i == 1 && ++asked == 2) throw std::runtime_error("enough");
    return true;
  };
  CHECK_THROWS_WITH(descents.iterate(2, fail_later), "enough");
  std::vector<Coroutine<double>> tasks;
  tasks.push_back(descents.start(0, start.data<double>()));
  tasks.push_back(fail_after(&descents, 1, start));
  CHECK_THROWS_WITH(descents.run(std::move(tasks)), "enough");
  begin(descents, {start, start});
  int done = 0;
  descents.iterate(2, [&](std::size_t i, bool) { return i == 1 && done++ < 3; });
  CHECK(descents[1].value() == ways_of(problem, {start, start}, 1)[1].value);
}
