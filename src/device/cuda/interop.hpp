// What others may know of a context on an NVIDIA GPU: its stream, so that their work and ours come in order.
#pragma once

#include "device/context.hpp"

namespace chord {

struct CudaStream {
  int device;
  void* stream;  ///< a CUstream
};

/// Throws Status::unsupported where the context is of another backend.
CudaStream cuda_stream(Context& context);
bool is_cuda(const Context& context);

/// Work of the other stream from now on comes after the context's so far, and the other way round.
void let_cuda_stream_wait(Context& context, void* other);
void wait_for_cuda_stream(Context& context, void* other);

}  // namespace chord
