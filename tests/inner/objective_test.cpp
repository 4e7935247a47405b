// The objective of a fit and its gradient: against dense matrices and finite differences, for every constraint and
// protocol, as one launch and step by step, for dense and sparse X.
#include "factorize/objective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../difference.hpp"
#include "../finite_differences.hpp"
#include "../reference.hpp"
#include "common/random.hpp"
#include "device/devices.hpp"
#include "instruction_sets.hpp"
#include "operations/copy.hpp"

using namespace chord;
using reference::Offsets;
using reference::Values;
using testing::difference;
using testing::on_every_instruction_set;

namespace {

constexpr Constraint constraints[] = {Constraint::none, Constraint::nonnegative, Constraint::stochastic,
                                      Constraint::symmetric, Constraint::semidefinite};

Values random_normals(std::size_t count, std::uint64_t seed) {
  const Random random(seed, 0);
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random.normal(i);
  return values;
}

/// The weights that parameters mean.
Values weights_of(Constraint constraint, std::size_t links, const Values& parameters) {
  if (traits(constraint).weights == kernels::weights_free) return parameters;
  Values w = parameters;
  for (double& value : w) value *= value;
  if (constraint == Constraint::stochastic)
    for (std::size_t row = 0; row < w.size(); row += links) {
      const double sum = std::accumulate(w.begin() + row, w.begin() + row + links, 0.0);
      for (std::size_t k = 0; k < links; ++k) w[row + k] /= sum;
    }
  return w;
}

/// X̂ from the parameters of its factors, as a dense matrix.
Values approximation(Constraint constraint, std::int64_t n, const Offsets& offsets, std::int64_t factors,
                     const Values& parameters) {
  const Values w = weights_of(constraint, offsets.size(), parameters);
  const Values p = reference::chain_matrix(n, offsets, factors, w.data());
  if (traits(constraint).form == kernels::form_product) return p;
  Values result(p.size(), 0.0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double& entry = result[std::size_t(i * n + j)];
      if (constraint == Constraint::symmetric) entry = (p[std::size_t(i * n + j)] + p[std::size_t(j * n + i)]) / 2;
      if (constraint == Constraint::semidefinite)
        for (std::int64_t k = 0; k < n; ++k) entry += p[std::size_t(i * n + k)] * p[std::size_t(j * n + k)];
    }
  return result;
}

double half_squares(const Values& a, const Values& b, double scale) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i] / scale) * (a[i] - b[i] / scale);
  return sum / 2;
}

struct Evaluation {
  double value;
  Values gradient;
};

template <class T>
Evaluation evaluate(const FitProblem& problem, double scale, std::optional<FitPlan> plan, const Values& parameters) {
  Context& context = *problem.pattern->context();
  Objective<T> objective(problem, scale, 1, plan);
  const DataType type = sizeof(T) == 4 ? DataType::float32 : DataType::float64;
  const Tensor at = Tensor::create(problem.pattern->context(), type, {problem.parameters()});
  const Tensor gradient = Tensor::create(problem.pattern->context(), type, {problem.parameters()});
  std::vector<T> typed(parameters.begin(), parameters.end());
  copy_from_host(typed.data(), at);
  objective.evaluate(at.data<T>(), gradient.data<T>());
  copy_to_host(gradient, typed.data());
  Values squares(std::size_t(objective.squares_count()));
  context.submit()->copy(squares.data(), objective.squares(), squares.size() * sizeof(double));
  context.wait();
  return {std::accumulate(squares.begin(), squares.end(), 0.0) / 2, Values(typed.begin(), typed.end())};
}

struct Case {
  std::int64_t n;
  Offsets offsets;
};

std::vector<Case> protocols() {
  std::vector<Case> cases;
  for (const std::int64_t n : {1, 2, 3, 17, 40}) {
    cases.push_back({n, chord_offsets(n, 2, 0)});
    cases.push_back({n, chord_offsets(n, 3, 4)});
    cases.push_back({n, symmetric_chord_offsets(n, 2, 0)});
    cases.push_back({n, {0, 0, -5, 3 * n + 1, 7}});  // repeated, negative, beyond n
  }
  return cases;
}

SparseMatrix sparse_of(std::int64_t n, const Values& x) {
  std::vector<SparseMatrix::Entry> entries;
  for (std::int64_t i = 0; i < n * n; ++i)
    if (x[std::size_t(i)] != 0) entries.push_back({std::int32_t(i / n), std::int32_t(i % n), x[std::size_t(i)]});
  return {n, entries};
}

