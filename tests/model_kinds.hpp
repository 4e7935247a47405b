// Small models of every kind there is, and batches for them.
#pragma once

#include <nlohmann/json.hpp>

#include "model_reference.hpp"
#include "support.hpp"

namespace testing {

using reference::ModelSettings;

/// `more`: further keys, a comma before each.
inline std::string json_of(const ModelSettings& s, int precision, const std::string& more = "") {
  nlohmann::json json{{"input", s.tokens ? "tokens" : "reals"},
                      {"vocabulary", s.vocabulary},
                      {"features", s.features},
                      {"length", s.length},
                      {"width", s.width},
                      {"factors", s.factors},
                      {"links", s.links},
                      {"hidden_f", s.hidden_f},
                      {"hidden_g", s.hidden_g},
                      {"channels", s.channels},
                      {"blocks", s.blocks},
                      {"residual", s.residual},
                      {"positions", s.positions},
                      {"pooling", s.flatten ? "flatten" : "cls"},
                      {"head_hidden", s.head_hidden},
                      {"classes", s.classes},
                      {"loss", s.mse ? "mse" : "cross_entropy"},
                      {"precision", precision}};
  if (!more.empty()) json.update(nlohmann::json::parse("{" + more.substr(1) + "}"));
  return json.dump();
}

inline ModelSettings small_tokens() {
  ModelSettings s;
  s.vocabulary = 5;
  s.length = 7;
  s.width = 6;
  s.factors = 3;
  s.links = 4;
  s.hidden_f = 5;
  s.hidden_g = 4;
  s.channels = 3;
  s.classes = 4;
  s.positions = s.residual = true;
  return s;
}

inline ModelSettings small_reals() {
  ModelSettings s = small_tokens();
  s.tokens = s.positions = false;
  s.vocabulary = 0;
  s.features = 2;
  s.mse = true;
  s.classes = 1;
  return s;
}

/// Models of every kind there is, and of sizes that fill no vector and no tile.
inline std::vector<ModelSettings> kinds() {
  std::vector<ModelSettings> all = {small_tokens(), small_reals()};
  ModelSettings stacked = small_tokens();
  stacked.blocks = 3;
  stacked.residual = false;
  stacked.head_hidden = 5;
  all.push_back(stacked);
  ModelSettings cls = small_tokens();
  cls.flatten = false;
  cls.length = 17;
  cls.factors = 5;
  cls.links = 6;  // the last offset is 16
  cls.width = 8;
  cls.hidden_f = 16;
  cls.channels = 8;
  all.push_back(cls);
  ModelSettings wrapping = small_reals();
  wrapping.length = 3;
  wrapping.links = 5;  // offsets 4 and 8 reach beyond the end
  wrapping.blocks = 2;
  all.push_back(wrapping);
  ModelSettings one = small_tokens();
  one.length = 1;
  one.factors = 0;
  one.links = 1;
  all.push_back(one);
  return all;
}

struct Data {
  Values inputs, labels;  // [batch, length] or [batch, length, features]; [batch]
  std::int64_t batch;
};

inline Data data_for(const ModelSettings& s, std::int64_t batch, unsigned seed) {
  Data data;
  data.batch = batch;
  data.inputs = random_values(std::size_t(batch * s.length * (s.tokens ? 1 : s.features)), seed);
  data.labels = random_values(std::size_t(batch), seed + 1);
  if (s.tokens)
    for (double& x : data.inputs) x = std::floor((x + 1) / 2 * double(s.vocabulary) * 0.999);
  if (!s.mse)
    for (double& x : data.labels) x = std::floor((x + 1) / 2 * double(s.classes) * 0.999);
  return data;
}

template <class T>
Tensor inputs_of(Context& context, const ModelSettings& s, const Data& data) {
  if (s.tokens) return tensor<std::int32_t>(context, {data.batch, s.length}, data.inputs);
  return tensor<T>(context, {data.batch, s.length, s.features}, data.inputs);
}

template <class T>
Tensor labels_of(Context& context, const ModelSettings& s, const Data& data) {
  if (s.mse) return tensor<T>(context, {data.batch}, data.labels);
  return tensor<std::int32_t>(context, {data.batch}, data.labels);
}

inline chord_train_options with(std::int32_t memory, std::int64_t micro_batch) {
  auto options = chord::train_options();
  options.memory = memory;
  options.micro_batch = micro_batch;
  return options;
}

}  // namespace testing
