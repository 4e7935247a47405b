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

Coroutine<double> iterate(Descents<double>* descents, std::int64_t number, Tensor from, int iterations) {
  co_await descents->start(number, from.data<double>());
  for (int done = 0; done < iterations; ++done)
    if (!co_await (*descents)[number].iterate()) break;
  co_return (*descents)[number].value();
}

/// Where descents from these starts come to, so many side by side; the first takes one iteration, the second two more …
std::vector<Way> ways_of(const FitProblem& problem, const std::vector<Tensor>& starts, std::int64_t together) {
  Objective<double> objective(problem, 1, together);
  Context& context = *problem.pattern->context();
  Descents<double> descents(objective, context, 3, [] { return false; });
  std::vector<Way> ways;
  for (std::size_t first = 0; first < starts.size(); first += std::size_t(together)) {
    const std::size_t count = std::min(starts.size() - first, std::size_t(together));
    std::vector<Coroutine<double>> tasks;
    for (std::size_t i = 0; i < count; ++i)
      tasks.push_back(iterate(&descents, std::int64_t(i), starts[first + i], 1 + 2 * int(first + i)));
    const Values values = descents.run(std::move(tasks));
    for (std::size_t i = 0; i < count; ++i) {
      Values parameters(std::size_t(problem.parameters()));
      context.submit()->copy(parameters.data(), descents.parameters(std::int64_t(i)),
                             parameters.size() * sizeof(double));
      context.wait();
      ways.push_back({values[i], parameters});
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
  std::vector<Coroutine<double>> tasks;
  tasks.push_back(iterate(&descents, 0, start, 1000000));
  tasks.push_back(fail_after(&descents, 1, start));
  CHECK_THROWS_WITH(descents.run(std::move(tasks)), "enough");
  const double value = descents.run(iterate(&descents, 1, start, 3));
  CHECK(value == ways_of(problem, {start, start}, 1)[1].value);
}
