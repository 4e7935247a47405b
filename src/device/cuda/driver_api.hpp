// What is used of the CUDA driver API: our own declarations, so that neither building nor running needs anything of
// NVIDIA's but the driver. Names are those under which libcuda.so.1 exports today's versions of its functions.
#pragma once

#include <cstddef>

namespace chord::cuda {

using Result = int;
using Device = int;
using Address = unsigned long long;  ///< in the memory of a device
inline Address address_of(const void* memory) { return reinterpret_cast<Address>(memory); }
struct DriverContext;
struct Stream;
struct Event;
struct Module;
struct Function;
struct Graph;
struct GraphExec;

/// The newest of these functions came with CUDA 11.4 (drivers from R470 on).
inline constexpr int oldest_driver = 11040;

enum : Result {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  misaligned_address = 716,
  launch_failed = 719,
  system_driver_mismatch = 803,
  capture_unsupported = 900,
  capture_invalidated = 901,
  unknown_error = 999,
};

enum : int {  // attributes of a device
  max_threads_per_block = 1,
  multiprocessors = 16,
  compute_mode = 20,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  shared_bytes_per_block = 97,  // the most that a function can ask for
};
enum : int {
  function_max_threads = 0,
  function_local_bytes = 3,
  function_registers = 4,
  function_shared_bytes = 8,  // that a launch gives it at most
};
enum : int { pointer_context = 1, pointer_memory_type = 2, pointer_device = 9 };
enum : int { memory_host = 1, memory_device = 2 };
enum : int { jit_error_log = 5, jit_error_log_bytes = 6 };
enum : unsigned { stream_does_not_wait_for_default = 1, event_without_times = 2 };
enum : int { capture_of_this_thread = 1 };

#define CHORD_CUDA_FUNCTIONS(X)                                                                                    \
  X(cuInit, unsigned flags)                                                                                        \
  X(cuDriverGetVersion, int* version)                                                                              \
  X(cuGetErrorName, Result error, const char** name)                                                               \
  X(cuGetErrorString, Result error, const char** sentence)                                                         \
  X(cuDeviceGetCount, int* count)                                                                                  \
  X(cuDeviceGet, Device* device, int index)                                                                        \
  X(cuDeviceGetName, char* name, int bytes, Device device)                                                         \
  X(cuDeviceGetAttribute, int* value, int attribute, Device device)                                                \
  X(cuDeviceTotalMem_v2, std::size_t* bytes, Device device)                                                        \
  X(cuDevicePrimaryCtxRetain, DriverContext** context, Device device)                                              \
  X(cuDevicePrimaryCtxRelease_v2, Device device)                                                                   \
  X(cuCtxPushCurrent_v2, DriverContext* context)                                                                   \
  X(cuCtxPopCurrent_v2, DriverContext** context)                                                                   \
  X(cuStreamCreate, Stream** stream, unsigned flags)                                                               \
  X(cuStreamDestroy_v2, Stream* stream)                                                                            \
  X(cuStreamGetCtx, Stream* stream, DriverContext** context)                                                       \
  X(cuStreamSynchronize, Stream* stream)                                                                           \
  X(cuStreamWaitEvent, Stream* stream, Event* event, unsigned flags)                                               \
  X(cuStreamBeginCapture_v2, Stream* stream, int mode)                                                             \
  X(cuStreamEndCapture, Stream* stream, Graph** graph)                                                             \
  X(cuGraphInstantiateWithFlags, GraphExec** exec, Graph* graph, unsigned long long flags)                         \
  X(cuGraphLaunch, GraphExec* exec, Stream* stream)                                                                \
  X(cuGraphDestroy, Graph* graph)                                                                                  \
  X(cuGraphExecDestroy, GraphExec* exec)                                                                           \
  X(cuEventCreate, Event** event, unsigned flags)                                                                  \
  X(cuEventDestroy_v2, Event* event)                                                                               \
  X(cuEventRecord, Event* event, Stream* stream)                                                                   \
  X(cuEventSynchronize, Event* event)                                                                              \
  X(cuMemAlloc_v2, Address* address, std::size_t bytes)                                                            \
  X(cuMemFree_v2, Address address)                                                                                 \
  X(cuMemGetInfo_v2, std::size_t* free, std::size_t* total)                                                        \
  X(cuMemHostAlloc, void** memory, std::size_t bytes, unsigned flags)                                              \
  X(cuMemFreeHost, void* memory)                                                                                   \
  X(cuMemcpyAsync, Address to, Address from, std::size_t bytes, Stream* stream)                                    \
  X(cuPointerGetAttribute, void* value, int attribute, Address address)                                            \
  X(cuModuleLoadDataEx, Module** module, const void* image, unsigned count, int* options, void** values)           \
  X(cuModuleUnload, Module* module)                                                                                \
  X(cuModuleGetFunction, Function** function, Module* module, const char* name)                                    \
  X(cuFuncGetAttribute, int* value, int attribute, Function* function)                                             \
  X(cuFuncSetAttribute, Function* function, int attribute, int value)                                              \
  X(cuLaunchKernel, Function* function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned items_x, \
    unsigned items_y, unsigned items_z, unsigned shared_bytes, Stream* stream, void** parameters, void** extra)

}  // namespace chord::cuda