void check_against_dense(const std::shared_ptr<Context>& context) {
  for (const auto& [n, offsets] : protocols())
    for (const Constraint constraint : constraints)
      for (const std::int64_t factors : {1, 2, 3}) {
        const std::int64_t size = n, links = std::int64_t(offsets.size());
        CAPTURE(size);
        CAPTURE(links);
        CAPTURE(traits(constraint).name);
        CAPTURE(factors);
        const Matrix x(DenseMatrix(n, random_normals(std::size_t(n * n), 1)));
        const FitProblem problem{std::make_shared<const Pattern>(context, n, offsets), &x, constraint, factors};
        const double scale = 1.5;
        const Values parameters = random_normals(std::size_t(problem.parameters()), 2);
        const auto value = [&](const Values& at) {
          return half_squares(approximation(constraint, n, offsets, factors, at), x.dense()->values, scale);
        };
        const Evaluation found = evaluate<double>(problem, scale, {}, parameters);
        CHECK(difference(found.value, value(parameters)) < 1e-12);
        // A few parameters each, central differences.
        for (std::size_t i = 0; i < parameters.size(); i += 1 + parameters.size() / 7) {
          const double expected = testing::slope(value, parameters, i, 1e-5);
          CHECK(found.gradient[i] == doctest::Approx(expected).epsilon(1e-6).scale(value(parameters)));
        }
      }
}

/// The low-rank part of X̂, of the parameters behind those of the factors.
Values low_rank(const FitProblem& problem, const Values& parameters) {
  const std::size_t n = std::size_t(problem.pattern->n()), rank = std::size_t(problem.rank);
  const double* u = parameters.data() + problem.weights();
  const double* v = problem.constraint == Constraint::semidefinite ? u : u + rank * n;
  Values result(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < rank; ++k) {
        const double straight = u[k * n + i] * v[k * n + j], turned = v[k * n + i] * u[k * n + j];
        result[i * n + j] +=
            problem.scales[k] * (problem.constraint == Constraint::symmetric ? (straight + turned) / 2 : straight);
      }
  return result;
}

void check_low_rank(const std::shared_ptr<Context>& context) {
  for (const std::int64_t n : {1, 2, 3, 17, 40})
    for (const Constraint constraint : {Constraint::none, Constraint::symmetric, Constraint::semidefinite})
      for (const std::int64_t rank : {1, 3, 7}) {
        if (rank > n) continue;
        const std::int64_t size = n, columns = rank, factors = 2;
        CAPTURE(size);
        CAPTURE(traits(constraint).name);
        CAPTURE(columns);
        const Offsets offsets = chord_offsets(n, 2, 0);
        const Matrix x(DenseMatrix(n, random_normals(std::size_t(n * n), 1)));
        FitProblem problem{std::make_shared<const Pattern>(context, n, offsets), &x, constraint, factors, rank};
        for (std::int64_t k = 0; k < rank; ++k) problem.scales.push_back(0.5 + double(k));
        const Values parameters = random_normals(std::size_t(problem.parameters()), 2);
        const auto value = [&](const Values& at) {
          Values sum = low_rank(problem, at);
          const Values weights(at.begin(), at.begin() + problem.weights());
          const Values product = approximation(constraint, n, offsets, factors, weights);
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += product[i];
          return half_squares(sum, x.dense()->values, 1.5);
        };
        const Evaluation found = evaluate<double>(problem, 1.5, {}, parameters);
        CHECK(difference(found.value, value(parameters)) < 1e-12);
        for (std::size_t i = 0; i < parameters.size(); i += 1 + parameters.size() / 23) {
          const double expected = testing::slope(value, parameters, i, 1e-5);
          CHECK(found.gradient[i] == doctest::Approx(expected).epsilon(1e-6).scale(value(parameters)));
        }
        const Evaluation single = evaluate<float>(problem, 1.5, {}, parameters);
        CHECK(difference(single.value, found.value) < 1e-4);
        CHECK(difference(single.gradient, found.gradient) < 1e-4);
      }
}

