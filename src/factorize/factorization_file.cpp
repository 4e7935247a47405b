// Factorisations as safetensors files (docs/factorization.md has the format).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/file.hpp"
#include "factorize/factorization.hpp"
#include "factorize/low_rank.hpp"
#include "factorize/single_entries.hpp"
#include "io/metadata.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

// Format 1 is a product of factors alone, as all versions read it; 2 may have any parts; 3 also says how many rows and
// columns there are, which are not as many.
constexpr const char *factors_format = "chord-factorization 1", *parts_format = "chord-factorization 2",
                     *shape_format = "chord-factorization 3";

/// The place of the traits whose name the metadata have.
template <class Traits, std::size_t Count>
std::int32_t named(const Metadata& metadata, const char* key, const Traits (&list)[Count]) {
  const std::string& name = entry(metadata, key);
  const auto found =
      std::find_if(std::begin(list), std::end(list), [&](const Traits& each) { return name == each.name; });
  if (found == std::end(list)) fail(Status::invalid_file, "\"", key, "\" is \"", name, "\", which is unknown");
  return std::int32_t(found - std::begin(list));
}

/// Takes the first word from a list; empty at its end.
std::string_view next_word(std::string_view& list) {
  list.remove_prefix(std::min(list.find_first_not_of(' '), list.size()));
  const std::string_view word = list.substr(0, list.find(' '));
  list.remove_prefix(word.size());
  return word;
}

/// What the metadata list; files of 0.1 have factors and no list.
std::vector<PartKind> listed_parts(const Metadata& metadata) {
  const std::string& format = entry(metadata, "format");
  if (format == factors_format) return {PartKind::factors};
  if (format != parts_format && format != shape_format)
    fail(Status::invalid_file, "the format is \"", format, "\"; expected \"", factors_format, "\", \"", parts_format,
         "\" or \"", shape_format, "\"");
  std::vector<PartKind> kinds;
  for (std::string_view list = entry(metadata, "parts"), name; !(name = next_word(list)).empty();) {
    const auto found = std::find_if(std::begin(part_traits), std::end(part_traits),
                                    [&](const PartTraits& each) { return name == each.name; });
    if (found == std::end(part_traits))
      fail(Status::unsupported, "there is a part \"", name, "\", which this version does not know");
    const auto kind = PartKind(found - std::begin(part_traits));
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
      fail(Status::invalid_file, "\"parts\" has \"", name, "\" twice");
    kinds.push_back(kind);
  }
  if (kinds.empty()) fail(Status::invalid_file, "\"parts\" is empty");
  return kinds;
}

/// What the metadata say; nothing where X̂ is square.
std::optional<MatrixShape> listed_shape(const Metadata& metadata) {
  if (entry(metadata, "format") != shape_format) return {};
  const auto extent = [&](const char* key) {
    const auto value = number<std::int64_t>(metadata, key);
    if (value < 1 || value > std::numeric_limits<std::int32_t>::max())
      fail(Status::invalid_file, "\"", key, "\" is ", value, "; expected 1 or more, in 32 bits");
    return value;
  };
  return MatrixShape{extent("rows"), extent("columns")};
}

FitRecord record_of(const Metadata& metadata) {
  FitRecord record;
  record.iterations = number<std::int64_t>(metadata, "iterations");
  record.seconds = number<double>(metadata, "seconds");
  record.error = number<double>(metadata, "error");
  record.relative_error = number<double>(metadata, "relative_error");
  if (metadata.count("standard_error") > 0) record.standard_error = number<double>(metadata, "standard_error");
  record.seed = number<std::uint64_t>(metadata, "seed");
  record.stop = Stop(named(metadata, "stop", stop_traits));
  return record;
}

template <class Number>
std::vector<Number> numbers_in(const StoredTensor& stored) {
  std::vector<Number> numbers(stored.data.size() / sizeof(Number));
  std::memcpy(numbers.data(), stored.data.data(), stored.data.size());
  return numbers;
}

/// Reads one file's tensors, which fit together: extents, and reals of one type.
class Reader {
 public:
  Reader(const std::shared_ptr<Context>& context, const Safetensors& file)
      : context_(context),
        file_(file),
        shape_(listed_shape(file.metadata()).value_or(MatrixShape{0, 0})),
        n_(shape_.n()) {}

