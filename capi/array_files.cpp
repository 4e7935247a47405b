// Whole files, and tensors from and to files of one array each.
#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/handles.hpp"
#include "common/file.hpp"
#include "common/memory.hpp"
#include "io/npy.hpp"
#include "operations/copy.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

NumberType number_type(DataType type) {
  switch (type) {
    case DataType::float32: return NumberType::float32;
    case DataType::float64: return NumberType::float64;
    case DataType::int32: return NumberType::int32;
    case DataType::int64: return NumberType::int64;
  }
  fail(Status::internal, "no such data type");
}

DataType data_type_of(const NpyArray& array) {
  for (const DataType each : {DataType::float32, DataType::float64, DataType::int32, DataType::int64})
    if (number_type(each) == array.type) return each;
  fail(Status::invalid_type, "an array of a type that tensors do not have; expected f4, f8, i4 or i8");
}

Extents shape_of(const NpyArray& array) {
  constexpr std::size_t too_many = Extents::most + 1;  // which Extents refuses
  return Extents(int(std::min(array.shape.size(), too_many)), array.shape.data());
}

/// The array of a file's content, if it fits a tensor.
NpyArray parse_tensor(const std::string& content) {
  const NpyArray array = parse_npy(content);
  data_type_of(array);
  element_count(shape_of(array));
  return array;
}

Tensor to_tensor(const std::shared_ptr<Context>& context, const NpyArray& array) {
  const Tensor tensor = Tensor::create(context, data_type_of(array), shape_of(array));
  std::string rearranged;
  copy_from_host(row_by_row(array, rearranged).data(), tensor);
  return tensor;
}

}  // namespace

chord_status chord_tensor_read_npy(chord_context* context, const char* path, chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    const std::shared_ptr<Context>& target = checked(context, "context").value;
    const std::string content = read_file(required(path, "path"));
    const NpyArray array = in_file(path, [&] { return parse_tensor(content); });
    *tensor = make_handle<chord_tensor>(to_tensor(target, array));
  });
}

chord_status chord_tensor_write_npy(const chord_tensor* tensor, const char* path) {
  return guarded(__func__, [&] {
    const Tensor& value = checked(tensor, "tensor").value;
    required(path, "path");
    expect_memory(value.bytes());  // a repetition can have more elements than memory
    const std::string numbers = bytes_of(value);
    const std::int64_t* extents = value.shape.data();
    const std::string header = npy_header(number_type(value.type), {extents, extents + value.rank()});
    write_atomically(path, {header, numbers});
  });
}

chord_status chord_write_file(const char* path, const void* data, size_t bytes) {
  return guarded(__func__, [&] {
    if (bytes > 0) required(data, "data");
    write_atomically(required(path, "path"), {{static_cast<const char*>(data), bytes}});
  });
}

chord_status chord_npy_writer_create(const char* path, int32_t type, int32_t rank, const int64_t* shape,
                                     chord_npy_writer** writer) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(writer, "writer");
    const Extents extents = capi::shape_of(rank, shape);
    *writer = make_handle<chord_npy_writer>(std::make_unique<NpyWriter>(
        path, number_type(data_type(type)), std::vector<std::int64_t>(extents.data(), extents.data() + rank)));
  });
}

chord_status chord_npy_writer_write(chord_npy_writer* writer, const void* data, size_t bytes) {
  return guarded(__func__, [&] {
    if (bytes > 0) required(data, "data");
    checked(writer, "writer").value->write({static_cast<const char*>(data), bytes});
  });
}

chord_status chord_npy_writer_commit(chord_npy_writer* writer) {
  return guarded(__func__, [&] { checked(writer, "writer").value->commit(); });
}

chord_status chord_npy_writer_destroy(chord_npy_writer* writer) {
  return guarded(__func__, [&] { destroy_handle(writer, "writer"); });
}
