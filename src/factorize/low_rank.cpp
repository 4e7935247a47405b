#include "factorize/low_rank.hpp"

#include <cmath>

#include "device/launch.hpp"
#include "factorize/starts.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

/// z += left (rightᵀ v), for one sequence after the other. The two products are those of a linear layer's gradients.
template <class T>
void add_product(const Tensor& left, const Tensor& right, const Tensor& v, const Tensor& z) {
  const BatchShape shape = batch_shape("v", v);
  const std::int64_t rows = left.shape[0], columns = shape.columns, rank = left.shape[1];
  const auto& context = left.storage->shared_context();
  const Tensor middle = Tensor::create(context, left.type, {rank, columns}),
               unused = Tensor::create(context, left.type, {rank}),
               product = Tensor::create(context, left.type, {rows, columns});
  const auto queue = context->submit();
  for (std::int64_t s = 0; s < shape.sequences; ++s) {
    launch<kernels::dense_gradient_weights, T>(*queue, {.dout = right.data<T>(),
                                                        .in = view_of<const T>(v).sequence(std::size_t(s)),
                                                        .dweight = middle.data<T>(),
                                                        .dbias = unused.data<T>(),
                                                        .rows = shape.rows,
                                                        .ins = columns,
                                                        .outs = rank,
                                                        .accumulate = false});
    launch<kernels::dense_gradient_input, T>(*queue, {.dout = left.data<T>(),
                                                      .weight = middle.data<T>(),
                                                      .din = view_of<T>(product),
                                                      .rows = rows,
                                                      .ins = columns,
                                                      .outs = rank});
    launch<kernels::add_rows, T>(
        *queue, {.batch = {view_of<const T>(product), view_of<T>(z).sequence(std::size_t(s)), 1, rows, columns},
                 .accumulate = true});
  }
}

/// What the parameters of a side are multiplied by to become a column of u or v.
double column_scale(Constraint constraint, double diagonal, double scale) {
  const double both = diagonal * scale;  // shared by the sides
  return std::sqrt(constraint == Constraint::symmetric ? both / 2 : both);
}

double squares(const std::vector<double>& side, std::int64_t n, std::int64_t k) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += side[std::size_t(k * n + i)] * side[std::size_t(k * n + i)];
  return sum;
}

/// [rank, n] of a tensor [rows, rank]: 0 beyond its rows.
std::vector<double> side_of(const Tensor& tensor, std::int64_t n) {
  const std::int64_t rows = tensor.shape[0], rank = tensor.shape[1];
  const std::vector<double> values = to_float64(tensor);
  std::vector<double> side(std::size_t(rank * n), 0.0);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < rank; ++k) side[std::size_t(k * n + i)] = values[std::size_t(i * rank + k)];
  return side;
}

}  // namespace

std::shared_ptr<const LowRank> LowRank::of_parameters(const FitProblem& split, const std::vector<double>& sides,
                                                      double scale, DataType type) {
  const std::int64_t n = split.pattern->n(), rank = split.rank;
  const auto tensor = [&](std::int64_t number, std::int64_t rows) {
    const double* side = sides.data() + number * rank * n;
    std::vector<double> values(std::size_t(rows * rank));
    for (std::int64_t k = 0; k < rank; ++k)
      for (std::int64_t i = 0; i < rows; ++i)
        values[std::size_t(i * rank + k)] =
            side[k * n + i] * column_scale(split.constraint, split.scales[std::size_t(k)], scale);
    const Tensor made = Tensor::create(split.pattern->context(), type, {rows, rank});
    copy_from_host(values, made);
    return made;
  };
  const Tensor u = tensor(0, split.shape().rows);
  const bool one = split.constraint == Constraint::semidefinite;
  return std::make_shared<LowRank>(u, one ? u : tensor(1, split.shape().columns), split.constraint);
}

std::vector<double> LowRank::to_parameters(FitProblem& split, double row, double scale) const {
  const std::int64_t n = split.pattern->n(), rank = u_.shape[1];
  std::vector<double> all = side_of(u_, n), other = side_of(v_, n), sizes;
  for (std::int64_t k = 0; k < rank; ++k)
    sizes.push_back(std::sqrt(squares(all, n, k) * squares(other, n, k)) / scale *
                    (constraint_ == Constraint::symmetric ? 2 : 1));
  split.scales = split.stored_factors > 0 ? scales_beside(split, row, sizes) : std::vector<double>(sizes.size(), 1);
  if (constraint_ != Constraint::semidefinite) all.insert(all.end(), other.begin(), other.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] /= column_scale(constraint_, split.scales[i / std::size_t(n) % std::size_t(rank)], scale);
  return all;
}

std::vector<NamedPartTensor> LowRank::tensors() const {
  if (constraint_ == Constraint::semidefinite) return {{"u", u_}};
  return {{"u", u_}, {"v", v_}};
}

void LowRank::add(const Tensor& v, const Tensor& z, bool transposed) const {
  with_type(u_.type, [&](auto zero) {
    using T = decltype(zero);
    if (!transposed || constraint_ == Constraint::symmetric) add_product<T>(u_, v_, v, z);
    if (transposed || constraint_ == Constraint::symmetric) add_product<T>(v_, u_, v, z);
  });
}

}  // namespace chord