  std::int64_t n() const { return n_; }
  const MatrixShape& shape() const { return shape_; }

  Tensor weights(std::int64_t links) {
    const StoredTensor& w = reals("weights");
    if (w.shape.size() != 3 || w.shape[0] < 1 || (n_ && w.shape[1] != n_))
      fail(Status::invalid_file, describe(w), "; expected factors × n × links, F32 or F64");
    if (w.shape[2] != links)
      fail(Status::invalid_file, describe(file_.tensor("offsets")), "; expected one I64 per link, ", w.shape[2]);
    begin(w.shape[1]);
    return uploaded(w, {w.shape[0], w.shape[1], w.shape[2]});
  }

  std::shared_ptr<const Part> low_rank(Constraint constraint) {
    const bool one = constraint == Constraint::semidefinite;  // U Uᵀ
    const StoredTensor &u = reals("u"), &v = one ? u : reals("v");
    if (u.shape.size() != 2 || u.shape[0] < 1 || u.shape[1] < 1 || (n_ && u.shape[0] != shape_.rows))
      fail(Status::invalid_file, describe(u), "; expected n × rank", n_ ? text(", n being ", shape_.rows) : "");
    begin(u.shape[0]);
    if (v.shape.size() != 2 || v.shape[0] != shape_.columns || v.shape[1] != u.shape[1])
      fail(Status::invalid_file, describe(v), "; expected ",
           shape_.square() ? std::string("the shape of u") : text(shape_.columns, " × ", u.shape[1]));
    const Tensor left = uploaded(u, {u.shape[0], u.shape[1]});
    return std::make_shared<LowRank>(left, one ? left : uploaded(v, {v.shape[0], v.shape[1]}), constraint);
  }

  std::shared_ptr<const Part> entries() {
    const std::vector<std::int32_t> rows = places("entry_rows", shape_.rows),
                                    columns = places("entry_columns", shape_.columns);
    const StoredTensor& values = reals("entry_values");
    const std::vector<double> numbers = to_float64(values);
    if (values.shape.size() != 1 || rows.size() != numbers.size() || columns.size() != numbers.size())
      fail(Status::invalid_file, describe(values), ", ", rows.size(), " entry_rows and ", columns.size(),
           " entry_columns; expected one of each per entry");
    std::vector<SparseMatrix::Entry> list;
    for (std::size_t i = 0; i < numbers.size(); ++i) list.push_back({rows[i], columns[i], numbers[i]});
    return std::make_shared<SingleEntries>(context_, *type_, shape_, list);
  }

 private:
  /// The first tensor says how large a square X̂ is.
  void begin(std::int64_t n) {
    if (n_ > 0) return;
    n_ = n;
    shape_ = {n, n};
  }

  /// A tensor of finite reals, of the type that all others have.
  const StoredTensor& reals(const char* name) {
    const StoredTensor& stored = file_.tensor(name);
    if (stored.dtype != "F64" && stored.dtype != "F32")
      fail(Status::invalid_file, describe(stored), "; expected F32 or F64");
    const DataType type = stored.dtype == "F64" ? DataType::float64 : DataType::float32;
    if (type != type_.value_or(type)) fail(Status::invalid_file, describe(stored), "; expected the type of the others");
    type_ = type;
    const std::vector<double> values = to_float64(stored);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        fail(Status::invalid_file, stored.name, " has a number at place ", i, " that is not finite");
    return stored;
  }

  std::vector<std::int32_t> places(const char* name, std::int64_t extent) const {
    const StoredTensor& stored = file_.tensor(name);
    if (stored.dtype != "I32" || stored.shape.size() != 1)
      fail(Status::invalid_file, describe(stored), "; expected one I32 per entry");
    std::vector<std::int32_t> found = numbers_in<std::int32_t>(stored);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] < 0 || found[i] >= extent)
        fail(Status::invalid_file, name, " has ", found[i], " at place ", i, "; expected 0 to ", extent - 1);
    return found;
  }

  Tensor uploaded(const StoredTensor& stored, const Extents& shape) const {
    const Tensor tensor = Tensor::create(context_, *type_, shape);
    copy_from_host(stored.data.data(), tensor);
    return tensor;
  }

  const std::shared_ptr<Context>& context_;
  const Safetensors& file_;
  MatrixShape shape_;
  std::int64_t n_;  // 0: not known yet
  std::optional<DataType> type_;
};

