#include "compare.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

#include "common/message.hpp"

namespace factorize {
namespace {

std::vector<double> values_of(const chord::Tensor& tensor, int32_t precision) {
  if (precision == 64) return tensor.to_host<double>();
  const auto values = tensor.to_host<float>();
  return std::vector<double>(values.begin(), values.end());
}

std::vector<double> dense(chord::Context& context, const chord::Factorization& factorization) {
  const auto info = factorization.info();
  auto out = info.precision == 64 ? chord::Tensor::empty<double>(context, {info.n, info.n})
                                  : chord::Tensor::empty<float>(context, {info.n, info.n});
  factorization.dense(out);
  return values_of(out, info.precision);
}

std::vector<Raster> factor_rasters(const chord::Factorization& factorization) {
  if (factorization.info().factors == 0) return {};
  const auto info = factorization.info();
  const auto offsets = factorization.pattern().offsets();
  const auto weights = values_of(factorization.weights(), info.precision);
  std::vector<Raster> rasters;
  for (std::size_t begin = 0; begin < weights.size(); begin += std::size_t(info.n * info.links))
    rasters.push_back(factor_raster(info.n, offsets, &weights[begin]));
  return rasters;
}

/// z += left rightᵀ
void add_product(int64_t n, int64_t rank, const std::vector<double>& left, const std::vector<double>& right,
                 std::vector<double>& z) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < rank; ++k)
      for (int64_t j = 0; j < n; ++j) z[i * n + j] += left[i * rank + k] * right[j * rank + k];
}

std::vector<double> low_rank_matrix(const chord::Factorization& factorization, int64_t rank) {
  const auto fit = factorization.info();
  const auto u = values_of(factorization.tensor("u"), fit.precision);
  const bool one = fit.constraint == CHORD_CONSTRAINT_SEMIDEFINITE;
  const auto v = one ? u : values_of(factorization.tensor("v"), fit.precision);
  std::vector<double> matrix(static_cast<std::size_t>(fit.n * fit.n));
  add_product(fit.n, rank, u, v, matrix);
  if (fit.constraint == CHORD_CONSTRAINT_SYMMETRIC) add_product(fit.n, rank, v, u, matrix);
  return matrix;
}

std::vector<double> entries_matrix(const chord::Factorization& factorization) {
  const auto fit = factorization.info();
  const auto rows = factorization.tensor("entry_rows").to_host<int32_t>();
  const auto columns = factorization.tensor("entry_columns").to_host<int32_t>();
  const auto values = values_of(factorization.tensor("entry_values"), fit.precision);
  std::vector<double> matrix(static_cast<std::size_t>(fit.n * fit.n));
  for (std::size_t k = 0; k < values.size(); ++k) matrix[rows[k] * fit.n + columns[k]] += values[k];
  return matrix;
}

/// Each as a matrix; what the factors make is what the others leave of the sum.
std::vector<PartPicture> part_pictures(const chord::Factorization& factorization, const std::vector<double>& sum,
                                       Reduction reduction) {
  const PartSizes parts = sizes_of(factorization.parts());
  const int64_t n = factorization.info().n;
  if (parts.factors_alone() || parts.low_rank_alone()) return {};
  std::vector<PartPicture> pictures;
  std::vector<double> rest = sum;
  if (parts.rank > 0) {
    const auto matrix = low_rank_matrix(factorization, parts.rank);
    rest = difference(rest, matrix);
    pictures.push_back({"The low rank, " + std::to_string(parts.rank), reduced(n, matrix, reduction)});
  }
  if (parts.entries > 0) {
    const auto matrix = entries_matrix(factorization);
    rest = difference(rest, matrix);
    pictures.push_back({"S, the single entries", reduced(n, matrix, Reduction::largest)});
  }
  if (parts.factors > 0) pictures.push_back({"What the factors make", reduced(n, rest, reduction)});
  return pictures;
}

/// Whether X̂ is the product itself.
bool is_product(int32_t constraint) {
  return constraint != CHORD_CONSTRAINT_SYMMETRIC && constraint != CHORD_CONSTRAINT_SEMIDEFINITE;
}

Raster density_of(int64_t n, const std::vector<double>& x) {
  Canvas canvas(n);
  for (int64_t row = 0; row < n; ++row) canvas.add(row, &x[row * n]);
  return canvas.density();
}

/// All but the TSVD. Entries that are few are shown one by one.
void show_matrices(View& view, const chord_matrix_info& info, const chord::Factorization& factorization,
                   const std::vector<double>& x, const std::vector<double>& sf) {
  const bool sparse = double(info.nonzeros) < 0.1 * double(info.n) * double(info.n);
  const auto residual = difference(x, sf);
  view.reduction = sparse ? Reduction::largest : Reduction::mean;
  view.x = reduced(info.n, x, view.reduction);
  view.sf = reduced(info.n, sf, view.reduction);
  view.residual = reduced(info.n, residual, view.reduction);
  view.parts = part_pictures(factorization, sf, view.reduction);
  if (view.x.block > 1 && sparse) view.density = density_of(info.n, x);
  const auto fit = factorization.info();
  if (is_product(fit.constraint) && sizes_of(factorization.parts()).factors_alone())
    view.streak = find_streak(info.n, residual, factorization.pattern().offsets(), fit.factors);
}

