#include "capi/dlpack.hpp"

#include "capi/arguments.hpp"
#include "capi/handles.hpp"

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
};

}  // namespace

chord_status chord_tensor_to_dlpack(const chord_tensor* tensor, DLManagedTensorVersioned** managed) {
  return guarded(__func__, [&] {
    required(managed, "managed");
    const Tensor& value = checked(tensor, "tensor").value;
    if (!value.context().device().host_readable)
      fail(Status::unsupported, "the memory of ", value.context().device().name,
           " cannot be exported; copy it to the host");
    value.context().wait();
    value.storage->expose();
    auto exported = std::make_unique<Export>();
    exported->tensor = value;
    DLManagedTensorVersioned& result = exported->managed;
    result.version = {dlpack::major_version, 0};
    result.manager_ctx = exported.get();
    result.deleter = [](DLManagedTensorVersioned* self) { delete static_cast<Export*>(self->manager_ctx); };
    result.dl_tensor.data = value.data<void>();
    result.dl_tensor.device = {dlpack::cpu, 0};
    result.dl_tensor.ndim = value.rank();
    result.dl_tensor.dtype = dlpack_type(value.type);
    result.dl_tensor.shape = const_cast<std::int64_t*>(exported->tensor.shape.data());
    result.dl_tensor.strides = const_cast<std::int64_t*>(exported->tensor.strides.data());
    *managed = &exported.release()->managed;
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
    if (source.device.device_type != dlpack::cpu && source.device.device_type != dlpack::cuda_host)
      fail(Status::unsupported, "DLPack device type ", source.device.device_type, "; expected host memory (1 or 3)");
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