Factorization from_file(const std::shared_ptr<Context>& context, const Safetensors& file) {
  const std::vector<PartKind> kinds = listed_parts(file.metadata());
  const auto has = [&](PartKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  const StoredTensor& offsets = file.tensor("offsets");
  if (offsets.dtype != "I64" || offsets.shape.size() != 1)
    fail(Status::invalid_file, describe(offsets), "; expected one I64 per link");
  Reader reader(context, file);
  std::optional<Tensor> weights;
  Parts others;
  if (has(PartKind::factors)) weights = reader.weights(offsets.shape[0]);
  const auto constraint = Constraint(named(file.metadata(), "constraint", constraint_traits));
  const auto refuse = [&](const char* part) {
    fail(Status::unsupported, "there is a part \"", part, "\" under the constraint \"", traits(constraint).name,
         "\", which it would break");
  };
  if (!reader.shape().square() && constraint != Constraint::none && constraint != Constraint::nonnegative)
    fail(Status::unsupported, "the constraint \"", traits(constraint).name, "\" is one for square matrices; there are ",
         reader.shape().rows, " rows and ", reader.shape().columns, " columns");
  if (has(PartKind::low_rank) && traits(constraint).weights != kernels::weights_free) refuse("low_rank");
  if (has(PartKind::entries) && constraint != Constraint::none) refuse("entries");
  if (has(PartKind::low_rank)) others.push_back(reader.low_rank(constraint));
  if (has(PartKind::entries)) {
    if (!has(PartKind::factors) && !has(PartKind::low_rank))
      fail(Status::unsupported, "there is a part \"entries\" alone; expected others before it");
    others.push_back(reader.entries());
  }
  return {std::make_shared<const Pattern>(context, reader.n(), numbers_in<std::int64_t>(offsets)),
          reader.shape(),
          weights,
          others,
          constraint,
          record_of(file.metadata())};
}

std::string names_of(const std::vector<PartSize>& parts) {
  std::string names;
  for (const PartSize& part : parts)
    names += (names.empty() ? "" : " ") + std::string(part_traits[int(part.kind)].name);
  return names;
}

}  // namespace

void Factorization::save(const std::string& path) const {
  std::vector<StoredTensor> stored;
  std::vector<std::string> bytes;  // as many as there are tensors: none may move
  const std::vector<NamedPartTensor> all = tensors();
  bytes.reserve(all.size());
  for (const NamedPartTensor& each : all) {
    const std::int64_t* shape = each.tensor.shape.data();
    bytes.push_back(bytes_of(each.tensor));
    stored.push_back({each.name, stored_name_of(each.tensor.type), {shape, shape + each.tensor.rank()}, bytes.back()});
  }
  const auto& offsets = pattern_->offsets();
  stored.push_back({"offsets",
                    "I64",
                    {pattern_->links()},
                    {reinterpret_cast<const char*>(offsets.data()), offsets.size() * sizeof offsets[0]}});
  Metadata metadata = {{"format", !shape_.square() ? shape_format
                                  : mixed()        ? parts_format
                                                   : factors_format},
                       {"parts", names_of(parts())},
                       {"constraint", traits(constraint_).name},
                       {"iterations", number(record_.iterations)},
                       {"seconds", number(record_.seconds)},
                       {"error", number(record_.error)},
                       {"relative_error", number(record_.relative_error)},
                       {"stop", stop_traits[int(record_.stop)].name},
                       {"seed", number(record_.seed)}};
  if (!shape_.square()) metadata.insert({{"rows", number(shape_.rows)}, {"columns", number(shape_.columns)}});
  if (record_.standard_error > 0) metadata["standard_error"] = number(record_.standard_error);
  write_safetensors(path, stored, metadata);
}

Factorization Factorization::load(const std::shared_ptr<Context>& context, const std::string& path) {
  const Safetensors file = Safetensors::read(path);
  return in_file(path, [&] { return from_file(context, file); });
}

}  // namespace chord
