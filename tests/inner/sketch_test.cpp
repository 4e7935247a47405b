// What a fit to an operator is made of: the randomised SVD beside LAPACK's whole one, and the sketched objective
// against finite differences and dense products.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "../difference.hpp"
#include "../finite_differences.hpp"
#include "../reference.hpp"
#include "device/devices.hpp"
#include "factorize/sketch_objective.hpp"
#include "factorize/sparse_operator.hpp"
#include "matrix/randomized_svd.hpp"
#include "matrix/truncated_svd.hpp"
#include "operations/copy.hpp"

using namespace chord;
using reference::Values;
using testing::difference;

namespace {

Values random_normals(std::size_t count, std::uint64_t seed) {
  const Random random(seed, 0);
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random.normal(i);
  return values;
}

Panel random_panel(std::int64_t n, std::int64_t columns, std::uint64_t seed) {
  Panel panel(n, columns);
  const Values values = random_normals(panel.values.size(), seed);
  panel.values.assign(values.begin(), values.end());
  return panel;
}

Values values_of(const Panel& panel) { return {panel.values.begin(), panel.values.end()}; }

class DenseOperator : public Operator {
 public:
  DenseOperator(std::int64_t n, Values values) : n_(n), values_(std::move(values)) {}
  std::int64_t n() const override { return n_; }
  void apply(const double* in, double* out, std::int64_t columns, bool transposed) const override {
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (std::int64_t j = 0; j < n_; ++j)
          sum += values_[std::size_t(transposed ? j * n_ + i : i * n_ + j)] * in[j * columns + c];
        out[i * columns + c] = sum;
      }
  }

 private:
  std::int64_t n_;
  Values values_;
};

/// ‖X − u vᵀ‖
double distance(std::int64_t n, const Values& x, const LowRankFactors& part) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double rest = x[std::size_t(i * n + j)];
      for (std::int64_t k = 0; k < part.u.columns; ++k) rest -= part.u.at(i, k) * part.v.at(j, k);
      sum += rest * rest;
    }
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("a randomised SVD is nearly the best approximation of its rank, and exact where the rank is enough") {
  const std::int64_t n = 90, rank = 7;
  Values x(std::size_t(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) x[std::size_t(i * n + j)] = 1 / (1 + std::abs(double(i - 2 * j)) / 4);
  const double best = truncated_svd(Matrix(DenseMatrix(n, x)), rank, nullptr, nullptr);
  const double found = distance(n, x, randomized_svd(DenseOperator(n, x), rank, 2, Random(1, 0)));
  CHECK(found >= best * (1 - 1e-12));
  CHECK(found < best * 1.01);

  const LowRankFactors low{random_panel(n, rank, 2), random_panel(n, rank, 3)};
  Values product(x.size());
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t k = 0; k < rank; ++k) product[std::size_t(i * n + j)] += low.u.at(i, k) * low.v.at(j, k);
  const DenseOperator operation(n, product);
  CHECK(distance(n, product, randomized_svd(operation, rank, 0, Random(1, 0))) < 1e-11);
  CHECK(distance(n, product, refined(operation, low, rank, Random(1, 0))) < 1e-11);
  Panel rest = random_signs(n, 5, 1, Random(4, 0));
  const Panel in = rest, made = operation.times(in, false);
  rest = made;
  subtract_product(low, in.values.data(), rest.values.data(), rest.columns);
  for (const double each : rest.values) CHECK(std::abs(each) < 1e-11);
}

TEST_CASE("a decomposition has the same bits wherever in memory it is made") {
  const std::int64_t n = 70, rank = 9;
  const Values x = random_normals(std::size_t(n * n), 5);
  const SingularVectors whole = singular_vectors(Matrix(DenseMatrix(n, x)), n);
  const LowRankFactors sketched = randomized_svd(DenseOperator(n, x), rank, 1, Random(1, 0));
  std::vector<std::unique_ptr<char[]>> others;
  for (std::size_t bytes = 8; bytes < 512; bytes += 24) {
    others.push_back(std::make_unique<char[]>(bytes));
    const SingularVectors again = singular_vectors(Matrix(DenseMatrix(n, x)), n);
    CHECK(again.values == whole.values);
    CHECK(again.left == whole.left);
    CHECK(again.right == whole.right);
    const LowRankFactors sketched_again = randomized_svd(DenseOperator(n, x), rank, 1, Random(1, 0));
    CHECK(sketched_again.u.values == sketched.u.values);
    CHECK(sketched_again.v.values == sketched.v.values);
  }
}