Tsvd truncated_svd(const chord::Matrix& matrix, int64_t rank) {
  Tsvd tsvd{rank, 0};
  chord::check(chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, nullptr, nullptr));
  return tsvd;
}

/// The same, with what a report shows of it.
Tsvd truncated_svd(const chord::Matrix& matrix, int64_t rank, const std::vector<double>& x,
                   const std::vector<double>& sf, View& view) {
  const int64_t n = matrix.info().n;
  Tsvd tsvd{rank, 0};
  std::vector<double> approximation(x.size()), singular_values(static_cast<std::size_t>(n));
  chord::check(
      chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, singular_values.data(), approximation.data()));
  view.tsvd = reduced(n, approximation, view.reduction);
  view.tsvd_residual = reduced(n, difference(x, approximation), view.reduction);
  view.x_singular_values = std::move(singular_values);
  view.sf_singular_values = chord::Matrix::dense(n, sf).singular_values();
  return tsvd;
}

/// Where X is too large for all of its singular values: a randomised one, its error as a large fit's is found.
Tsvd randomised_svd(const chord::Matrix& matrix, const chord::Factorization& factorization) {
  const auto fit = factorization.info();
  chord_factorize_options options = chord::factorize_options();
  options.factors = CHORD_NO_PART;
  options.rank = tsvd_rank(fit.n, fit.nonzeros);
  options.seed = fit.seed;
  return {options.rank, chord::Factorization::fit(factorization.pattern(), matrix, options).info().error};
}

/// A few rows of X̂ at a time.
std::vector<double> rows_of(chord::Context& context, const chord::Factorization& factorization,
                            const std::vector<int64_t>& numbers) {
  const auto info = factorization.info();
  const chord::Shape shape = {int64_t(numbers.size()), info.n};
  auto out =
      info.precision == 64 ? chord::Tensor::empty<double>(context, shape) : chord::Tensor::empty<float>(context, shape);
  factorization.rows(numbers, out);
  return values_of(out, info.precision);
}

/// The matrices without ever making one dense, for those that are too large.
void show_by_rows(View& view, chord::Context& context, const chord::Matrix& matrix,
                  const chord::Factorization& factorization) {
  constexpr int64_t at_once = 32;
  const int64_t n = matrix.info().n;
  Canvas x(n), sf(n), residual(n);
  for (int64_t begin = 0; begin < n; begin += at_once) {
    std::vector<int64_t> numbers(std::size_t(std::min(at_once, n - begin)));
    std::iota(numbers.begin(), numbers.end(), begin);
    const auto given = matrix.rows(numbers), fitted = rows_of(context, factorization, numbers);
    const auto missed = difference(given, fitted);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      x.add(numbers[k], &given[k * std::size_t(n)]);
      sf.add(numbers[k], &fitted[k * std::size_t(n)]);
      residual.add(numbers[k], &missed[k * std::size_t(n)]);
    }
  }
  view.reduction = Reduction::largest;
  view.x = x.largest();
  view.sf = sf.largest();
  view.residual = residual.largest();
  if (view.x.block > 1 && is_sparse(matrix.info())) view.density = x.density();
}

/// Row by row, so that X need not be dense.
RowSums row_sums(const chord::Matrix& matrix) {
  RowSums sums{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int64_t number = 0; number < matrix.info().n; ++number) {
    const auto row = matrix.rows({number});
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    sums = {std::min(sums.lowest, sum), std::max(sums.highest, sum)};
  }
  return sums;
}

template <class Work>
void attempt(const std::string& name, const char* what, Work work) {
  try {
    work();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: no %s: %s\n", name.c_str(), what, program::message_of(problem));
  }
}

}  // namespace

Comparison compare(chord::Context& context, const chord::Matrix& matrix, const chord::Factorization& factorization,
                   const std::string& name, Wanted wanted) {
  Comparison comparison;
  const auto fit = factorization.info();
  if (wanted.view)
    attempt(name, "pictures of the factors",
            [&] { comparison.view.emplace().factors = factor_rasters(factorization); });
  if (fit.constraint == CHORD_CONSTRAINT_STOCHASTIC)
    attempt(name, "sums of rows", [&] { comparison.row_sums = row_sums(matrix); });
  if (!wanted.dense || fit.n > largest_dense) {
    if (comparison.view)
      attempt(name, "pictures", [&] { show_by_rows(*comparison.view, context, matrix, factorization); });
    if (matrix.info().sparse && fit.n > largest_dense && fit.constraint == CHORD_CONSTRAINT_NONE)
      attempt(name, "randomised SVD to compare with", [&] { comparison.tsvd = randomised_svd(matrix, factorization); });
    return comparison;
  }
  std::vector<double> x, sf;
  if (comparison.view)
    attempt(name, "pictures", [&] {
      x = matrix.to_dense();
      sf = dense(context, factorization);
      show_matrices(*comparison.view, matrix.info(), factorization, x, sf);
    });
  attempt(name, "truncated SVD to compare with", [&] {
    const int64_t published = std::min(fit.n, (fit.factors * fit.factors + 1) / 2);
    const int64_t rank = wanted.paper ? published : tsvd_rank(fit.n, fit.nonzeros);
    const bool seen = comparison.view && comparison.view->has_matrices();
    comparison.tsvd = seen ? truncated_svd(matrix, rank, x, sf, *comparison.view) : truncated_svd(matrix, rank);
  });
  return comparison;
}

}  // namespace factorize
