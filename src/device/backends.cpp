#include "device/backends.hpp"

#include "device/cuda/cuda_backend.hpp"
#include "device/host/host_backend.hpp"
#include "device/pretend/pretend_backend.hpp"
#include "device/sycl/loader.hpp"

namespace chord {
namespace {

constexpr BackendEntry table[] = {
    {"host", open_host_backend},
    {"cuda", open_cuda_backend},
#ifdef CHORD_WITH_SYCL
    {CHORD_SYCL_BACKEND, open_sycl_backend},
#endif
#ifdef CHORD_PRETEND_GPU
    {"pretend", open_pretend_backend},
#endif
};

}  // namespace

std::span<const BackendEntry> backend_table() { return table; }

}  // namespace chord
