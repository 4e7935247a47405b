// A context's memory seen as an array: type, shape and strides over shared storage, so that a slice needs no copy.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "device/context.hpp"

namespace chord {

enum class DataType : std::int32_t { float32 = 0, float64 = 1, int32 = 2, int64 = 3 };

std::size_t size_of(DataType type);
const char* name_of(DataType type);
/// As safetensors files call it.
const char* stored_name_of(DataType type);

/// What the host knows of int32 values it has copied to a device: enough to tell whether all of them are indices,
/// without bringing them back.
struct IndexRange {
  std::int64_t first = 0, last = 0;  ///< bytes of the storage they are in, [first, last)
  std::int32_t least = 0, largest = 0;
  std::int64_t least_place = 0, largest_place = 0;  ///< where these are, in elements behind `first`
};

/// Memory that lives as long as some tensor looks at it, and keeps its context alive.
class Storage {
 public:
  /// From the context's pool.
  Storage(std::shared_ptr<Context> context, std::size_t bytes);
  /// Somebody else's; `release` is called once, after the queue has drained.
  Storage(std::shared_ptr<Context> context, void* memory, std::size_t bytes, std::function<void()> release);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& shared_context() const { return context_; }
  char* memory() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

  /// The values that have just been copied here, until the next write.
  void remember(const IndexRange& range);
  void forget();
  /// Others may write to the memory whenever they like: from now on nothing can be remembered.
  void expose();
  std::optional<IndexRange> remembered() const;

 private:
  std::shared_ptr<Context> context_;
  mutable std::mutex range_mutex_;
  std::optional<IndexRange> range_;
  bool exposed_ = false;
  char* memory_;
  std::size_t bytes_;
  bool pooled_;
  std::function<void()> release_;
};

/// Extents or strides, in elements.
class Extents {
 public:
  static constexpr int most = 8;
  Extents() = default;
  Extents(std::initializer_list<std::int64_t> values);
  Extents(int count, const std::int64_t* values);

  int size() const { return size_; }
  std::int64_t operator[](int i) const { return values_[i]; }
  std::int64_t& operator[](int i) { return values_[i]; }
  const std::int64_t* data() const { return values_.data(); }
  bool operator==(const Extents& other) const;

 private:
  std::array<std::int64_t, most> values_{};
  int size_ = 0;
};

std::string describe(const Extents& shape);

/// Checked for overflow.
std::int64_t element_count(const Extents& shape);
Extents contiguous_strides(const Extents& shape);

struct Tensor {
  std::shared_ptr<Storage> storage;
  DataType type = DataType::float32;
  Extents shape, strides;
  std::int64_t offset = 0;  ///< of the first element, in bytes

  static Tensor create(const std::shared_ptr<Context>& context, DataType type, const Extents& shape);

  int rank() const { return shape.size(); }
  Context& context() const { return storage->context(); }
  bool contiguous() const;
  std::int64_t elements() const { return element_count(shape); }
  std::size_t bytes() const { return std::size_t(elements()) * size_of(type); }

  template <class T>
  T* data() const {
    return reinterpret_cast<T*>(storage->memory() + offset);
  }

  /// Another look at the same memory; throws where it would reach beyond this one's first or last element.
  Tensor view(const Extents& new_shape, const Extents& new_strides, std::int64_t element_offset) const;

  /// The bytes it touches, [first, last), relative to the storage.
  std::pair<std::int64_t, std::int64_t> reach() const;
};

/// True where the two may share a byte.
bool overlap(const Tensor& a, const Tensor& b);

/// True where two elements of the tensor may be the same memory, as in a repetition: it can be read, not written.
bool has_shared_elements(const Tensor& tensor);
/// Throws there.
void expect_writable(const char* name, const Tensor& tensor);

}  // namespace chord
