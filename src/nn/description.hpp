// What a model is made of, as JSON describes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "operations/tensor.hpp"

namespace chord {

enum class InputKind : std::int32_t { tokens, reals };
enum class Pooling : std::int32_t { flatten, cls };
enum class Loss : std::int32_t { cross_entropy, mse };
enum class EmbeddingStart : std::int32_t { normal, uniform };

struct ModelDescription {
  InputKind input = InputKind::tokens;
  std::int64_t vocabulary = 0, features = 0;
  std::int64_t length = 0, width = 0, factors = 0, links = 0, hidden_f = 0, hidden_g = 0, channels = 0;
  bool residual = false, positions = false;
  std::int64_t blocks = 1;
  double dropout_input = 0, dropout_values = 0, dropout_output = 0;
  std::int64_t padding = -1;
  Pooling pooling = Pooling::flatten;
  std::int64_t head_hidden = 0, classes = 0;
  Loss loss = Loss::cross_entropy;
  double tolerance = 0.04;
  EmbeddingStart embedding = EmbeddingStart::normal;
  std::int64_t precision = 32;

  /// Throws Status::invalid_argument with the path of the key that is wrong.
  static ModelDescription parse(const std::string& json);
  /// With all keys, always in the same order.
  std::string to_json() const;

  DataType type() const { return precision == 64 ? DataType::float64 : DataType::float32; }
  DataType input_type() const { return input == InputKind::tokens ? DataType::int32 : type(); }
  DataType label_type() const { return loss == Loss::mse ? type() : DataType::int32; }
  /// Columns of a block's input: the embedding's, or those of the block before.
  std::int64_t block_width(std::int64_t block) const { return block == 0 ? width : channels; }
  /// Columns of the head's input.
  std::int64_t pooled() const { return pooling == Pooling::flatten ? length * channels : channels; }
};

/// A key of a description, for those who make options, forms or bindings of it.
struct ModelKey {
  /// The values of CHORD_KEY_… in chord.h.
  enum class Kind : std::int32_t { integer = 0, real = 1, boolean = 2, choice = 3 };

  const char* name;
  const char* meaning;
  Kind kind;
  bool required;             ///< must be given where no preset does
  double lowest, highest;    ///< of an integer; a real is below `highest`
  std::string choices_json;  ///< a list of the only values there are; empty where the range says it all
  std::string default_json;  ///< empty for required keys, and for those that follow from others
};

/// All keys, in the order of the JSON.
const std::vector<ModelKey>& model_keys();

}  // namespace chord
