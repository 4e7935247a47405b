// Where a tensor's first element is, in whatever memory: for an MPI that can touch it.
#pragma once

#include <chord/chord.hpp>

#include "capi/dlpack.hpp"

namespace parallel {

/// Of a device whose memory the host cannot touch, as DLPack tells it.
inline void* device_address(const chord::Tensor& tensor) {
  constexpr std::intptr_t in_no_order = -1;
  DLManagedTensorVersioned* managed = nullptr;
  chord::check(chord_tensor_to_dlpack_on_cuda_stream(tensor.get(), in_no_order, &managed));
  char* const address = static_cast<char*>(managed->dl_tensor.data) + managed->dl_tensor.byte_offset;
  managed->deleter(managed);
  return address;
}

}  // namespace parallel
