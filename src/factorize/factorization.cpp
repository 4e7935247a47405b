#include "factorize/factorization.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/file.hpp"
#include "common/size.hpp"
#include "io/metadata.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

constexpr const char* file_format = "chord-factorization 1";

/// The place of the traits whose name the metadata have.
template <class Traits, std::size_t Count>
std::int32_t named(const Metadata& metadata, const char* key, const Traits (&list)[Count]) {
  const std::string& name = entry(metadata, key);
  const auto found =
      std::find_if(std::begin(list), std::end(list), [&](const Traits& each) { return name == each.name; });
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
  record.stop = Stop(named(metadata, "stop", stop_traits));
  const auto constraint = Constraint(named(metadata, "constraint", constraint_traits));
  const Tensor weights = Tensor::create(context, w.dtype == "F64" ? DataType::float64 : DataType::float32,
                                        {w.shape[0], w.shape[1], w.shape[2]});
  copy_from_host(w.data.data(), weights);
  return {std::make_shared<const Pattern>(context, w.shape[1], std::move(offsets)), weights, constraint, record};
}

}  // namespace

Factorization::Factorization(const std::shared_ptr<const Pattern>& pattern, Tensor weights, Constraint constraint,
                             const FitRecord& record)
    : pattern_(pattern),
      chain_(pattern, std::move(weights), false, traits(constraint).form),
      constraint_(constraint),
      record_(record) {}

void Factorization::apply(const Tensor& v, const Tensor& z, bool transposed) const {
  if (transposed)
    chain_.apply_transposed(v, z);
  else
    chain_.apply(v, z, nullptr);
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
       {"stop", stop_traits[int(record_.stop)].name},
       {"seed", number(record_.seed)}});
}

Factorization Factorization::load(const std::shared_ptr<Context>& context, const std::string& path) {
  const Safetensors file = Safetensors::read(path);
  return in_file(path, [&] { return from_file(context, file); });
}

}  // namespace chord
