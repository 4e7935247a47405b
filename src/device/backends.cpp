#include "device/backends.hpp"

#include "device/cuda/cuda_backend.hpp"
#include "device/host/host_backend.hpp"
#include "device/pretend/pretend_backend.hpp"
#include "device/sycl/loader.hpp"

namespace chord {
namespace {

#ifndef CHORD_SYCL_BACKEND
#define CHORD_SYCL_BACKEND "sycl"
#endif

constexpr BackendEntry table[] = {
    {"host", open_host_backend},
    {"cuda", open_cuda_backend},
#ifdef CHORD_WITH_SYCL
    {CHORD_SYCL_BACKEND, open_sycl_backend},
#endif
#if CHORD_PRETEND_GPU
    {"pretend", open_pretend_backend},
#endif
};

}  // namespace

const char* sycl_backend() { return CHORD_SYCL_BACKEND; }

std::span<const BackendEntry> backend_table() { return table; }

}  // namespace chord
