#include "compare.hpp"

#include <cstdio>
#include <utility>

namespace factorize {
namespace {

std::vector<double> dense(chord::Context& context, const chord::Factorization& factorization) {
  const auto info = factorization.info();
  if (info.precision == 64) {
    auto out = chord::Tensor::empty<double>(context, {info.n, info.n});
    factorization.dense(out);
    return out.to_host<double>();
  }
  auto out = chord::Tensor::empty<float>(context, {info.n, info.n});
  factorization.dense(out);
  const auto values = out.to_host<float>();
  return std::vector<double>(values.begin(), values.end());
}

/// The view without the TSVD. Entries that are few are shown one by one.
View make_view(const chord_matrix_info& info, const std::vector<double>& x, const std::vector<double>& sf) {
  const bool sparse = double(info.nonzeros) < 0.1 * double(info.n) * double(info.n);
  View view;
  view.reduction = sparse ? Reduction::largest : Reduction::mean;
  view.x = reduced(info.n, x, view.reduction);
  view.sf = reduced(info.n, sf, view.reduction);
  view.residual = reduced(info.n, difference(x, sf), view.reduction);
  return view;
}

Tsvd truncated_svd(const chord::Matrix& matrix) {
  Tsvd tsvd{tsvd_rank(matrix.info().n), 0};
  chord::check(chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, nullptr, nullptr));
  return tsvd;
}

/// The same, with what a report shows of it.
Tsvd truncated_svd(const chord::Matrix& matrix, const std::vector<double>& x, const std::vector<double>& sf,
                   View& view) {
  const int64_t n = matrix.info().n;
  Tsvd tsvd{tsvd_rank(n), 0};
  std::vector<double> approximation(x.size()), singular_values(static_cast<std::size_t>(n));
  chord::check(
      chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, singular_values.data(), approximation.data()));
  view.tsvd = reduced(n, approximation, view.reduction);
  view.tsvd_residual = reduced(n, difference(x, approximation), view.reduction);
  view.x_singular_values = std::move(singular_values);
  view.sf_singular_values = chord::Matrix::dense(n, sf).singular_values();
  return tsvd;
}

template <class Work>
void attempt(const std::string& name, const char* what, Work work) {
  try {
    work();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: no %s: %s\n", name.c_str(), what, problem.what());
  }
}

}  // namespace

Comparison compare(chord::Context& context, const chord::Matrix& matrix, const chord::Factorization& factorization,
                   const std::string& name, bool with_view) {
  Comparison comparison;
  if (matrix.info().n > largest_dense) return comparison;
  std::vector<double> x, sf;
  if (with_view)
    attempt(name, "pictures", [&] {
      x = matrix.to_dense();
      sf = dense(context, factorization);
      comparison.view = make_view(matrix.info(), x, sf);
    });
  attempt(name, "truncated SVD to compare with", [&] {
    comparison.tsvd = comparison.view ? truncated_svd(matrix, x, sf, *comparison.view) : truncated_svd(matrix);
  });
  return comparison;
}

}  // namespace factorize
