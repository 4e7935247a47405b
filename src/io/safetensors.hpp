// Named arrays in one file: https://github.com/huggingface/safetensors
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace chord {

struct StoredTensor {
  std::string name;
  std::string dtype;  ///< as the file names it: F32, I64, …
  std::vector<std::int64_t> shape;
  std::string_view data;  ///< contiguous, little-endian
};

std::string describe(const StoredTensor& tensor);

/// The values of a tensor of booleans, integers or reals of 16 bits and more.
std::vector<double> to_float64(const StoredTensor& tensor);

using Metadata = std::map<std::string, std::string>;

/// A file's tensors, fully checked. Copies share the bytes.
class Safetensors {
 public:
  static Safetensors read(const std::string& path);
  explicit Safetensors(std::string content);

  const std::vector<StoredTensor>& tensors() const { return tensors_; }  ///< in the order of their data
  const Metadata& metadata() const { return metadata_; }
  /// Throws where there is none of this name, naming those there are.
  const StoredTensor& tensor(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

 private:
  std::shared_ptr<const std::string> content_;
  std::vector<StoredTensor> tensors_;
  std::vector<std::size_t> by_name_;  // their places, in the order of their names
  Metadata metadata_;

  const StoredTensor* find(std::string_view name) const;
};

/// Names those there are, for messages.
std::string describe(const std::vector<StoredTensor>& tensors);

/// Tensors of F32, F64, I32 or I64. The header names them in the order given; the data begin with the widest types, so
/// that each tensor is aligned. Replaces the file or leaves it as it was.
void write_safetensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                       const Metadata& metadata = {});

}  // namespace chord
