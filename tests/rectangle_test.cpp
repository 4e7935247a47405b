// Matrices that are not square: the part of a square one that counts.
#include <algorithm>

#include "files.hpp"
#include "support.hpp"

using namespace testing;
using chord::Factorization;
using chord::Matrix;

namespace {

struct Extent {
  int64_t rows, columns;
  int64_t count() const { return rows * columns; }
  int64_t n() const { return std::max(rows, columns); }
};

constexpr Extent extents[] = {{9, 20}, {20, 9}, {1, 7}, {7, 1}};

double distance(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// X v, or Xᵀ v.
Values times(Extent x, const Values& values, int64_t d, const Values& v, bool transposed) {
  const int64_t outs = transposed ? x.columns : x.rows, ins = transposed ? x.rows : x.columns;
  Values z(std::size_t(outs * d));
  for (int64_t i = 0; i < outs; ++i)
    for (int64_t j = 0; j < ins; ++j)
      for (int64_t c = 0; c < d; ++c)
        z[std::size_t(i * d + c)] +=
            values[std::size_t(transposed ? j * x.columns + i : i * x.columns + j)] * v[std::size_t(j * d + c)];
  return z;
}

Values dense_of(Context& context, const Factorization& fit) {
  Tensor out = Tensor::empty<double>(context, {fit.info().rows, fit.info().columns});
  fit.dense(out);
  return values_of<double>(out);
}

/// Applied to vectors and batches, transposed, by rows: always what the dense form says.
void check_uses(Context& context, Extent x, const Factorization& fit) {
  CHECK(fit.info().rows == x.rows);
  CHECK(fit.info().columns == x.columns);
  CHECK(fit.info().n == x.n());
  const Values dense = dense_of(context, fit);
  for (const bool back : {false, true}) {
    const int64_t ins = back ? x.rows : x.columns, outs = back ? x.columns : x.rows, d = 3;
    const Values v = random_values(std::size_t(2 * ins * d), 4);
    Tensor z = Tensor::empty<double>(context, {2, outs, d});
    const Tensor in = tensor<double>(context, {2, ins, d}, v);
    if (back)
      fit.apply_transposed(in, z);
    else
      fit.apply(in, z);
    const auto middle = v.begin() + std::ptrdiff_t(v.size() / 2);
    Values expected = times(x, dense, d, Values(v.begin(), middle), back);
    const Values second = times(x, dense, d, Values(middle, v.end()), back);
    expected.insert(expected.end(), second.begin(), second.end());
    CHECK(difference(values_of<double>(z), expected) < 1e-12);
    if (x.rows == x.columns) continue;
    Tensor wrong = Tensor::empty<double>(context, {2, ins, d});
    expect(chord_factorization_apply(fit.get(), in.get(), wrong.get(), back ? 1 : 0), CHORD_ERROR_INVALID_SHAPE, "z");
  }
  Tensor row = Tensor::empty<double>(context, {1, x.columns});
  fit.rows({x.rows - 1}, row);
  CHECK(difference(values_of<double>(row), Values(dense.end() - x.columns, dense.end())) < 1e-12);
  Tensor beyond = Tensor::empty<double>(context, {1, x.columns});
  expect(chord_factorization_rows(fit.get(), &x.rows, 1, beyond.get()), CHORD_ERROR_INVALID_ARGUMENT,
         "there is no row");
}

}  // namespace

TEST_CASE("a matrix that is not square keeps its values, in memory and in files") {
  const Values values = {1, 2, 3, 4, 0, 6};
  const Matrix x = Matrix::rectangle(2, 3, values);
  CHECK(x.info().n == 3);
  CHECK(x.info().rows == 2);
  CHECK(x.info().columns == 3);
  CHECK(x.info().stored == 6);
  CHECK(x.info().nonzeros == 5);
  CHECK(x.info().symmetric == 0);
  CHECK(x.to_dense() == values);
  CHECK(x.rows({1}) == Values{4, 0, 6});
  CHECK(x.singular_values().size() == 2);
  const files::Folder folder;
  const auto read = [&](const std::string& content) {
    files::save(folder / "x", content);
    return Matrix::read(folder / "x").to_dense();
  };
  CHECK(read("%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n0\n3\n6\n") == values);
  CHECK(read("%%MatrixMarket matrix coordinate real general\n2 3 5\n1 1 1\n1 2 2\n1 3 3\n2 1 4\n2 3 6\n") == values);
  CHECK(read(files::npy("<f8", "(2, 3)", files::bytes(values))) == values);
  CHECK(read(files::npy("<f8", "(2, 3)", files::bytes<double>({1, 4, 2, 0, 3, 6}), 1, "True")) == values);
  chord_matrix* out = nullptr;
  const int64_t rows[] = {0, 1}, columns[] = {2, 0};
  const double entries[] = {5, 7};
  REQUIRE(chord_matrix_create_sparse_rectangle(2, 3, 2, rows, columns, entries, &out) == CHORD_SUCCESS);
  double dense[6];
  REQUIRE(chord_matrix_to_dense(out, dense, sizeof dense) == CHORD_SUCCESS);
  CHECK(Values(dense, dense + 6) == Values{0, 0, 5, 7, 0, 0});
  chord_matrix_destroy(out);
  expect(chord_matrix_create_sparse_rectangle(2, 3, 2, columns, rows, entries, &out), CHORD_ERROR_INVALID_ARGUMENT,
         "expected 0 to 1, and 0 to 2");
  expect(chord_matrix_create_rectangle(0, 3, entries, &out), CHORD_ERROR_INVALID_SHAPE, "0 × 3; a matrix is expected");
}

TEST_CASE("the truncated SVD of a matrix that is not square is the best of its rank") {
  for (const Extent x : extents) {
    const Values values = random_values(std::size_t(x.count()), 3);
    const Matrix matrix = Matrix::rectangle(x.rows, x.columns, values);
    const Values sizes = matrix.singular_values();
    REQUIRE(int64_t(sizes.size()) == std::min(x.rows, x.columns));
    double error = 0, rest = 0;
    Values best(values.size());
    REQUIRE(chord_matrix_truncated_svd(matrix.get(), 1, &error, nullptr, best.data()) == CHORD_SUCCESS);
    for (std::size_t k = 1; k < sizes.size(); ++k) rest += sizes[k] * sizes[k];
    CHECK(difference(error, std::sqrt(rest)) < 1e-12);
    CHECK(std::abs(distance(values, best) - error) < 1e-12);
    expect(chord_matrix_truncated_svd(matrix.get(), int64_t(sizes.size()) + 1, &error, nullptr, nullptr),
           CHORD_ERROR_INVALID_ARGUMENT, "the shorter side");
  }
}

TEST_CASE("what is beyond a matrix that is not square does not count, whatever the parts") {
  on_every_device([](Context& context) {
    for (const Extent x : extents)
      for (const int32_t constraint : {CHORD_CONSTRAINT_NONE, CHORD_CONSTRAINT_NONNEGATIVE})
        for (const bool parts : {false, true}) {
          if (parts && constraint != CHORD_CONSTRAINT_NONE) continue;
          CAPTURE(x.rows);
          CAPTURE(x.columns);
          CAPTURE(constraint);
          CAPTURE(parts);
          const Values values = random_values(std::size_t(x.count()), 2);
          auto how = chord::factorize_options();
          how.iterations = 30;
          how.constraint = constraint;
          how.factors = 2;
          if (parts) how.rank = how.entries = 1;
          const Factorization fit =
              Factorization::fit(Pattern::chord(context, x.n()), Matrix::rectangle(x.rows, x.columns, values), how);
          CHECK(std::abs(distance(values, dense_of(context, fit)) - fit.info().error) < 1e-10);
          check_uses(context, x, fit);
          const int64_t links = fit.info().links;
          CHECK(fit.info().nonzeros == 2 * x.n() * links + (parts ? x.rows + x.columns + 2 : 0));
          const files::Folder folder;
          fit.save(folder / "x.safetensors");
          const Factorization again = Factorization::load(context, folder / "x.safetensors");
          CHECK(dense_of(context, again) == dense_of(context, fit));
          check_uses(context, x, again);
          how.resume = again.get();
          const Factorization more =
              Factorization::fit(Pattern::chord(context, x.n()), Matrix::rectangle(x.rows, x.columns, values), how);
          CHECK(more.info().error <= fit.info().error * (1 + 1e-9) + 1e-12);
        }
  });
}

TEST_CASE("parts of a matrix that is not square are recovered; numbers are split, never worse than the SVD") {
  Context context("host");
  const Extent x{40, 64};
  Values values(std::size_t(x.count()));
  const Values u = random_values(std::size_t(x.rows), 1), v = random_values(std::size_t(x.columns), 2),
               band = random_values(std::size_t(x.rows), 3);
  for (int64_t i = 0; i < x.rows; ++i)
    for (int64_t j = 0; j < x.columns; ++j)
      values[std::size_t(i * x.columns + j)] =
          u[std::size_t(i)] * v[std::size_t(j)] + (j == i || j == i + 16 ? band[std::size_t(i)] : 0);
  const Matrix matrix = Matrix::rectangle(x.rows, x.columns, values);
  const Pattern pattern = Pattern::chord(context, x.n());
  auto how = chord::factorize_options();
  how.factors = how.rank = 1;
  how.iterations = 2000;
  CHECK(Factorization::fit(pattern, matrix, how).info().relative_error < 1e-6);
  how.factors = how.rank = 0;
  how.numbers = 3 * 64 * 7;
  const auto found = Factorization::fit(pattern, matrix, how).info();
  CHECK(found.nonzeros <= how.numbers);
  double svd = 0;
  REQUIRE(chord_matrix_truncated_svd(matrix.get(), how.numbers / (40 + 64 + 1), &svd, nullptr, nullptr) ==
          CHORD_SUCCESS);
  CHECK(found.error <= svd);
}

TEST_CASE("a sparse matrix that is not square is fitted, alone or made dense beside a low rank") {
  Context context("host");
  std::vector<int64_t> rows, columns;
  Values entries, values(20 * 33);
  for (int64_t k = 0; k < 60; ++k) {
    rows.push_back(k * 7 % 20);
    columns.push_back(k * 11 % 33);
    entries.push_back(double(k % 5) - 1.5);
    values[std::size_t(rows.back() * 33 + columns.back())] += entries.back();
  }
  chord_matrix* sparse = nullptr;
  REQUIRE(chord_matrix_create_sparse_rectangle(20, 33, 60, rows.data(), columns.data(), entries.data(), &sparse) ==
          CHORD_SUCCESS);
  for (const int64_t rank : {0, 1}) {
    auto how = chord::factorize_options();
    how.iterations = 40;
    how.factors = 2;
    how.rank = rank;
    chord_factorization* found = nullptr;
    REQUIRE(chord_factorize(Pattern::chord(context, 33).get(), sparse, &how, &found) == CHORD_SUCCESS);
    Tensor dense = Tensor::empty<double>(context, {20, 33});
    REQUIRE(chord_factorization_dense(found, dense.get()) == CHORD_SUCCESS);
    chord_factorization_info info = CHORD_FACTORIZATION_INFO_INIT;
    REQUIRE(chord_factorization_get_info(found, &info) == CHORD_SUCCESS);
    CHECK(info.relative_error < 1);
    CHECK(std::abs(distance(values, values_of<double>(dense)) - info.error) < 1e-10);
    chord_factorization_destroy(found);
  }
  chord_matrix_destroy(sparse);
}

TEST_CASE("what needs a square matrix says so") {
  Context context("host");
  const Matrix matrix = Matrix::rectangle(3, 5, random_values(15, 1));
  chord_factorization* out = nullptr;
  auto how = chord::factorize_options();
  how.iterations = 5;
  const Pattern pattern = Pattern::chord(context, 5), short_one = Pattern::chord(context, 3);
  for (const int32_t constraint :
       {CHORD_CONSTRAINT_STOCHASTIC, CHORD_CONSTRAINT_SYMMETRIC, CHORD_CONSTRAINT_SEMIDEFINITE}) {
    how.constraint = constraint;
    expect(chord_factorize(pattern.get(), matrix.get(), &how, &out), CHORD_ERROR_UNSUPPORTED, "3 rows and 5 columns");
  }
  how.constraint = CHORD_CONSTRAINT_NONE;
  expect(chord_factorize(short_one.get(), matrix.get(), &how, &out), CHORD_ERROR_INVALID_SHAPE, "a longer side n = 5");
  how.rank = 4;
  expect(chord_factorize(pattern.get(), matrix.get(), &how, &out), CHORD_ERROR_INVALID_ARGUMENT, "the shorter side, 3");
  how.rank = 0;
  const Factorization fit = Factorization::fit(pattern, matrix, how);
  chord_chain* chain = nullptr;
  expect(chord_factorization_get_chain(fit.get(), &chain), CHORD_ERROR_UNSUPPORTED, "a chain is square");
  how.resume = fit.get();
  const Matrix turned = Matrix::rectangle(5, 3, random_values(15, 1));
  expect(chord_factorize(pattern.get(), turned.get(), &how, &out), CHORD_ERROR_INVALID_ARGUMENT, "has rows: 3");
  CHECK(out == nullptr);
}
