#include "factorize/factorization.hpp"

#include <algorithm>

#include "device/launch.hpp"
#include "factorize/low_rank.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {

Factorization::Factorization(const std::shared_ptr<const Pattern>& pattern, MatrixShape shape,
                             const std::optional<Tensor>& weights, Parts others, Constraint constraint,
                             const FitRecord& record)
    : pattern_(pattern), shape_(shape), others_(std::move(others)), constraint_(constraint), record_(record) {
  if (weights) chain_.emplace(pattern, *weights, false, traits(constraint).form);
}

Chain Factorization::product() const {
  if (mixed()) fail(Status::unsupported, "the factorisation has parts beside its factors: it is no chain");
  if (!shape_.square())
    fail(Status::unsupported, "the factorisation has ", shape_.rows, " rows and ", shape_.columns,
         " columns; a chain is square");
  return {pattern_, weights(), false};
}

const Tensor& Factorization::weights() const {
  if (!chain_) fail(Status::unsupported, "the factorisation has no factors among its parts");
  return chain_->weights();
}

/// Of the reals, which are the last that every part lists.
DataType Factorization::type() const { return tensors().back().tensor.type; }

std::vector<PartSize> Factorization::parts() const {
  std::vector<PartSize> all;
  if (chain_) all.push_back({PartKind::factors, chain_->factors(), chain_->weights().elements()});
  for (const auto& part : others_) all.push_back(part->size());
  return all;
}

std::int64_t Factorization::numbers() const {
  std::int64_t sum = 0;
  for (const PartSize& part : parts()) sum += part.numbers;
  return sum;
}

const LowRank* Factorization::low_rank() const {
  for (const auto& part : others_)
    if (const auto* found = dynamic_cast<const LowRank*>(part.get())) return found;
  return nullptr;
}

std::vector<NamedPartTensor> Factorization::tensors() const {
  std::vector<NamedPartTensor> all;
  if (chain_) all.push_back({"weights", chain_->weights()});
  for (const auto& part : others_)
    for (NamedPartTensor& each : part->tensors()) all.push_back(std::move(each));
  return all;
}

Tensor Factorization::tensor(const std::string& name) const {
  std::string names;
  for (const NamedPartTensor& each : tensors()) {
    if (each.name == name) return each.tensor;
    names += (names.empty() ? "" : ", ") + each.name;
  }
  fail(Status::invalid_argument, "there is no tensor \"", name, "\"; there are: ", names);
}

void Factorization::apply(const Tensor& v, const Tensor& z, bool transposed) const {
  const auto stored = tensors();
  common_type(*pattern_, {{"the factorisation", &stored.back().tensor}, {"v", &v}, {"z", &z}});
  const BatchShape shape = batch_shape("v", v);
  const std::int64_t ins = transposed ? shape_.rows : shape_.columns, outs = transposed ? shape_.columns : shape_.rows;
  expect_shape("v", shape, {shape.sequences, ins, shape.columns});
  expect_shape("z", batch_shape("z", z), {shape.sequences, outs, shape.columns});
  expect_apart("z", z, {{"v", &v}});
  for (const NamedPartTensor& each : stored) expect_apart("z", z, {{each.name.c_str(), &each.tensor}});
  if (!chain_)
    fill(z, 0);
  else if (shape_.square() || z.elements() == 0)
    apply_factors(v, z, transposed);
  else
    apply_padded(v, z, transposed);
  if (z.elements() == 0) return;
  for (const auto& part : others_) part->add(v, z, transposed);
}

void Factorization::apply_factors(const Tensor& v, const Tensor& z, bool transposed) const {
  if (transposed)
    chain_->apply_transposed(v, z);
  else
    chain_->apply(v, z, nullptr);
}

namespace {

/// The first rows of each sequence of a batch.
Tensor first_rows(const Tensor& batch, std::int64_t rows) {
  Extents shape = batch.shape;
  shape[batch.rank() - 2] = rows;
  return batch.view(shape, batch.strides, 0);
}

}  // namespace

/// The factors have n rows and columns: v is filled up with zeros, and z is the beginning of what they make of it.
void Factorization::apply_padded(const Tensor& v, const Tensor& z, bool transposed) const {
  Extents whole = v.shape;
  whole[v.rank() - 2] = pattern_->n();
  const Tensor in = Tensor::create(pattern_->context(), v.type, whole),
               out = Tensor::create(pattern_->context(), v.type, whole);
  fill(in, 0);
  copy(v, first_rows(in, v.shape[v.rank() - 2]));
  apply_factors(in, out, transposed);
  copy(first_rows(out, z.shape[z.rank() - 2]), z);
}

/// z = X̂, or X̂ᵀ, applied to as many unit vectors as z has columns: those of the indices, or those from `first` on.
void Factorization::apply_to_units(const Tensor* indices, std::int64_t first, const Tensor& z, bool transposed) const {
  const std::int64_t rows = transposed ? shape_.rows : shape_.columns;
  const Tensor units = Tensor::create(pattern_->context(), z.type, {rows, z.shape[1]});
  with_type(z.type, [&](auto zero) {
    using T = decltype(zero);
    launch<kernels::unit_columns, T>(*pattern_->context()->submit(),
                                     {.z = view_of<T>(units),
                                      .indices = indices ? indices->data<std::int64_t>() : nullptr,
                                      .rows = rows,
                                      .columns = z.shape[1],
                                      .first = first});
  });
  apply(units, z, transposed);
}

void Factorization::rows(const std::vector<std::int64_t>& indices, const Tensor& out) const {
  if (!mixed() && shape_.square()) return chain_->rows(indices, out);
  const std::int64_t n = shape_.columns, count = std::int64_t(indices.size());
  common_type(*pattern_, {{"out", &out}});
  expect_shape("out", batch_shape("out", out), {1, count, n});
  for (const std::int64_t index : indices)
    if (index < 0 || index >= shape_.rows)
      fail(Status::invalid_argument, "there is no row ", index, "; rows are 0 to ", shape_.rows - 1);
  if (count == 0) return;
  const Tensor wanted = Tensor::create(pattern_->context(), DataType::int64, {count});
  copy_from_host(indices.data(), wanted);
  const Tensor columns = Tensor::create(pattern_->context(), out.type, {n, count});
  apply_to_units(&wanted, 0, columns, true);
  copy(columns.view({count, n}, {1, count}, 0), out.view({count, n}, {out.strides[out.rank() - 2], 1}, 0));
}

void Factorization::dense(const Tensor& out) const {
  if (!mixed() && shape_.square()) return chain_->dense(out);
  constexpr std::int64_t together = 256;  // columns
  const std::int64_t columns = shape_.columns, row_stride = out.strides[out.rank() - 2];
  common_type(*pattern_, {{"out", &out}});
  expect_shape("out", batch_shape("out", out), {1, shape_.rows, columns});
  for (std::int64_t first = 0; first < columns; first += together)
    apply_to_units(nullptr, first, out.view({shape_.rows, std::min(together, columns - first)}, {row_stride, 1}, first),
                   false);
}

}  // namespace chord
