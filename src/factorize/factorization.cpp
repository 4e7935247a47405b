#include "factorize/factorization.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "common/size.hpp"
#include "device/launch.hpp"
#include "io/file.hpp"
#include "io/metadata.hpp"
#include "operations/copy.hpp"
#include "operations/product.hpp"

namespace chord {
namespace {

constexpr const char* file_format = "chord-factorization 1";
constexpr const char* stop_names[] = {"gradient", "improvement", "iterations", "seconds", "cancelled"};

// Rows of a symmetric X̂ that are computed together when all are wanted.
constexpr std::int64_t rows_together = 256;

/// z = ½(z + other)
void average(const Tensor& z, const Tensor& other) {
  const Matrices zs = matrices("z", z), os = matrices("z", other);
  with_type(z.type, [&](auto zero) {
    using T = decltype(zero);
    launch<&kernels::average_rows<T>>(*z.context().submit(), Grid{std::size_t(zs.sequences), std::size_t(zs.rows)},
                                      other.data<T>(), os.sequence_stride, os.row_stride, z.data<T>(),
                                      zs.sequence_stride, zs.row_stride, zs.columns);
  });
}

/// [N, indices]: a column for each, with a one at its index.
Tensor unit_columns(const Pattern& pattern, DataType type, const std::vector<std::int64_t>& indices) {
  const std::int64_t count = std::int64_t(indices.size());
  const Tensor wanted = Tensor::create(pattern.context(), DataType::int64, {count});
  copy_from_host(indices.data(), wanted);
  const Tensor units = Tensor::create(pattern.context(), type, {pattern.n(), count});
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    launch<&kernels::unit_columns<T>>(*pattern.context()->submit(), Grid{1, std::size_t(pattern.n())}, units.data<T>(),
                                      count, count, wanted.data<std::int64_t>(), 0);
  });
  return units;
}

/// The place of a name in a list of them.
template <class Name, std::size_t Count, class Project>
std::int32_t place_of(const Metadata& metadata, const char* key, const Name (&list)[Count], Project name_of) {
  const std::string& name = entry(metadata, key);
  const auto found =
      std::find_if(std::begin(list), std::end(list), [&](const Name& item) { return name == name_of(item); });
  if (found == std::end(list)) fail(Status::invalid_file, "\"", key, "\" is \"", name, "\", which is unknown");
  return std::int32_t(found - std::begin(list));
}

Factorization from_file(const std::shared_ptr<Context>& context, const Safetensors& file) {
  const Metadata& metadata = file.metadata();
  if (const std::string& format = entry(metadata, "format"); format != file_format)
    fail(Status::invalid_file, "the format is \"", format, "\"; expected \"", file_format, "\"");
  const StoredTensor &w = file.tensor("weights"), &o = file.tensor("offsets");
  if ((w.dtype != "F64" && w.dtype != "F32") || w.shape.size() != 3 || w.shape[0] < 1)
    fail(Status::invalid_file, describe(w), "; expected factors × n × links, F32 or F64");
  if (o.dtype != "I64" || o.shape != std::vector<std::int64_t>{w.shape[2]})
    fail(Status::invalid_file, describe(o), "; expected one I64 per link, ", w.shape[2]);
  std::vector<std::int64_t> offsets(std::size_t(w.shape[2]));
  std::memcpy(offsets.data(), o.data.data(), o.data.size());
  const std::vector<double> values = to_float64(w);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) fail(Status::invalid_file, "weight ", i, " is not a finite number");

  FitRecord record;
  record.iterations = number<std::int64_t>(metadata, "iterations");
  record.seconds = number<double>(metadata, "seconds");
  record.error = number<double>(metadata, "error");
  record.relative_error = number<double>(metadata, "relative_error");
  record.seed = number<std::uint64_t>(metadata, "seed");
  record.stop = Stop(place_of(metadata, "stop", stop_names, [](const char* name) { return name; }));
  const auto constraint =
      Constraint(place_of(metadata, "constraint", constraint_traits, [](const auto& item) { return item.name; }));
  const Tensor weights = Tensor::create(context, w.dtype == "F64" ? DataType::float64 : DataType::float32,
                                        {w.shape[0], w.shape[1], w.shape[2]});
  copy_from_host(w.data.data(), weights);
  return {std::make_shared<const Pattern>(context, w.shape[1], std::move(offsets)), weights, constraint, record};
}

}  // namespace

