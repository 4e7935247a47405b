// The structs of DLPack's C interface, version 1, as its specification lays them out.
#pragma once

#include <cstdint>

extern "C" {

struct DLPackVersion {
  std::uint32_t major, minor;
};

struct DLDevice {
  std::int32_t device_type, device_id;
};

struct DLDataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};

struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null where contiguous
  std::uint64_t byte_offset;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};
}

namespace chord::dlpack {

inline constexpr std::uint32_t major_version = 1;
inline constexpr std::int32_t cpu = 1, cuda = 2, cuda_host = 3;
inline constexpr std::uint8_t signed_integer = 0, floating_point = 2;
inline constexpr std::uint64_t read_only = 1;

}  // namespace chord::dlpack
