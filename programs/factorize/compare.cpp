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
  auto out = info.precision == 64 ? chord::Tensor::empty<double>(context, {info.rows, info.columns})
                                  : chord::Tensor::empty<float>(context, {info.rows, info.columns});
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

Extent extent_of(const chord_factorization_info& fit) { return {fit.rows, fit.columns}; }

/// z += left rightᵀ
void add_product(Extent extent, int64_t rank, const std::vector<double>& left, const std::vector<double>& right,
                 std::vector<double>& z) {
  for (int64_t i = 0; i < extent.rows; ++i)
    for (int64_t k = 0; k < rank; ++k)
      for (int64_t j = 0; j < extent.columns; ++j)
        z[i * extent.columns + j] += left[i * rank + k] * right[j * rank + k];
}

std::vector<double> low_rank_matrix(const chord::Factorization& factorization, int64_t rank) {
  const auto fit = factorization.info();
  const auto u = values_of(factorization.tensor("u"), fit.precision);
  const bool one = fit.constraint == CHORD_CONSTRAINT_SEMIDEFINITE;
  const auto v = one ? u : values_of(factorization.tensor("v"), fit.precision);
  std::vector<double> matrix(static_cast<std::size_t>(fit.rows * fit.columns));
  add_product(extent_of(fit), rank, u, v, matrix);
  if (fit.constraint == CHORD_CONSTRAINT_SYMMETRIC) add_product(extent_of(fit), rank, v, u, matrix);
  return matrix;
}

std::vector<double> entries_matrix(const chord::Factorization& factorization) {
  const auto fit = factorization.info();
  const auto rows = factorization.tensor("entry_rows").to_host<int32_t>();
  const auto columns = factorization.tensor("entry_columns").to_host<int32_t>();
  const auto values = values_of(factorization.tensor("entry_values"), fit.precision);
  std::vector<double> matrix(static_cast<std::size_t>(fit.rows * fit.columns));
  for (std::size_t k = 0; k < values.size(); ++k) matrix[rows[k] * fit.columns + columns[k]] += values[k];
  return matrix;
}

/// Each as a matrix; what the factors make is what the others leave of the sum.
std::vector<PartPicture> part_pictures(const chord::Factorization& factorization, const std::vector<double>& sum,
                                       Reduction reduction) {
  const PartSizes parts = sizes_of(factorization.parts());
  const Extent extent = extent_of(factorization.info());
  if (parts.factors_alone() || parts.low_rank_alone()) return {};
  std::vector<PartPicture> pictures;
  std::vector<double> rest = sum;
  if (parts.rank > 0) {
    const auto matrix = low_rank_matrix(factorization, parts.rank);
    rest = difference(rest, matrix);
    pictures.push_back({"The low rank, " + std::to_string(parts.rank), reduced(extent, matrix, reduction)});
  }
  if (parts.entries > 0) {
    const auto matrix = entries_matrix(factorization);
    rest = difference(rest, matrix);
    pictures.push_back({"S, the single entries", reduced(extent, matrix, Reduction::largest)});
  }
  if (parts.factors > 0) pictures.push_back({"What the factors make", reduced(extent, rest, reduction)});
  return pictures;
}

/// Whether X̂ is the product itself.
bool is_product(int32_t constraint) {
  return constraint != CHORD_CONSTRAINT_SYMMETRIC && constraint != CHORD_CONSTRAINT_SEMIDEFINITE;
}

Raster density_of(Extent extent, const std::vector<double>& x) {
  Canvas canvas(extent);
  for (int64_t row = 0; row < extent.rows; ++row) canvas.add(row, &x[row * extent.columns]);
  return canvas.density();
}

// What is added to a view is added to a copy: it fails as a whole, and a picture never comes without the others.

/// All but the TSVD. Entries that are few are shown one by one.
View with_matrices(View view, const chord_matrix_info& info, const chord::Factorization& factorization,
                   const std::vector<double>& x, const std::vector<double>& sf) {
  const Extent extent{info.rows, info.columns};
  const bool sparse = double(info.nonzeros) < 0.1 * double(info.rows) * double(info.columns);
  const auto residual = difference(x, sf);
  view.reduction = sparse ? Reduction::largest : Reduction::mean;
  view.x = reduced(extent, x, view.reduction);
  view.sf = reduced(extent, sf, view.reduction);
  view.residual = reduced(extent, residual, view.reduction);
  view.parts = part_pictures(factorization, sf, view.reduction);
  if (view.x.block > 1 && sparse) view.density = density_of(extent, x);
  const auto fit = factorization.info();
  if (info.rows == info.columns && is_product(fit.constraint) && sizes_of(factorization.parts()).factors_alone())
    view.streak = find_streak(info.n, residual, factorization.pattern().offsets(), fit.factors);
  return view;
}

Tsvd truncated_svd(const chord::Matrix& matrix, int64_t rank) {
  Tsvd tsvd{rank, 0};
  chord::check(chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, nullptr, nullptr));
  return tsvd;
}