Factorization::Factorization(const std::shared_ptr<const Pattern>& pattern, Tensor weights, Constraint constraint,
                             const FitRecord& record)
    : pattern_(pattern), chain_(pattern, std::move(weights), false), constraint_(constraint), record_(record) {}

void Factorization::apply(const Tensor& v, const Tensor& z, bool transposed) const {
  if (product_form()) return transposed ? chain_.apply_transposed(v, z) : chain_.apply(v, z, nullptr);
  const Tensor other = Tensor::create(pattern_->context(), z.type, z.shape);
  if (constraint_ == Constraint::semidefinite) {
    chain_.apply_transposed(v, other);
    chain_.apply(other, z, nullptr);
  } else {
    chain_.apply(v, z, nullptr);
    chain_.apply_transposed(v, other);
    average(z, other);
  }
}

void Factorization::rows(const std::vector<std::int64_t>& indices, const Tensor& out) const {
  if (product_form()) return chain_.rows(indices, out);
  // X̂ is symmetric: its rows are its columns.
  const std::int64_t n = pattern_->n(), count = std::int64_t(indices.size());
  common_type(*pattern_, {{"weights", &weights()}, {"out", &out}});
  expect_matrices("out", matrices("out", out), 1, count, n);
  for (const std::int64_t index : indices)
    if (index < 0 || index >= n) fail(Status::invalid_argument, "there is no row ", index, "; rows are 0 to ", n - 1);
  expect_apart("out", out, "weights", weights());
  if (count == 0) return;
  const Tensor columns = Tensor::create(pattern_->context(), weights().type, {n, count});
  apply(unit_columns(*pattern_, weights().type, indices), columns, false);
  copy(columns.view({count, n}, {1, count}, 0), out.view({count, n}, {matrices("out", out).row_stride, 1}, 0));
}

void Factorization::dense(const Tensor& out) const {
  if (product_form()) return chain_.dense(out);
  const std::int64_t n = pattern_->n();
  const Matrices shape = matrices("out", out);
  expect_matrices("out", shape, 1, n, n);
  for (std::int64_t first = 0; first < n; first += rows_together) {
    std::vector<std::int64_t> indices(std::size_t(std::min(rows_together, n - first)));
    std::iota(indices.begin(), indices.end(), first);
    rows(indices, out.view({std::int64_t(indices.size()), n}, {shape.row_stride, 1}, first * shape.row_stride));
  }
}

void Factorization::save(const std::string& path) const {
  const Tensor& w = weights();
  const std::string values = bytes_of(w);
  const auto& offsets = pattern_->offsets();
  const std::string_view offset_bytes(reinterpret_cast<const char*>(offsets.data()),
                                      offsets.size() * sizeof offsets[0]);
  write_safetensors(
      path,
      {{"weights", w.type == DataType::float64 ? "F64" : "F32", {w.shape[0], w.shape[1], w.shape[2]}, values},
       {"offsets", "I64", {pattern_->links()}, offset_bytes}},
      {{"format", file_format},
       {"constraint", traits(constraint_).name},
       {"iterations", number(record_.iterations)},
       {"seconds", number(record_.seconds)},
       {"error", number(record_.error)},
       {"relative_error", number(record_.relative_error)},
       {"stop", stop_names[int(record_.stop)]},
       {"seed", number(record_.seed)}});
}

Factorization Factorization::load(const std::shared_ptr<Context>& context, const std::string& path) {
  const Safetensors file = Safetensors::read(path);
  return in_file(path, [&] { return from_file(context, file); });
}

}  // namespace chord
