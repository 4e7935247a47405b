// Reading the array arguments of the C interface.
#pragma once

#include <vector>

#include "capi/boundary.hpp"
#include "operations/tensor.hpp"

namespace chord::capi {

inline DataType data_type(std::int32_t type) {
  if (type < CHORD_FLOAT32 || type > CHORD_INT64)
    fail(Status::invalid_type, "type is ", type, "; expected CHORD_FLOAT32 to CHORD_INT64, 0 to 3");
  return static_cast<DataType>(type);
}

inline Extents shape_of(std::int32_t rank, const std::int64_t* shape) {
  if (rank > 0) required(shape, "shape");
  const Extents extents(rank, shape);
  element_count(extents);
  return extents;
}

/// The strides a caller gives; NULL means contiguous.
inline Extents strides_of(const Extents& shape, const std::int64_t* strides) {
  return strides ? Extents(shape.size(), strides) : contiguous_strides(shape);
}

/// The rows somebody wants in `out`.
inline std::vector<std::int64_t> row_indices(const std::int64_t* indices, std::int64_t count, const Tensor& out) {
  if (count < 0) fail(Status::invalid_argument, "count is ", count, "; expected 0 or more");
  if (count > 0) required(indices, "indices");
  // Before the indices are copied: a count that is no count must not ask for memory.
  if (out.rank() < 2 || out.shape[out.rank() - 2] != count)
    fail(Status::invalid_shape, "out has shape ", describe(out.shape), "; expected ", count, " rows");
  return {indices, indices + count};
}

/// A tensor over memory that somebody else owns and the context can use. Elements may have to be reached below `data`
/// (negative strides).
inline Tensor foreign_tensor(const std::shared_ptr<Context>& context, DataType type, const Extents& shape,
                             const Extents& strides, void* data, std::function<void()> release) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape = shape;
  tensor.strides = strides;
  if (tensor.elements() > 0) required(data, "data");
  if (reinterpret_cast<std::uintptr_t>(data) % size_of(type) != 0)
    fail(Status::invalid_argument, "data is not aligned to its ", size_of(type), "-byte elements");
  const auto [first, last] = tensor.reach();
  tensor.storage =
      std::make_shared<Storage>(context, static_cast<char*>(data) + first, last - first, std::move(release));
  tensor.offset = -first;
  return tensor;
}

}  // namespace chord::capi
