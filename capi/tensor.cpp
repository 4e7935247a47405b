#include <functional>

#include "capi/arguments.hpp"
#include "capi/handles.hpp"
#include "common/size.hpp"
#include "operations/copy.hpp"

using namespace chord;
using namespace chord::capi;

static_assert(static_cast<int32_t>(DataType::float32) == CHORD_FLOAT32);
static_assert(static_cast<int32_t>(DataType::float64) == CHORD_FLOAT64);
static_assert(static_cast<int32_t>(DataType::int32) == CHORD_INT32);
static_assert(static_cast<int32_t>(DataType::int64) == CHORD_INT64);
static_assert(Extents::most == CHORD_MAX_RANK);

namespace {

void expect_size(const Extents& shape, DataType type, std::size_t bytes) {
  const std::int64_t expected = checked_multiply(element_count(shape), size_of(type));
  if (bytes != std::size_t(expected))
    fail(Status::invalid_argument, "bytes is ", bytes, "; the tensor of shape ", describe(shape), " has ", expected);
}

}  // namespace

chord_status chord_tensor_create(chord_context* context, int32_t type, int32_t rank, const int64_t* shape,
                                 chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    *tensor = make_handle<chord_tensor>(
        Tensor::create(checked(context, "context").value, data_type(type), shape_of(rank, shape)));
  });
}

chord_status chord_tensor_create_from_host(chord_context* context, int32_t type, int32_t rank, const int64_t* shape,
                                           const void* data, chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    const Tensor value = Tensor::create(checked(context, "context").value, data_type(type), shape_of(rank, shape));
    if (value.elements() > 0) required(data, "data");
    copy_from_host(data, value);
    *tensor = make_handle<chord_tensor>(value);
  });
}

chord_status chord_tensor_create_from_bytes(chord_context* context, chord_type type, int32_t rank, const int64_t* shape,
                                            const void* data, size_t bytes, chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    const Extents extents = shape_of(rank, shape);
    expect_size(extents, data_type(type), bytes);
    const Tensor value = Tensor::create(checked(context, "context").value, data_type(type), extents);
    if (bytes > 0) required(data, "data");
    copy_from_host(data, value);
    *tensor = make_handle<chord_tensor>(value);
  });
}

chord_status chord_tensor_wrap(chord_context* context, int32_t type, int32_t rank, const int64_t* shape,
                               const int64_t* strides, void* data, chord_release_callback release, void* user,
                               chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    const Extents extents = shape_of(rank, shape);
    const DeviceDescription& device = checked(context, "context").value->device();
    if (!device.host_readable)
      fail(Status::unsupported, device.name, " cannot use host memory in place; copy it to a tensor instead");
    // Armed only at the end: on failure the memory stays the caller's.
    const auto accepted = std::make_shared<bool>(false);
    const Tensor value = foreign_tensor(checked(context, "context").value, data_type(type), extents,
                                        strides_of(extents, strides), data, [=] {
                                          if (*accepted && release) release(user);
                                        });
    *tensor = make_handle<chord_tensor>(value);
    *accepted = true;
  });
}

chord_status chord_tensor_view(const chord_tensor* tensor, int32_t rank, const int64_t* shape, const int64_t* strides,
                               int64_t offset, chord_tensor** view) {
  return guarded(__func__, [&] {
    required(view, "view");
    const Extents extents = shape_of(rank, shape);
    *view =
        make_handle<chord_tensor>(checked(tensor, "tensor").value.view(extents, strides_of(extents, strides), offset));
  });
}

chord_status chord_tensor_destroy(chord_tensor* tensor) {
  return guarded(__func__, [&] { destroy_handle(tensor, "tensor"); });
}

namespace {

void expect_bytes(const Tensor& tensor, const void* data, std::size_t bytes) {
  expect_size(tensor.shape, tensor.type, bytes);
  if (bytes == 0) return;
  required(data, "data");
  const auto [first, last] = tensor.reach();
  const char *memory = tensor.storage->memory(), *host = static_cast<const char*>(data);
  const bool apart = std::less_equal<>()(host + bytes, memory + first) || std::less_equal<>()(memory + last, host);
  if (!apart && tensor.context().device().host_readable)
    fail(Status::invalid_argument, "data shares memory with the tensor");
}

}  // namespace

chord_status chord_tensor_to_host(const chord_tensor* tensor, void* data, size_t bytes) {
  return guarded(__func__, [&] {
    const Tensor& value = checked(tensor, "tensor").value;
    expect_bytes(value, data, bytes);
    copy_to_host(value, data);
  });
}

chord_status chord_tensor_from_host(chord_tensor* tensor, const void* data, size_t bytes) {
  return guarded(__func__, [&] {
    const Tensor& value = checked(tensor, "tensor").value;
    expect_bytes(value, data, bytes);
    copy_from_host(data, value);
  });
}

chord_status chord_tensor_fill(chord_tensor* tensor, double value) {
  return guarded(__func__, [&] { fill(checked(tensor, "tensor").value, value); });
}

chord_status chord_tensor_copy(const chord_tensor* from, chord_tensor* to) {
  return guarded(__func__, [&] { copy(checked(from, "from").value, checked(to, "to").value); });
}

chord_status chord_tensor_get_info(const chord_tensor* tensor, chord_tensor_info* info) {
  return guarded(__func__, [&] {
    const Tensor& value = checked(tensor, "tensor").value;
    chord_tensor_info result{};
    result.type = static_cast<int32_t>(value.type);
    result.rank = value.rank();
    for (int i = 0; i < value.rank(); ++i) {
      result.shape[i] = value.shape[i];
      result.strides[i] = value.strides[i];
    }
    result.bytes = value.bytes();
    fill_info(info, result, "info");
  });
}

namespace {

/// Throws unless the host can touch the tensor's memory.
void* host_pointer(const Tensor& tensor) {
  const DeviceDescription& device = tensor.context().device();
  if (!device.host_readable)
    fail(Status::unsupported, "the memory of ", device.name, " cannot be read by the host; use chord_tensor_to_host");
  return tensor.data<void>();
}

}  // namespace

chord_status chord_tensor_data(const chord_tensor* tensor, void** data) {
  return guarded(__func__, [&] {
    required(data, "data");
    const Tensor& value = checked(tensor, "tensor").value;
    *data = host_pointer(value);
    value.storage->expose();
  });
}

chord_status chord_tensor_map(chord_tensor* tensor, void** data) {
  return guarded(__func__, [&] {
    required(data, "data");
    const Tensor& value = checked(tensor, "tensor").value;
    void* const pointer = host_pointer(value);
    value.context().wait();
    value.storage->forget();
    *data = pointer;
  });
}

chord_status chord_tensor_unmap(chord_tensor* tensor) {
  return guarded(__func__, [&] {
    const Tensor& value = checked(tensor, "tensor").value;
    host_pointer(value);
    value.storage->forget();
  });
}
