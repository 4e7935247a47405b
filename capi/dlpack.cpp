#include "capi/dlpack.hpp"

#include "capi/arguments.hpp"
#include "capi/handles.hpp"
#include "device/cuda/interop.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

DLDataType dlpack_type(DataType type) {
  const bool real = type == DataType::float32 || type == DataType::float64;
  return {real ? dlpack::floating_point : dlpack::signed_integer, std::uint8_t(size_of(type) * 8), 1};
}

DataType type_of(const DLDataType& type) {
  for (const DataType each : {DataType::float32, DataType::float64, DataType::int32, DataType::int64}) {
    const DLDataType known = dlpack_type(each);
    if (known.code == type.code && known.bits == type.bits && type.lanes == 1) return each;
  }
  fail(Status::invalid_type, "DLPack type code ", int(type.code), " with ", int(type.bits), " bits and ", type.lanes,
       " lanes; expected float or signed integer of 32 or 64 bits, one lane");
}

/// What an exported tensor needs as long as its receiver holds it.
struct Export {
  DLManagedTensorVersioned managed{};
  Tensor tensor;
  std::function<void()> before_release;  // no exception may leave a deleter

  ~Export() {
    try {
      if (before_release && !tensor.context().abandoned()) before_release();
    } catch (...) {
      // The device is lost, and with it whatever could have been in disorder.
    }
  }
};

DLDevice dlpack_device(Context& context) {
  if (is_cuda(context)) return {dlpack::cuda, cuda_stream(context).device};
  if (!context.device().host_readable)
    fail(Status::unsupported, "the memory of ", context.device().name, " cannot be exported; copy it to the host");
  return {dlpack::cpu, 0};
}

DLManagedTensorVersioned* exported(const Tensor& tensor, std::function<void()> before_release) {
  tensor.storage->expose();
  auto result = std::make_unique<Export>();
  result->tensor = tensor;
  result->before_release = std::move(before_release);
  DLManagedTensorVersioned& managed = result->managed;
  managed.version = {dlpack::major_version, 0};
  managed.flags = has_shared_elements(tensor) ? dlpack::read_only : 0;
  managed.manager_ctx = result.get();
  managed.deleter = [](DLManagedTensorVersioned* self) { delete static_cast<Export*>(self->manager_ctx); };
  managed.dl_tensor.data = tensor.data<void>();
  managed.dl_tensor.device = dlpack_device(tensor.context());
  managed.dl_tensor.ndim = tensor.rank();
  managed.dl_tensor.dtype = dlpack_type(tensor.type);
  managed.dl_tensor.shape = const_cast<std::int64_t*>(result->tensor.shape.data());
  managed.dl_tensor.strides = const_cast<std::int64_t*>(result->tensor.strides.data());
  return &result.release()->managed;
}

/// Throws unless memory of this device can be used by the context in place.
void expect_same_memory(Context& context, const DLDevice& device) {
  const bool host = device.device_type == dlpack::cpu || device.device_type == dlpack::cuda_host;
  if (!host && device.device_type != dlpack::cuda)
    fail(Status::unsupported, "DLPack device type ", device.device_type,
         "; expected host memory (1 or 3) or that of an NVIDIA GPU (2)");
  if (host && context.device().host_readable) return;
  if (!host && is_cuda(context) && cuda_stream(context).device == device.device_id) return;
  fail(Status::unsupported, context.device().name, " (", context.device().selector, ") cannot use ",
       host ? "host memory" : text("memory of CUDA device ", device.device_id), " in place; copy it first");
}

}  // namespace

chord_status chord_tensor_to_dlpack(const chord_tensor* tensor, DLManagedTensorVersioned** managed) {
  return guarded(__func__, [&] {
    required(managed, "managed");
    const Tensor& value = checked(tensor, "tensor").value;
    value.context().wait();
    *managed = exported(value, {});
  });
}

chord_status chord_tensor_to_dlpack_on_cuda_stream(const chord_tensor* tensor, intptr_t stream,
                                                   DLManagedTensorVersioned** managed) {
  return guarded(__func__, [&] {
    required(managed, "managed");
    const Tensor& value = checked(tensor, "tensor").value;
    if (!is_cuda(value.context()))
      fail(Status::unsupported, "the tensor is on ", value.context().device().selector, "; expected a CUDA device");
    if (stream == 0 || stream < -1)
      fail(Status::invalid_argument, "stream is ", stream, "; expected -1, 1, 2 or the address of a CUstream");
    if (stream == -1) {
      *managed = exported(value, {});
      return;
    }
    // 1 and 2 are the driver's own names for the default streams.
    void* const other = reinterpret_cast<void*>(stream);
    let_cuda_stream_wait(value.context(), other);
    *managed =
        exported(value, [context = value.storage->shared_context(), other] { wait_for_cuda_stream(*context, other); });
  });
}

chord_status chord_tensor_from_dlpack(chord_context* context, DLManagedTensorVersioned* managed,
                                      chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    required(managed, "managed");
    if (managed->version.major != dlpack::major_version)
      fail(Status::unsupported, "DLPack version ", managed->version.major, '.', managed->version.minor,
           "; expected 1.x");
    const DLTensor& source = managed->dl_tensor;
    Context& target = *checked(context, "context").value;
    expect_same_memory(target, source.device);
    if (managed->flags & dlpack::read_only) fail(Status::unsupported, "the DLPack tensor is read-only; copy it first");
    const Extents shape = shape_of(source.ndim, source.shape);
    const auto accepted = std::make_shared<bool>(false);
    char* data = static_cast<char*>(source.data);
    const Tensor value =
        foreign_tensor(checked(context, "context").value, type_of(source.dtype), shape,
                       strides_of(shape, source.strides), data ? data + source.byte_offset : nullptr, [=] {
                         if (*accepted && managed->deleter) managed->deleter(managed);
                       });
    *tensor = make_handle<chord_tensor>(value);
    *accepted = true;
  });
}