/// X is not square: what is beyond it counts for nothing, and a low rank stays out of there.
void check_rectangles(const std::shared_ptr<Context>& context) {
  for (const MatrixShape shape : {MatrixShape{9, 17}, MatrixShape{17, 9}, MatrixShape{40, 1}})
    for (const std::int64_t rank : {0, 1}) {
      const std::int64_t n = shape.n(), factors = 3;
      CAPTURE(shape.rows);
      CAPTURE(shape.columns);
      CAPTURE(rank);
      const Offsets offsets = chord_offsets(n, 2, 0);
      const Matrix x(DenseMatrix(shape, random_normals(std::size_t(shape.rows * shape.columns), 1)));
      FitProblem problem{std::make_shared<const Pattern>(context, n, offsets), &x, Constraint::none, factors, rank};
      problem.scales.assign(std::size_t(rank), 0.7);
      Values parameters = random_normals(std::size_t(problem.parameters()), 2);
      std::vector<std::size_t> fixed;  // beyond X
      for (std::int64_t k = 0; k < rank * n; ++k) {
        const auto u = std::size_t(problem.weights() + k), v = std::size_t(problem.weights() + rank * n + k);
        if (k % n >= shape.rows) fixed.push_back(u);
        if (k % n >= shape.columns) fixed.push_back(v);
      }
      for (const std::size_t place : fixed) parameters[place] = 0;
      const auto value = [&](const Values& at) {
        Values sum = low_rank(problem, at);
        const Values weights(at.begin(), at.begin() + problem.weights());
        const Values product = approximation(Constraint::none, n, offsets, factors, weights);
        for (std::int64_t i = 0; i < n * n; ++i) {
          const bool inside = i / n < shape.rows && i % n < shape.columns;
          sum[std::size_t(i)] = inside ? sum[std::size_t(i)] + product[std::size_t(i)] : 0;
        }
        return half_squares(sum, x.dense()->values, 1.5);
      };
      for (const bool fused : {true, false}) {
        FitPlan plan = plan_fit(problem, sizeof(double));
        if (!fused) plan = {false, 8, 1};
        const Evaluation found = evaluate<double>(problem, 1.5, plan, parameters);
        CHECK(difference(found.value, value(parameters)) < 1e-12);
        for (const std::size_t place : fixed) CHECK(found.gradient[place] == 0);
        for (std::size_t i = 0; i < parameters.size(); i += 1 + parameters.size() / 23) {
          if (std::find(fixed.begin(), fixed.end(), i) != fixed.end()) continue;
          const double expected = testing::slope(value, parameters, i, 1e-5);
          CHECK(found.gradient[i] == doctest::Approx(expected).epsilon(1e-6).scale(value(parameters)));
        }
      }
    }
}

}  // namespace

TEST_CASE("value and gradient of a matrix that is not square agree with dense matrices and finite differences") {
  on_every_instruction_set(check_rectangles);
  for (const DeviceDescription& device : devices()) {
    if (device.kind == DeviceKind::host) continue;
    CAPTURE(device.selector);
    check_rectangles(Context::open(device.selector));
  }
}

TEST_CASE("value and gradient of factors beside a low rank agree with dense matrices and finite differences") {
  on_every_instruction_set(check_low_rank);
  for (const DeviceDescription& device : devices()) {
    if (device.kind == DeviceKind::host) continue;
    CAPTURE(device.selector);
    check_low_rank(Context::open(device.selector));
  }
}

TEST_CASE("single entries are taken off a matrix, dense or sparse, before it is fitted") {
  const auto context = Context::open("host");
  const std::int64_t n = 5;
  Values values = random_normals(25, 1);
  const Matrix dense(DenseMatrix(n, values)), sparse(sparse_of(n, values));
  values[7] -= 3;
  const Matrix changed(DenseMatrix(n, values));
  const auto pattern = std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, 0));
  const FitProblem expected{pattern, &changed, Constraint::none, 2};
  const Values parameters = random_normals(std::size_t(expected.parameters()), 2);
  const Tensor at = Tensor::create(context, DataType::float64, {expected.parameters()});
  const Tensor gradient = Tensor::create(context, DataType::float64, {expected.parameters()});
  copy_from_host(parameters.data(), at);
  for (const Matrix* matrix : {&dense, &sparse}) {
    Objective<double> objective({pattern, matrix, Constraint::none, 2, 0, 1}, 2);
    objective.set_entries({{1, 2, 1.5}});
    objective.evaluate(at.data<double>(), gradient.data<double>());
    CHECK(difference(to_float64(gradient), evaluate<double>(expected, 2, {}, parameters).gradient) < 1e-14);
  }
}

TEST_CASE("value and gradient agree with dense matrices and finite differences") {
  on_every_instruction_set(check_against_dense);
  for (const DeviceDescription& device : devices()) {
    if (device.kind == DeviceKind::host) continue;
    CAPTURE(device.selector);
    check_against_dense(Context::open(device.selector));
  }
}