TEST_CASE("a product with many columns is that of its panels") {
  const std::int64_t n = 20, columns = 2 * Operator::widest + 3;
  const DenseOperator x(n, random_normals(std::size_t(n * n), 1));
  const Panel in = random_signs(n, columns, 0.5, Random(1, 1)), out = x.times(in, true);
  Panel expected(n, columns);
  x.apply(in.values.data(), expected.values.data(), columns, true);
  CHECK(out.values == expected.values);
}

TEST_CASE("a sparse matrix as an operator, on every device") {
  const std::int64_t n = 9;
  const SparseMatrix x(n, {{0, 0, 2.0}, {3, 8, -1.5}, {8, 3, 4.0}, {3, 1, 0.5}, {3, 1, 1.0}});
  Values values(std::size_t(n * n));
  Matrix(x).to_dense(values.data());
  const DenseOperator dense(n, values);
  const Panel in = random_signs(n, 6, 1, Random(5, 0));
  for (const DeviceDescription& device : devices()) {
    CAPTURE(device.selector);
    const SparseOperator sparse(Context::open(device.selector), x);
    for (const bool transposed : {false, true})
      CHECK(difference(values_of(sparse.times(in, transposed)), values_of(dense.times(in, transposed))) < 1e-14);
  }
}

TEST_CASE("the value and the gradient of a sketched objective") {
  const std::int64_t n = 12;
  for (const DeviceDescription& device : devices())
    for (const std::int64_t factors : {1, 3}) {
      CAPTURE(device.selector);
      CAPTURE(factors);
      const auto context = Context::open(device.selector);
      const auto offsets = chord_offsets(n, 2, 0);
      const FitProblem problem{std::make_shared<const Pattern>(context, n, offsets), nullptr, Constraint::none,
                               factors};
      SketchObjective<double> objective(problem, 2 * Operator::widest, [] {});
      const DenseOperator x(n, random_normals(std::size_t(n * n), 7));
      std::vector<Panel> ins, targets;
      for (std::int64_t number = 0; number < objective.panels(); ++number) {
        ins.push_back(random_signs(n, Operator::widest, 0.1, Random(8, std::uint64_t(number))));
        targets.push_back(x.times(ins.back(), false));
        objective.set_panel(number, ins.back(), targets.back());
      }
      const auto value = [&](const Values& weights) {
        const DenseOperator made(n, reference::chain_matrix(n, offsets, factors, weights.data()));
        double sum = 0;
        for (std::size_t k = 0; k < ins.size(); ++k) {
          const Panel product = made.times(ins[k], false);
          for (std::size_t i = 0; i < product.values.size(); ++i)
            sum += (product.values[i] - targets[k].values[i]) * (product.values[i] - targets[k].values[i]) / 2;
        }
        return sum;
      };
      const Values weights = random_normals(std::size_t(problem.weights()), 9);
      const Tensor at = Tensor::create(context, DataType::float64, {problem.weights()}),
                   gradient = Tensor::create(context, DataType::float64, {problem.weights()}),
                   squares = Tensor::create(context, DataType::float64, {objective.squares_count()});
      copy_from_host(weights, at);
      objective.keep_squares_at(squares.data<double>());
      for (int again = 0; again < 2; ++again) objective.evaluate(at.data<double>(), gradient.data<double>());
      double sum = 0;
      for (const double each : to_float64(squares)) sum += each / 2;
      CHECK(difference(sum, value(weights)) < 1e-12);
      const Values found = to_float64(gradient);
      for (std::size_t i = 0; i < found.size(); i += 7)
        CHECK(found[i] == doctest::Approx(testing::slope(value, weights, i, 1e-5)).epsilon(1e-6));
    }
}
