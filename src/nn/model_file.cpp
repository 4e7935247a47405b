// Models as safetensors files, with the tensor names of the paper's PyTorch code.
#include <algorithm>
#include <cmath>
#include <set>

#include "common/file.hpp"
#include "common/log.hpp"
#include "io/metadata.hpp"
#include "nn/model.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

constexpr const char* file_format = "chord-model 1";
constexpr const char* first_moment_name = "optimizer.first_moment";
constexpr const char* second_moment_name = "optimizer.second_moment";

/// Every parameter's part of a buffer, under its name.
void append(std::vector<StoredTensor>& tensors, const ParameterList& list, DataType type, const std::string& bytes) {
  const std::size_t size = size_of(type);
  for (const Parameter& parameter : list.all)
    tensors.push_back({parameter.name,
                       stored_name_of(type),
                       {parameter.shape.data(), parameter.shape.data() + parameter.shape.size()},
                       std::string_view(bytes).substr(parameter.offset * size, parameter.count * size)});
}

void expect_shape(const StoredTensor& stored, const Extents& shape) {
  const std::vector<std::int64_t> expected(shape.data(), shape.data() + shape.size());
  if (stored.shape != expected) fail(Status::invalid_file, describe(stored), "; expected ", describe(shape));
}

/// Into the elements of `to` from `offset` on.
void read_values(const StoredTensor& stored, const Extents& shape, std::int64_t offset, std::vector<double>& to) {
  expect_shape(stored, shape);
  const std::vector<double> values = to_float64(stored);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) fail(Status::invalid_file, stored.name, " has a value that is not finite, at ", i);
  std::copy(values.begin(), values.end(), to.begin() + offset);
}

/// The reference always has both embeddings; a model that does not use one does without it.
bool unused_embedding(const std::string& name) { return name == "embedding.weight" || name == "pos_embedding.weight"; }

void expect_known_tensors(const Safetensors& file, const ParameterList& list) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : list.all) names.insert(parameter.name);
  for (const StoredTensor& tensor : file.tensors()) {
    if (names.count(tensor.name) > 0 || tensor.name == first_moment_name || tensor.name == second_moment_name) continue;
    if (!unused_embedding(tensor.name)) fail(Status::invalid_file, "the model has no parameter \"", tensor.name, "\"");
    log(LogLevel::info, tensor.name + " is not used by this model and left out");
  }
}

}  // namespace

void Model::save(const std::string& path, bool with_optimizer, const std::string& note) const {
  const std::lock_guard lock(mutex_);
  std::vector<StoredTensor> tensors;
  const std::string values = bytes_of(values_);
  append(tensors, list_, values_.type, values);
  Metadata metadata = {{"format", file_format}, {"model", json_}};
  if (!note.empty()) metadata["note"] = note;
  std::string first, second;
  if (with_optimizer) {
    metadata["step"] = number(step());
    metadata["seed"] = number(seed_);
    first = bytes_of(first_moment_ ? *first_moment_ : zeros());
    second = bytes_of(second_moment_ ? *second_moment_ : zeros());
    tensors.push_back({first_moment_name, stored_name_of(values_.type), {list_.size}, first});
    tensors.push_back({second_moment_name, stored_name_of(values_.type), {list_.size}, second});
  }
  write_safetensors(path, tensors, metadata);
}

void Model::save_gradients(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::vector<StoredTensor> tensors;
  const std::string values = bytes_of(computed_gradients());
  append(tensors, list_, values_.type, values);
  write_safetensors(path, tensors);
}

std::shared_ptr<Model> Model::load(const std::shared_ptr<Context>& context, const std::string& path,
                                   const std::optional<ModelDescription>& description) {
  const Safetensors file = Safetensors::read(path);
  if (!description && file.metadata().count("model") == 0)
    fail(Status::invalid_argument, path, ": the file does not say what model it is of; describe it");
  return in_file(path, [&] {
    const Metadata& metadata = file.metadata();
    const bool trained = metadata.count("step") > 0;
    const ModelDescription described = description ? *description : ModelDescription::parse(metadata.at("model"));
    // A description may be of any size; the file has what it has.
    const ParameterList list(described,
                             [&](const Parameter& each) { expect_shape(file.tensor(each.name), each.shape); });
    expect_known_tensors(file, list);
    expect_parameter_memory(described);
    std::vector<double> values(std::size_t(list.size));
    for (const Parameter& parameter : list.all)
      read_values(file.tensor(parameter.name), parameter.shape, parameter.offset, values);
    const auto model =
        std::make_shared<Model>(context, described, values, trained ? number<std::uint64_t>(metadata, "seed") : 0);
    if (trained) {
      model->state_->set_count(number<std::int64_t>(metadata, "step"));
      for (const auto& [name, moment] :
           {std::pair{first_moment_name, &model->first_moment_}, {second_moment_name, &model->second_moment_}}) {
        read_values(file.tensor(name), {list.size}, 0, values);
        *moment = model->zeros();
        copy_from_host(values, **moment);
      }
    }
    if (const auto note = metadata.find("note"); note != metadata.end()) model->note_ = note->second;
    return model;
  });
}

}  // namespace chord