/// The same, with what a report shows of it.
Tsvd truncated_svd(const chord::Matrix& matrix, int64_t rank, const std::vector<double>& x,
                   const std::vector<double>& sf, std::optional<View>& shown) {
  const chord_matrix_info info = matrix.info();
  View view = *shown;
  const Extent extent{info.rows, info.columns};
  Tsvd tsvd{rank, 0};
  std::vector<double> approximation(x.size()), singular_values(std::size_t(std::min(info.rows, info.columns)));
  chord::check(
      chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, singular_values.data(), approximation.data()));
  view.tsvd = reduced(extent, approximation, view.reduction);
  view.tsvd_residual = reduced(extent, difference(x, approximation), view.reduction);
  view.x_singular_values = std::move(singular_values);
  view.sf_singular_values = chord::Matrix::rectangle(info.rows, info.columns, sf).singular_values();
  shown = std::move(view);
  return tsvd;
}

/// Where X is too large for all of its singular values: a randomised one, its error as a large fit's is found.
Tsvd randomised_svd(const chord::Matrix& matrix, const chord::Factorization& factorization) {
  const auto fit = factorization.info();
  chord_factorize_options options = chord::factorize_options();
  options.factors = CHORD_NO_PART;
  options.rank = tsvd_rank(fit, fit.nonzeros);
  options.seed = fit.seed;
  return {options.rank, chord::Factorization::fit(factorization.pattern(), matrix, options).info().error};
}

/// A few rows of X̂ at a time.
std::vector<double> rows_of(chord::Context& context, const chord::Factorization& factorization,
                            const std::vector<int64_t>& numbers) {
  const auto info = factorization.info();
  const chord::Shape shape = {int64_t(numbers.size()), info.columns};
  auto out =
      info.precision == 64 ? chord::Tensor::empty<double>(context, shape) : chord::Tensor::empty<float>(context, shape);
  factorization.rows(numbers, out);
  return values_of(out, info.precision);
}

/// The matrices without ever making one dense, for those that are too large. Of X̂, whose rows take the time, some of
/// those are made that a point stands for.
View with_rows(View view, chord::Context& context, const chord::Matrix& matrix,
               const chord::Factorization& factorization) {
  constexpr int64_t at_once = 32, rows_of_point = 8;
  const Extent extent = extent_of(factorization.info());
  const auto columns = std::size_t(extent.columns);
  Canvas x(extent), sf(extent), residual(extent);
  for (int64_t row = 0; row < extent.rows; ++row) x.add(row, matrix.rows({row}).data());
  view.rows_apart = (x.largest().block + rows_of_point - 1) / rows_of_point;
  for (int64_t begin = 0; begin < extent.rows; begin += at_once * view.rows_apart) {
    std::vector<int64_t> numbers;
    for (int64_t row = begin; row < std::min(begin + at_once * view.rows_apart, extent.rows); row += view.rows_apart)
      numbers.push_back(row);
    const auto fitted = rows_of(context, factorization, numbers), missed = difference(matrix.rows(numbers), fitted);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      sf.add(numbers[k], &fitted[k * columns]);
      residual.add(numbers[k], &missed[k * columns]);
    }
  }
  view.reduction = Reduction::largest;
  view.x = x.largest();
  view.sf = sf.largest();
  view.residual = residual.largest();
  if (view.x.block > 1 && is_sparse(matrix.info())) view.density = x.density();
  return view;
}

/// Row by row, so that X need not be dense.
RowSums row_sums(const chord::Matrix& matrix) {
  RowSums sums{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int64_t number = 0; number < matrix.info().rows; ++number) {
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
      attempt(name, "pictures", [&] { comparison.view = with_rows(*comparison.view, context, matrix, factorization); });
    if (matrix.info().sparse && fit.n > largest_dense && fit.constraint == CHORD_CONSTRAINT_NONE)
      attempt(name, "randomised SVD to compare with", [&] { comparison.tsvd = randomised_svd(matrix, factorization); });
    return comparison;
  }
  std::vector<double> x, sf;
  if (comparison.view)
    attempt(name, "pictures", [&] {
      x = matrix.to_dense();
      sf = dense(context, factorization);
      comparison.view = with_matrices(*comparison.view, matrix.info(), factorization, x, sf);
    });
  attempt(name, "truncated SVD to compare with", [&] {
    const int64_t published = std::min({fit.rows, fit.columns, (fit.factors * fit.factors + 1) / 2});
    const int64_t rank = wanted.paper ? published : tsvd_rank(fit, fit.nonzeros);
    const bool seen = comparison.view && comparison.view->has_matrices();
    comparison.tsvd = seen ? truncated_svd(matrix, rank, x, sf, comparison.view) : truncated_svd(matrix, rank);
  });
  return comparison;
}

}  // namespace factorize