TEST_CASE("every plan gives the same value and gradient, for dense and sparse matrices") {
  on_every_instruction_set([](const std::shared_ptr<Context>& context) {
    for (const auto& [n, offsets] : protocols())
      for (const Constraint constraint : constraints) {
        const std::int64_t size = n, factors = 3;
        CAPTURE(size);
        CAPTURE(traits(constraint).name);
        Values values = random_normals(std::size_t(n * n), 3);
        for (std::size_t i = 0; i < values.size(); ++i)
          if (i % 3 != 0) values[i] = 0;
        const Matrix dense(DenseMatrix(n, values)), sparse(sparse_of(n, values));
        const auto pattern = std::make_shared<const Pattern>(context, n, offsets);
        const FitProblem problem{pattern, &dense, constraint, factors};
        const Values parameters = random_normals(std::size_t(problem.parameters()), 4);
        const Evaluation expected = evaluate<double>(problem, 2, {}, parameters);
        // The one stochastic number is 1, whatever the parameters: their gradient is rounding.
        const bool constant = n == 1 && constraint == Constraint::stochastic;
        const auto check = [&](const Evaluation& found, double tolerance) {
          CHECK(difference(found.value, expected.value) < tolerance);
          if (constant)
            for (const double each : found.gradient) CHECK(std::abs(each) < tolerance);
          else
            CHECK(difference(found.gradient, expected.gradient) < tolerance);
        };
        const FitProblem other{pattern, &sparse, constraint, factors};
        for (const FitPlan plan : {FitPlan{true, 4, 1}, {true, 16, 3}, {true, 64, 2}, {false, 8, 1}, {false, 64, 1}}) {
          check(evaluate<double>(problem, 2, plan, parameters), 1e-12);
          check(evaluate<double>(other, 2, plan, parameters), 1e-12);
        }
        check(evaluate<double>(other, 2, {}, parameters), 1e-12);
        check(evaluate<float>(problem, 2, {}, parameters), 1e-4);
        check(evaluate<float>(other, 2, FitPlan{false, 8, 1}, parameters), 1e-4);
      }
  });
}

TEST_CASE("an objective evaluated again and again gives what a fresh one does") {
  for (const DeviceDescription& device : devices()) {
    CAPTURE(device.selector);
    const auto context = Context::open(device.selector);
    const std::int64_t n = 17;
    const Matrix x(DenseMatrix(n, random_normals(std::size_t(n * n), 1)));
    for (const Constraint constraint : constraints) {
      CAPTURE(traits(constraint).name);
      const FitProblem problem{std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, 0)), &x, constraint, 3};
      Objective<double> objective(problem, 1.5);
      const Tensor at = Tensor::create(context, DataType::float64, {2, problem.parameters()});
      const Tensor gradient = Tensor::create(context, DataType::float64, {2, problem.parameters()});
      const auto row = [&](const Tensor& tensor, std::int64_t index) {
        return tensor.view({problem.parameters()}, {1}, index * problem.parameters());
      };
      for (unsigned round = 0; round < 8; ++round) {
        const Values parameters = random_normals(std::size_t(problem.parameters()), round);
        copy_from_host(parameters.data(), row(at, round / 4));
        objective.evaluate(row(at, round / 4).data<double>(), row(gradient, round / 4).data<double>());
        Values found(parameters.size()), squares(std::size_t(objective.squares_count()));
        copy_to_host(row(gradient, round / 4), found.data());
        context->submit()->copy(squares.data(), objective.squares(), squares.size() * sizeof(double));
        context->wait();
        const Evaluation fresh = evaluate<double>(problem, 1.5, {}, parameters);
        CHECK(found == fresh.gradient);
        CHECK(std::accumulate(squares.begin(), squares.end(), 0.0) / 2 == fresh.value);
      }
    }
  }
}

/// As processes cut X's columns into pieces, so do the workers of a launch.
TEST_CASE("a piece's columns are the same for its process and for its worker") {
  for (const std::int64_t columns : {1, 7, 256, 4095})
    for (const std::int64_t pieces : {1, 3, 8, 300})
      for (const std::int64_t first : {std::int64_t(0), pieces / 2}) {
        const FitPeers peers(pieces, first, pieces - first, {});
        for (std::int64_t piece = 0; piece < peers.own(); ++piece) {
          const kernels::PanelTurns turns({pieces, first}, std::size_t(piece), std::size_t(peers.own()), 8,
                                          std::size_t(columns));
          CHECK(std::int64_t(turns.first) == peers.first_column(piece, columns));
          CHECK(std::int64_t(turns.last) == peers.first_column(piece + 1, columns));
        }
      }
}

TEST_CASE("a plan covers every column and gives every worker something") {
  const auto context = Context::open("host");
  for (const std::int64_t n : {1, 2, 3, 17, 24, 100, 256, 257, 1000, 4097}) {
    const Matrix x(SparseMatrix(n, {}));
    const FitProblem problem{std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, 0)), &x, Constraint::none,
                             3};
    for (const std::size_t bytes : {4, 8}) {
      const FitPlan plan = plan_fit(problem, bytes);
      CHECK(plan.panel >= 1);
      CHECK(plan.workers >= 1);
      CHECK((plan.workers - 1) * plan.panel < n);
    }
  }
}
