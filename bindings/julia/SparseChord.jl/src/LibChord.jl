"""
Generated from chord.h by bindings/generate; not to be edited. Functions and types have the names of C. Structs have a
constructor with keywords: all else is zero, and `struct_size` is set.
"""
module LibChord

# Found by this name once SparseChord has loaded the library from wherever it is.
const libchord = "libchord.so.1"

zero_of(::Type{T}) where {T<:Number} = zero(T)
zero_of(::Type{Ptr{T}}) where {T} = Ptr{T}(C_NULL)
zero_of(::Type{NTuple{N,T}}) where {N,T} = ntuple(_ -> zero(T), N)

# Conventions

const CHORD_VERSION_MAJOR = Int32(0)
const CHORD_VERSION_MINOR = Int32(2)
const CHORD_VERSION_PATCH = Int32(0)
"""
```text
Grows with every incompatible change of this header; it is the library's SOVERSION.
```
"""
const CHORD_ABI_VERSION = Int32(1)
"""
```text
0 or 1
```
"""
const chord_flag = Int32
# Errors

"""
```text
0 is success, everything else an error. Values are never reused.
```
"""
const chord_status = Int32
const CHORD_SUCCESS = Int32(0)
"""
```text
a value outside its range, or memory shared where it must not be
```
"""
const CHORD_ERROR_INVALID_ARGUMENT = Int32(1)
"""
```text
NULL, destroyed, or a handle of another kind
```
"""
const CHORD_ERROR_INVALID_HANDLE = Int32(2)
"""
```text
shapes or strides that do not fit together
```
"""
const CHORD_ERROR_INVALID_SHAPE = Int32(3)
"""
```text
element types that do not fit together
```
"""
const CHORD_ERROR_INVALID_TYPE = Int32(4)
"""
```text
sizes beyond what can be addressed
```
"""
const CHORD_ERROR_TOO_LARGE = Int32(5)
const CHORD_ERROR_OUT_OF_MEMORY = Int32(6)
const CHORD_ERROR_NO_SUCH_DEVICE = Int32(7)
"""
```text
the device or its runtime failed
```
"""
const CHORD_ERROR_DEVICE_FAILURE = Int32(8)
"""
```text
the kernels could not be compiled for the device
```
"""
const CHORD_ERROR_COMPILATION_FAILED = Int32(9)
"""
```text
a file could not be read or written
```
"""
const CHORD_ERROR_IO_FAILURE = Int32(10)
"""
```text
used in a forked child
```
"""
const CHORD_ERROR_FORKED = Int32(11)
"""
```text
the device or this build cannot do that
```
"""
const CHORD_ERROR_UNSUPPORTED = Int32(12)
"""
```text
objects of different contexts
```
"""
const CHORD_ERROR_CONTEXT_MISMATCH = Int32(13)
"""
```text
a defect of this library
```
"""
const CHORD_ERROR_INTERNAL = Int32(14)
"""
```text
a file whose content is not what it should be
```
"""
const CHORD_ERROR_INVALID_FILE = Int32(15)
"""
```text
a callback asked to stop
```
"""
const CHORD_ERROR_STOPPED = Int32(16)
"""
```text
The name of a status, e.g. \"CHORD_ERROR_INVALID_SHAPE\"; \"unknown status\" for values that are none.
Ownership: a constant of the library. Threads: any.

Returns: at once.
```
"""
chord_status_name(status) =
    ccall((:chord_status_name, libchord), Ptr{UInt8}, (chord_status,), status)

"""
```text
What went wrong in this thread's last call that failed: what, where, and what was expected. Empty if none has.
Ownership: the library's; valid until this thread's next failing call. Threads: each has its own. Never NULL.

Returns: at once.
```
"""
chord_last_error() =
    ccall((:chord_last_error, libchord), Ptr{UInt8}, ())

"""
```text
The same into memory of the caller's, cut where `capacity` bytes do not hold it and its NUL; `length` (may be NULL)
is the whole text's, without the NUL. For runtimes that move between threads: call it with the failing call, before
they can. Ownership: `text` is the caller's. Threads: each has its own error.

Returns: at once.
`text`: an array [capacity].
`length`: NULL allowed.
```
"""
chord_last_error_copy(text, capacity, length) =
    ccall((:chord_last_error_copy, libchord), chord_status, (Cstring, Csize_t, Ptr{Csize_t},), text, capacity, length)

# Library and log

"""
```text
The version of the library in use, which may differ from the header's. Pointers may be NULL.
Ownership: none. Threads: any.

Returns: at once.
`major`: NULL allowed.
`minor`: NULL allowed.
`patch`: NULL allowed.
```
"""
chord_version(major, minor, patch) =
    ccall((:chord_version, libchord), chord_status, (Ptr{Int32}, Ptr{Int32}, Ptr{Int32},), major, minor, patch)

"""
```text
CHORD_ABI_VERSION of the library in use.
Ownership: none. Threads: any.

Returns: at once.
```
"""
chord_abi_version(version) =
    ccall((:chord_abi_version, libchord), chord_status, (Ptr{Int32},), version)

const chord_log_level = Int32
const CHORD_LOG_INFO = Int32(0)
const CHORD_LOG_WARNING = Int32(1)
# chord_log_callback: a C function (level::chord_log_level, message::Ptr{UInt8}, user::Ptr{Cvoid}) -> Cvoid
"""
```text
Where messages go, e.g. \"compiling kernels…\"; silent until set, and again with NULL. The callback may call this
library, but not open the device it is told about, and must not throw. It comes in whatever thread uses the library,
in several at once, too. The function returns when the callback set before is no longer running, so that what it uses
can go; called by such a callback, it does not wait.
Ownership: `user` stays the caller's. Threads: any.

Returns: after waiting for work.
`callback`: NULL allowed.
`user`: NULL allowed.
```
"""
chord_set_log_callback(callback, user) =
    ccall((:chord_set_log_callback, libchord), chord_status, (Ptr{Cvoid}, Ptr{Cvoid},), callback, user)

"""
```text
The folder in which compiled kernels are kept; empty for a user without one, where nothing is kept.
Ownership: the library's, valid until the process ends. Threads: any.

Returns: at once.
`path`: valid as long as the process.
```
"""
chord_cache_directory(path) =
    ccall((:chord_cache_directory, libchord), chord_status, (Ptr{Ptr{UInt8}},), path)

"""
```text
The text that is given to the SYCL compiler at run time: all kernels, each with an entry point of its own.
Ownership: the library's, valid until the process ends. Threads: any.

Returns: at once.
`source`: valid as long as the process.
```
"""
chord_kernel_source(source) =
    ccall((:chord_kernel_source, libchord), chord_status, (Ptr{Ptr{UInt8}},), source)

"""
```text
The kernels as PTX, as the NVIDIA driver gets them; NULL where the library was built without (chord-info says why).
Ownership: the library's, valid until the process ends. Threads: any.

Returns: at once.
`ptx`: valid as long as the process.
```
"""
chord_kernel_ptx(ptx) =
    ccall((:chord_kernel_ptx, libchord), chord_status, (Ptr{Ptr{UInt8}},), ptx)

# Devices

"""
```text
A backend: one way of compiling and running the kernels that this library was built with.
available: 0 where it cannot be used here; `detail` says why and what to do
reserved: 0
name: host, cuda, runtime, dpcpp, adaptivecpp
detail: what it runs on, or why it cannot
```
"""
struct chord_backend_info
    struct_size::Csize_t
    available::chord_flag
    reserved::Int32
    name::NTuple{32,UInt8}
    detail::NTuple{1024,UInt8}
end
chord_backend_info(; available=zero_of(chord_flag), reserved=zero_of(Int32), name=zero_of(NTuple{32,UInt8}), detail=zero_of(NTuple{1024,UInt8})) =
    chord_backend_info(sizeof(chord_backend_info), available, reserved, name, detail)
@assert sizeof(chord_backend_info) == 1072
@assert [fieldoffset(chord_backend_info, i) for i in 1:5] == [0, 8, 12, 16, 48]

"""
```text
How many backends there are, and each of them. The first call loads the device runtimes.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_backend_count(count) =
    ccall((:chord_backend_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
How many backends there are, and each of them. The first call loads the device runtimes.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_backend_get_info(index, info) =
    ccall((:chord_backend_get_info, libchord), chord_status, (Int32, Ptr{chord_backend_info},), index, info)

const chord_device_kind = Int32
"""
```text
this process's own threads
```
"""
const CHORD_DEVICE_HOST = Int32(0)
"""
```text
a SYCL CPU device
```
"""
const CHORD_DEVICE_CPU = Int32(1)
const CHORD_DEVICE_GPU = Int32(2)
const CHORD_DEVICE_OTHER = Int32(3)
"""
```text
kind: CHORD_DEVICE_…
units: cores or multiprocessors
memory_bytes: all it has, in use or not
host_readable: 1: tensors can be touched by the host (chord_tensor_map) and wrap host memory
has_float64: 1: it computes in double precision
selector: opens this very device
backend: the name of its backend
name: its maker's, for people
```
"""
struct chord_device_info
    struct_size::Csize_t
    kind::chord_device_kind
    units::Int32
    memory_bytes::UInt64
    host_readable::chord_flag
    has_float64::chord_flag
    selector::NTuple{64,UInt8}
    backend::NTuple{32,UInt8}
    name::NTuple{256,UInt8}
end
chord_device_info(; kind=zero_of(chord_device_kind), units=zero_of(Int32), memory_bytes=zero_of(UInt64), host_readable=zero_of(chord_flag), has_float64=zero_of(chord_flag), selector=zero_of(NTuple{64,UInt8}), backend=zero_of(NTuple{32,UInt8}), name=zero_of(NTuple{256,UInt8})) =
    chord_device_info(sizeof(chord_device_info), kind, units, memory_bytes, host_readable, has_float64, selector, backend, name)
@assert sizeof(chord_device_info) == 384
@assert [fieldoffset(chord_device_info, i) for i in 1:9] == [0, 8, 12, 16, 24, 28, 32, 96, 128]

"""
```text
How many devices there are, and each of them; the host is number 0.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_device_count(count) =
    ccall((:chord_device_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
How many devices there are, and each of them; the host is number 0.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_device_get_info(index, info) =
    ccall((:chord_device_get_info, libchord), chord_status, (Int32, Ptr{chord_device_info},), index, info)

# Context

"""
```text
A device opened for work: an in-order queue and a pool of memory.
```
"""
abstract type chord_context end
"""
```text
Opens a device. `selector`: NULL or \"auto\" (the environment's CHORD_DEVICE, else the first GPU, else the host),
\"auto:float64\" (the same, passing over GPUs without float64), \"host\", \"cpu\" (a SYCL CPU device), \"gpu\", \"cuda\" (an
NVIDIA GPU through its driver), a SYCL driver (\"opencl\", \"level_zero\", \"sycl_cuda\", \"hip\", \"omp\"), or one of their
devices by number (\"cuda:1\"). CUDA_VISIBLE_DEVICES and its like hold. The first SYCL context
of a machine compiles the kernels, which takes seconds; later ones find them in the cache (OpenCL devices; on others
the SYCL runtime keeps them if SYCL_CACHE_PERSISTENT=1).
Ownership: the caller's. Threads: any.

Returns: after long work of its own.
`selector`: NULL allowed.
```
"""
chord_context_create(selector, context) =
    ccall((:chord_context_create, libchord), chord_status, (Cstring, Ptr{Ptr{chord_context}},), selector, context)

"""
```text
A context on a CUDA stream of the caller's, so that its work and ours come in order without a wait. `stream` is a
CUstream (or cudaStream_t) of the device's primary context, which PyTorch and the CUDA runtime use too; NULL is the
default stream. `device` is CUDA's number of the device.
Ownership: the context is the caller's; the stream stays the caller's, who destroys it after the context and all
objects in it. Threads: any.

Returns: after long work of its own.
`stream`: NULL allowed.
```
"""
chord_context_create_on_cuda_stream(device, stream, context) =
    ccall((:chord_context_create_on_cuda_stream, libchord), chord_status, (Int32, Ptr{Cvoid}, Ptr{Ptr{chord_context}},), device, stream, context)

"""
```text
A context on a SYCL queue of the caller's; chord_sycl.hpp is the safe way to call it. `queue` is a sycl::queue*, in
order, of the SYCL runtime that chord::sycl_runtime() of that header names in `runtime`; the context keeps a copy.
Ownership: the context is the caller's, the queue stays the caller's. Threads: any.

Returns: after long work of its own.
```
"""
chord_context_create_on_sycl_queue(queue, runtime, context) =
    ccall((:chord_context_create_on_sycl_queue, libchord), chord_status, (Ptr{Cvoid}, Cstring, Ptr{Ptr{chord_context}},), queue, runtime, context)

"""
```text
The stream a CUDA context works on, a CUstream, and the number of its device (`device` may be NULL). Others can order
their work after ours with it (cuStreamWaitEvent), or hand it to __dlpack__(stream=…) before an import.
Ownership: the context's. Threads: any.

Returns: at once.
`device`: NULL allowed.
`stream`: owned by `context`.
```
"""
chord_context_get_cuda_stream(context, device, stream) =
    ccall((:chord_context_get_cuda_stream, libchord), chord_status, (Ptr{chord_context}, Ptr{Int32}, Ptr{Ptr{Cvoid}},), context, device, stream)

"""
```text
Ownership: takes `context`; it closes when no object in it is left. Threads: any.

Returns: after waiting for work.
`context`: NULL allowed.
```
"""
chord_context_destroy(context) =
    ccall((:chord_context_destroy, libchord), chord_status, (Ptr{chord_context},), context)

"""
```text
Waits for the work queued so far and destroys the context and all objects in it, whoever has their handles: these are
CHORD_ERROR_INVALID_HANDLE from then on, also when they are destroyed once more. Memory that was exported by DLPack
lives until it is given back. An error of queued work is reported, and the context closed nevertheless.
Ownership: takes `context` and the objects in it. Threads: any; a call in another thread that uses one of them ends
first, and the object with it.

Returns: after waiting for work.
```
"""
chord_context_close(context) =
    ccall((:chord_context_close, libchord), chord_status, (Ptr{chord_context},), context)

"""
```text
How many objects are alive in a context, itself left out; or in the whole process, if `context` is NULL, those that
are in none (matrices, datasets, …) and contexts included. Ownership: none. Threads: any.

Returns: at once.
`context`: NULL allowed.
```
"""
chord_context_count_objects(context, count) =
    ccall((:chord_context_count_objects, libchord), chord_status, (Ptr{chord_context}, Ptr{Int64},), context, count)

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_context_get_device(context, info) =
    ccall((:chord_context_get_device, libchord), chord_status, (Ptr{chord_context}, Ptr{chord_device_info},), context, info)

"""
```text
Returns when all work queued so far is done; reports the first error of queued work since the last wait.
Ownership: none. Threads: any; others may go on queueing meanwhile.

Returns: after waiting for work.
```
"""
chord_context_wait(context) =
    ccall((:chord_context_wait, libchord), chord_status, (Ptr{chord_context},), context)

"""
```text
bytes_in_use: what tensors and running operations have now
peak_bytes: the most that was ever in use
reserved_bytes: held from the device, in use or kept for reuse
device_allocations: how often the device was asked; constant once a repeated operation is warm
```
"""
struct chord_memory_info
    struct_size::Csize_t
    bytes_in_use::UInt64
    peak_bytes::UInt64
    reserved_bytes::UInt64
    device_allocations::UInt64
end
chord_memory_info(; bytes_in_use=zero_of(UInt64), peak_bytes=zero_of(UInt64), reserved_bytes=zero_of(UInt64), device_allocations=zero_of(UInt64)) =
    chord_memory_info(sizeof(chord_memory_info), bytes_in_use, peak_bytes, reserved_bytes, device_allocations)
@assert sizeof(chord_memory_info) == 40
@assert [fieldoffset(chord_memory_info, i) for i in 1:5] == [0, 8, 16, 24, 32]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_context_get_memory(context, info) =
    ccall((:chord_context_get_memory, libchord), chord_status, (Ptr{chord_context}, Ptr{chord_memory_info},), context, info)

"""
```text
Waits, then gives the memory kept for reuse back to the device.
Ownership: none. Threads: any.

Returns: after waiting for work.
```
"""
chord_context_trim(context) =
    ccall((:chord_context_trim, libchord), chord_status, (Ptr{chord_context},), context)

# Tensor

"""
```text
An array in a context's memory: type, shape and strides.
```
"""
abstract type chord_tensor end
const chord_type = Int32
const CHORD_FLOAT32 = Int32(0)
const CHORD_FLOAT64 = Int32(1)
const CHORD_INT32 = Int32(2)
const CHORD_INT64 = Int32(3)
const CHORD_MAX_RANK = Int32(8)
"""
```text
A new tensor, contiguous, its values undefined. Extents may be 0; the product of the others, in bytes, is below 2^63.
Ownership: the result is the caller's. Threads: any.

Returns: at once.
`shape`: an array [rank].
```
"""
chord_tensor_create(context, type_, rank, shape, tensor) =
    ccall((:chord_tensor_create, libchord), chord_status, (Ptr{chord_context}, chord_type, Int32, Ptr{Int64}, Ptr{Ptr{chord_tensor}},), context, type_, rank, shape, tensor)

"""
```text
A new tensor with a copy of contiguous host memory.
Ownership: the result is the caller's; `data` stays the caller's and is free to go. Threads: any.

Returns: when the work is queued.
`shape`: an array [rank].
`data`: an array [elements of the shape].
```
"""
chord_tensor_create_from_host(context, type_, rank, shape, data, tensor) =
    ccall((:chord_tensor_create_from_host, libchord), chord_status, (Ptr{chord_context}, chord_type, Int32, Ptr{Int64}, Ptr{Cvoid}, Ptr{Ptr{chord_tensor}},), context, type_, rank, shape, data, tensor)

"""
```text
The same from `bytes` of it, which must be exactly the tensor's size: for languages that know how much they have.
Ownership: as above. Threads: any.

Returns: when the work is queued.
`shape`: an array [rank].
`data`: an array [bytes].
```
"""
chord_tensor_create_from_bytes(context, type_, rank, shape, data, bytes, tensor) =
    ccall((:chord_tensor_create_from_bytes, libchord), chord_status, (Ptr{chord_context}, chord_type, Int32, Ptr{Int64}, Ptr{Cvoid}, Csize_t, Ptr{Ptr{chord_tensor}},), context, type_, rank, shape, data, bytes, tensor)

# chord_release_callback: a C function (user::Ptr{Cvoid}) -> Cvoid
"""
```text
Host memory used in place, without a copy, on devices whose info says host_readable. `strides` count elements; NULL
means contiguous. Overlapping elements (a stride of 0, say) make it read-only.
Ownership: `data` stays the caller's and must live until `release` (which may be NULL) is called: once, after the
last tensor that looks at it is gone and the queue has drained. On failure it is not called. Threads: any; `release`
is called in the thread that destroys the last tensor, or whose call was the last to use it, and may not end it.

Returns: at once.
`shape`: an array [rank].
`strides`: an array [rank], NULL allowed.
`data`: an array [elements of the shape].
`release`: NULL allowed.
`user`: NULL allowed.
```
"""
chord_tensor_wrap(context, type_, rank, shape, strides, data, release, user, tensor) =
    ccall((:chord_tensor_wrap, libchord), chord_status, (Ptr{chord_context}, chord_type, Int32, Ptr{Int64}, Ptr{Int64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{chord_tensor}},), context, type_, rank, shape, strides, data, release, user, tensor)

"""
```text
Another look at a tensor's memory: a slice, a transpose, a repetition. `offset` and `strides` count elements from the
tensor's first; NULL strides mean contiguous. It stays between the tensor's lowest and highest element in memory.
Ownership: the result is the caller's and keeps the memory alive. Threads: any.

Returns: at once.
`shape`: an array [rank].
`strides`: an array [rank], NULL allowed.
```
"""
chord_tensor_view(tensor, rank, shape, strides, offset, view) =
    ccall((:chord_tensor_view, libchord), chord_status, (Ptr{chord_tensor}, Int32, Ptr{Int64}, Ptr{Int64}, Int64, Ptr{Ptr{chord_tensor}},), tensor, rank, shape, strides, offset, view)

"""
```text
Ownership: takes `tensor`. Threads: any; queued work that uses it is not disturbed.

Returns: after waiting for work.
`tensor`: NULL allowed.
```
"""
chord_tensor_destroy(tensor) =
    ccall((:chord_tensor_destroy, libchord), chord_status, (Ptr{chord_tensor},), tensor)

"""
```text
The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before
it; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.
Ownership: `data` is the caller's. Threads: any.

Returns: after waiting for work.
`data`: an array [bytes].
```
"""
chord_tensor_to_host(tensor, data, bytes) =
    ccall((:chord_tensor_to_host, libchord), chord_status, (Ptr{chord_tensor}, Ptr{Cvoid}, Csize_t,), tensor, data, bytes)

"""
```text
The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before
it; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.
Ownership: `data` is the caller's. Threads: any.

Returns: when the work is queued.
`data`: an array [bytes].
```
"""
chord_tensor_from_host(tensor, data, bytes) =
    ccall((:chord_tensor_from_host, libchord), chord_status, (Ptr{chord_tensor}, Ptr{Cvoid}, Csize_t,), tensor, data, bytes)

"""
```text
tensor = value everywhere; to = from (same type and shape, one context).
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_tensor_fill(tensor, value) =
    ccall((:chord_tensor_fill, libchord), chord_status, (Ptr{chord_tensor}, Float64,), tensor, value)

"""
```text
tensor = value everywhere; to = from (same type and shape, one context).
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_tensor_copy(from, to) =
    ccall((:chord_tensor_copy, libchord), chord_status, (Ptr{chord_tensor}, Ptr{chord_tensor},), from, to)

"""
```text
type: CHORD_FLOAT32, …
rank: dimensions, 0 to CHORD_MAX_RANK
shape: `rank` extents, then zeros
strides: likewise, counted in elements
bytes: what its elements take
```
"""
struct chord_tensor_info
    struct_size::Csize_t
    type_::chord_type
    rank::Int32
    shape::NTuple{8,Int64}
    strides::NTuple{8,Int64}
    bytes::UInt64
end
chord_tensor_info(; type_=zero_of(chord_type), rank=zero_of(Int32), shape=zero_of(NTuple{8,Int64}), strides=zero_of(NTuple{8,Int64}), bytes=zero_of(UInt64)) =
    chord_tensor_info(sizeof(chord_tensor_info), type_, rank, shape, strides, bytes)
@assert sizeof(chord_tensor_info) == 152
@assert [fieldoffset(chord_tensor_info, i) for i in 1:6] == [0, 8, 12, 16, 80, 144]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_tensor_get_info(tensor, info) =
    ccall((:chord_tensor_get_info, libchord), chord_status, (Ptr{chord_tensor}, Ptr{chord_tensor_info},), tensor, info)

"""
```text
The first element, where the device's memory is host_readable; otherwise CHORD_ERROR_UNSUPPORTED. Wait for the
context before touching it, and do not touch it while work on it is queued.
Ownership: the tensor's. Threads: any.

Returns: at once.
`data`: owned by `tensor`.
```
"""
chord_tensor_data(tensor, data) =
    ccall((:chord_tensor_data, libchord), chord_status, (Ptr{chord_tensor}, Ptr{Ptr{Cvoid}},), tensor, data)

"""
```text
The same with the wait in it: all work queued so far is done when it returns, and the memory is the caller's, to read
and to write, until chord_tensor_unmap. Work with it that is queued meanwhile, by whatever thread, races with the
caller. Ownership: the memory is the tensor's, which must not be destroyed meanwhile. Threads: any.

Returns: after waiting for work.
`data`: owned by `tensor`.
```
"""
chord_tensor_map(tensor, data) =
    ccall((:chord_tensor_map, libchord), chord_status, (Ptr{chord_tensor}, Ptr{Ptr{Cvoid}},), tensor, data)

"""
```text
The memory is the library's again, with what was written to it.
Ownership: ends what chord_tensor_map began. Threads: any.

Returns: at once.
```
"""
chord_tensor_unmap(tensor) =
    ccall((:chord_tensor_unmap, libchord), chord_status, (Ptr{chord_tensor},), tensor)

"""
```text
DLPack (version 1): exchange with NumPy, PyTorch, JAX and others without a copy, for host-readable memory and
that of NVIDIA GPUs (kDLCUDA). Includers of dlpack.h have this type in full.
```
"""
abstract type DLManagedTensorVersioned end
"""
```text
A repetition (elements that share memory) is exported as read-only. Waits for the work queued so far, so that the
values are there. Ownership: the result is the caller's, who calls its deleter once, in any thread; it keeps the
memory alive. Threads: any.

Returns: after waiting for work.
```
"""
chord_tensor_to_dlpack(tensor, managed) =
    ccall((:chord_tensor_to_dlpack, libchord), chord_status, (Ptr{chord_tensor}, Ptr{Ptr{DLManagedTensorVersioned}},), tensor, managed)

"""
```text
The same for a consumer that works on a CUDA stream, without waiting: the stream waits instead, and when the deleter
is called, our later work waits for what the stream has been given until then. `stream` is as in Python's
__dlpack__(stream=…): −1 orders nothing, 1 is the legacy default stream, 2 that of the thread, anything else a
CUstream's address, which must be valid until the deleter has been called. Only for tensors of CUDA contexts.
Ownership: as above. Threads: any.

Returns: when the work is queued.
```
"""
chord_tensor_to_dlpack_on_cuda_stream(tensor, stream, managed) =
    ccall((:chord_tensor_to_dlpack_on_cuda_stream, libchord), chord_status, (Ptr{chord_tensor}, Int, Ptr{Ptr{DLManagedTensorVersioned}},), tensor, stream, managed)

"""
```text
Ownership: takes `managed` when it succeeds: its deleter is called once, after the last tensor that looks at it is
gone and the queue has drained. On failure it stays the caller's. Threads: any. Memory of an NVIDIA GPU goes to a
context of that device; the producer has ordered its work before the context's stream
(chord_context_get_cuda_stream).

Returns: at once.
```
"""
chord_tensor_from_dlpack(context, managed, tensor) =
    ccall((:chord_tensor_from_dlpack, libchord), chord_status, (Ptr{chord_context}, Ptr{DLManagedTensorVersioned}, Ptr{Ptr{chord_tensor}},), context, managed, tensor)

# Pattern

"""
```text
Where the non-zeros of a factor are.
```
"""
abstract type chord_pattern end
"""
```text
Offsets 0, 1, b, b², … for b = `base` ≥ 2; `links` of them, or, if 0, ⌊log2 n⌋ + 1 for base 2 and all
powers below n for others. They wrap around n.
Ownership: the result is the caller's. Threads: any.

Returns: at once.
```
"""
chord_pattern_create_chord(context, n, base, links, pattern) =
    ccall((:chord_pattern_create_chord, libchord), chord_status, (Ptr{chord_context}, Int64, Int64, Int64, Ptr{Ptr{chord_pattern}},), context, n, base, links, pattern)

"""
```text
Offsets 0, 1, −1, b, −b, …; `links` of them, or all with b^k ≤ n / 2 if 0.
Ownership: the result is the caller's. Threads: any.

Returns: at once.
```
"""
chord_pattern_create_symmetric(context, n, base, links, pattern) =
    ccall((:chord_pattern_create_symmetric, libchord), chord_status, (Ptr{chord_context}, Int64, Int64, Int64, Ptr{Ptr{chord_pattern}},), context, n, base, links, pattern)

"""
```text
Any offsets: of any size and sign, in any order, repeated or not.
Ownership: the result is the caller's; `offsets` stays the caller's. Threads: any.

Returns: at once.
`offsets`: an array [links].
```
"""
chord_pattern_create_custom(context, n, links, offsets, pattern) =
    ccall((:chord_pattern_create_custom, libchord), chord_status, (Ptr{chord_context}, Int64, Int64, Ptr{Int64}, Ptr{Ptr{chord_pattern}},), context, n, links, offsets, pattern)

"""
```text
Ownership: takes `pattern`. Threads: any.

Returns: at once.
`pattern`: NULL allowed.
```
"""
chord_pattern_destroy(pattern) =
    ccall((:chord_pattern_destroy, libchord), chord_status, (Ptr{chord_pattern},), pattern)

"""
```text
Either pointer may be NULL.
Ownership: none. Threads: any.

Returns: at once.
`n`: NULL allowed.
`links`: NULL allowed.
```
"""
chord_pattern_get_size(pattern, n, links) =
    ccall((:chord_pattern_get_size, libchord), chord_status, (Ptr{chord_pattern}, Ptr{Int64}, Ptr{Int64},), pattern, n, links)

"""
```text
The offsets as given; `capacity` must be at least the number of links.
Ownership: `offsets` is the caller's. Threads: any.

Returns: at once.
`offsets`: an array [capacity].
```
"""
chord_pattern_get_offsets(pattern, offsets, capacity) =
    ccall((:chord_pattern_get_offsets, libchord), chord_status, (Ptr{chord_pattern}, Ptr{Int64}, Int64,), pattern, offsets, capacity)

"""
```text
How many factors of a chord pattern connect every row with every column: (b − 1)·⌈log_b n⌉; 0 for n = 1.
Ownership: none. Threads: any.

Returns: at once.
```
"""
chord_full_chain_length(n, base, factors) =
    ccall((:chord_full_chain_length, libchord), chord_status, (Int64, Int64, Ptr{Int64},), n, base, factors)

# Product of one factor

"""
```text
z[i,:] (+)= Σ_k w[i,k] · v[(i+o_k) mod N, :]
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_product(pattern, w, v, z, accumulate) =
    ccall((:chord_product, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, chord_flag,), pattern, w, v, z, accumulate)

"""
```text
dv[j,:] (+)= Σ_k w[(j−o_k) mod N, k] · dz[(j−o_k) mod N, :], the product with the transpose.
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_product_gradient_values(pattern, w, dz, dv, accumulate) =
    ccall((:chord_product_gradient_values, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, chord_flag,), pattern, w, dz, dv, accumulate)

"""
```text
dw[i,k] (+)= ⟨dz[i,:], v[(i+o_k) mod N, :]⟩, summed over the batch where dw has none.
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_product_gradient_weights(pattern, dz, v, dw, accumulate) =
    ccall((:chord_product_gradient_weights, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, chord_flag,), pattern, dz, v, dw, accumulate)

# Chain

"""
```text
M factors that share a pattern. They are applied in stored order: chain(v) = W_M ⋯ W_2 W_1 v, W_1 being weights[0].
```
"""
abstract type chord_chain end
"""
```text
weights: [M, N, L], or [M, B, N, L] with factors of each sequence's own; M = 0 is the identity. residual: 1 adds the
first v again after every factor.
Ownership: the result is the caller's; it looks at `weights`, whose values may change between calls, and keeps its
memory alive. Threads: any.

Returns: at once.
```
"""
chord_chain_create(pattern, weights, residual, chain) =
    ccall((:chord_chain_create, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_tensor}, chord_flag, Ptr{Ptr{chord_chain}},), pattern, weights, residual, chain)

"""
```text
Ownership: takes `chain`. Threads: any.

Returns: after waiting for work.
`chain`: NULL allowed.
```
"""
chord_chain_destroy(chain) =
    ccall((:chord_chain_destroy, libchord), chord_status, (Ptr{chord_chain},), chain)

"""
```text
z = chain(v), both [N, D] or [B, N, D]. tape: NULL, or [M − 1, …] of v's shape, in which the outputs of all factors
but the last are left for chord_chain_gradient. Ownership: none. Threads: any.

Returns: when the work is queued.
`tape`: NULL allowed.
```
"""
chord_chain_apply(chain, v, z, tape) =
    ccall((:chord_chain_apply, libchord), chord_status, (Ptr{chord_chain}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor},), chain, v, z, tape)

"""
```text
z = chainᵀ(v): the transpose of the same linear map, residuals included.
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_chain_apply_transposed(chain, v, z) =
    ccall((:chord_chain_apply_transposed, libchord), chord_status, (Ptr{chord_chain}, Ptr{chord_tensor}, Ptr{chord_tensor},), chain, v, z)

"""
```text
out[r,:] = row indices[r] of the product W_M ⋯ W_1 (residuals left out), [count, N] or [B, count, N], without forming
it: O(M·N·L) a row.
Ownership: `indices` stays the caller's and is read before the call returns. Threads: any.

Returns: when the work is queued.
`indices`: an array [count].
```
"""
chord_chain_rows(chain, indices, count, out) =
    ccall((:chord_chain_rows, libchord), chord_status, (Ptr{chord_chain}, Ptr{Int64}, Int64, Ptr{chord_tensor},), chain, indices, count, out)

"""
```text
out = the product W_M ⋯ W_1 (residuals left out) as a dense matrix, [N, N] or [B, N, N].
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_chain_dense(chain, out) =
    ccall((:chord_chain_dense, libchord), chord_status, (Ptr{chord_chain}, Ptr{chord_tensor},), chain, out)

"""
```text
The gradient of ⟨g, chain(v)⟩ with respect to every factor, dw of the weights' shape, and to v, dv of v's shape or
NULL. tape: as chord_chain_apply left it for the same v and weights, or NULL to compute the intermediates again,
which takes about half as long again and less memory. Ownership: none. Threads: any.

Returns: when the work is queued.
`tape`: NULL allowed.
`dv`: NULL allowed.
```
"""
chord_chain_gradient(chain, v, tape, g, dw, dv, accumulate) =
    ccall((:chord_chain_gradient, libchord), chord_status, (Ptr{chord_chain}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, chord_flag,), chain, v, tape, g, dw, dv, accumulate)

# Matrix

"""
```text
A matrix in host memory, dense or sparse, float64: what is to be factorised. It is in no context, never changes, and
can be used in a forked child. One that is not square is held as the upper left part of a square one: a dense one
takes the memory of n², n being the longer side.
```
"""
abstract type chord_matrix end
"""
```text
Reads a file: MatrixMarket (coordinate files become sparse, all others dense), NumPy's npy, PNG (grey levels from 0
to 255), or safetensors with one tensor of two dimensions. The content tells which, not the name.
CHORD_ERROR_INVALID_FILE if it is none of them, damaged, or has values that are not finite.
Ownership: the result is the caller's. Threads: any.

Returns: at once.
```
"""
chord_matrix_read(path, matrix) =
    ccall((:chord_matrix_read, libchord), chord_status, (Cstring, Ptr{Ptr{chord_matrix}},), path, matrix)

"""
```text
A matrix of n·n finite values, row by row.
Ownership: the result is the caller's; `values` stays the caller's and is free to go. Threads: any.

Returns: at once.
`values`: an array [n * n].
```
"""
chord_matrix_create_dense(n, values, matrix) =
    ccall((:chord_matrix_create_dense, libchord), chord_status, (Int64, Ptr{Float64}, Ptr{Ptr{chord_matrix}},), n, values, matrix)

"""
```text
A matrix of `count` finite entries in any order, rows and columns counted from 0; those at one place are summed.
Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.

Returns: at once.
`rows`: an array [count].
`columns`: an array [count].
`values`: an array [count].
```
"""
chord_matrix_create_sparse(n, count, rows, columns, values, matrix) =
    ccall((:chord_matrix_create_sparse, libchord), chord_status, (Int64, Int64, Ptr{Int64}, Ptr{Int64}, Ptr{Float64}, Ptr{Ptr{chord_matrix}},), n, count, rows, columns, values, matrix)

"""
```text
The same two for matrices that need not be square: rows · columns values, or entries.
Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.

Returns: at once.
`values`: an array [rows * columns].
```
"""
chord_matrix_create_rectangle(rows, columns, values, matrix) =
    ccall((:chord_matrix_create_rectangle, libchord), chord_status, (Int64, Int64, Ptr{Float64}, Ptr{Ptr{chord_matrix}},), rows, columns, values, matrix)

"""
```text
The same two for matrices that need not be square: rows · columns values, or entries.
Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any.

Returns: at once.
`entry_rows`: an array [count].
`entry_columns`: an array [count].
`values`: an array [count].
```
"""
chord_matrix_create_sparse_rectangle(rows, columns, count, entry_rows, entry_columns, values, matrix) =
    ccall((:chord_matrix_create_sparse_rectangle, libchord), chord_status, (Int64, Int64, Int64, Ptr{Int64}, Ptr{Int64}, Ptr{Float64}, Ptr{Ptr{chord_matrix}},), rows, columns, count, entry_rows, entry_columns, values, matrix)

"""
```text
Ownership: takes `matrix`. Threads: any.

Returns: at once.
`matrix`: NULL allowed.
```
"""
chord_matrix_destroy(matrix) =
    ccall((:chord_matrix_destroy, libchord), chord_status, (Ptr{chord_matrix},), matrix)

"""
```text
n: rows, and columns; the larger of the two where they differ
stored: numbers held: rows · columns, or the entries of a sparse one
nonzeros: of those, the ones that are not 0
sparse: 1: only entries are held
symmetric: 1: it equals its transpose, exactly
norm: Frobenius
format: matrix-market, npy, png, safetensors, memory
rows: as the matrix was given
columns: likewise; n is the larger of the two
```
"""
struct chord_matrix_info
    struct_size::Csize_t
    n::Int64
    stored::Int64
    nonzeros::Int64
    sparse::chord_flag
    symmetric::chord_flag
    norm::Float64
    format::NTuple{32,UInt8}
    rows::Int64
    columns::Int64
end
chord_matrix_info(; n=zero_of(Int64), stored=zero_of(Int64), nonzeros=zero_of(Int64), sparse=zero_of(chord_flag), symmetric=zero_of(chord_flag), norm=zero_of(Float64), format=zero_of(NTuple{32,UInt8}), rows=zero_of(Int64), columns=zero_of(Int64)) =
    chord_matrix_info(sizeof(chord_matrix_info), n, stored, nonzeros, sparse, symmetric, norm, format, rows, columns)
@assert sizeof(chord_matrix_info) == 96
@assert [fieldoffset(chord_matrix_info, i) for i in 1:10] == [0, 8, 16, 24, 32, 36, 40, 48, 80, 88]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_matrix_get_info(matrix, info) =
    ccall((:chord_matrix_get_info, libchord), chord_status, (Ptr{chord_matrix}, Ptr{chord_matrix_info},), matrix, info)

"""
```text
All rows · columns values, row by row. `bytes` must be exactly their size.
Ownership: `values` is the caller's. Threads: any.

Returns: at once.
`values`: an array [bytes / 8].
```
"""
chord_matrix_to_dense(matrix, values, bytes) =
    ccall((:chord_matrix_to_dense, libchord), chord_status, (Ptr{chord_matrix}, Ptr{Float64}, Csize_t,), matrix, values, bytes)

"""
```text
values[r,:] = row indices[r], count · columns values, without making a sparse matrix dense.
Ownership: the arrays are the caller's. Threads: any.

Returns: at once.
`indices`: an array [count].
`values`: an array [count * columns].
```
"""
chord_matrix_rows(matrix, indices, count, values) =
    ccall((:chord_matrix_rows, libchord), chord_status, (Ptr{chord_matrix}, Ptr{Int64}, Int64, Ptr{Float64},), matrix, indices, count, values)

"""
```text
The best approximation of a rank (the truncated SVD), for comparison: its error ‖X − X_r‖ (Frobenius), all singular
values in falling order, as many as the shorter side has, and X_r row by row, rows · columns values. Each pointer may
be NULL. rank: 0 to the shorter side. Takes O(n³) and the memory of a few dense matrices; uses oneMKL's LAPACK, or
the system's, and says CHORD_ERROR_UNSUPPORTED without either. Ownership: the arrays are the caller's. Threads: any.

Returns: after long work of its own.
`error`: NULL allowed.
`singular_values`: an array [min(rows, columns)], NULL allowed.
`approximation`: an array [rows * columns], NULL allowed.
```
"""
chord_matrix_truncated_svd(matrix, rank, error, singular_values, approximation) =
    ccall((:chord_matrix_truncated_svd, libchord), chord_status, (Ptr{chord_matrix}, Int64, Ptr{Float64}, Ptr{Float64}, Ptr{Float64},), matrix, rank, error, singular_values, approximation)

# Factorisation

"""
```text
A matrix X approximated by a chain of factors: X̂ ≈ X, found by minimising ½‖X − X̂‖² (Frobenius). The stored factors
make P = W_M ⋯ W_2 W_1, W_1 being weights[0]; X̂ follows from P as the constraint says.

X̂ may be a sum of parts, of which that is one: it can also have a matrix of low rank and single entries. A fit has
factors alone unless its options ask for others, or give numbers to be split between factors and a low rank.
```
"""
abstract type chord_factorization end
const chord_constraint = Int32
"""
```text
X̂ = P
```
"""
const CHORD_CONSTRAINT_NONE = Int32(0)
"""
```text
X̂ = P, no weight below 0
```
"""
const CHORD_CONSTRAINT_NONNEGATIVE = Int32(1)
"""
```text
X̂ = P, no weight below 0, rows of every factor and of X̂ sum to 1
```
"""
const CHORD_CONSTRAINT_STOCHASTIC = Int32(2)
"""
```text
X̂ = ½(P + Pᵀ)
```
"""
const CHORD_CONSTRAINT_SYMMETRIC = Int32(3)
"""
```text
X̂ = P Pᵀ: symmetric, no eigenvalue below 0; P has half the factors
```
"""
const CHORD_CONSTRAINT_SEMIDEFINITE = Int32(4)
const chord_stop = Int32
"""
```text
a stationary point, as exactly as the numbers allow
```
"""
const CHORD_STOP_GRADIENT = Int32(0)
"""
```text
hardly any progress any more
```
"""
const CHORD_STOP_IMPROVEMENT = Int32(1)
"""
```text
as many as were allowed
```
"""
const CHORD_STOP_ITERATIONS = Int32(2)
"""
```text
as long as was allowed
```
"""
const CHORD_STOP_SECONDS = Int32(3)
"""
```text
the callback wanted it, or chord_job_cancel
```
"""
const CHORD_STOP_CANCELLED = Int32(4)
"""
```text
Under CHORD_CONSTRAINT_SYMMETRIC the low-rank part is U Vᵀ + V Uᵀ; under CHORD_CONSTRAINT_SEMIDEFINITE it is U Uᵀ and
has no \"v\".
```
"""
const chord_part_kind = Int32
"""
```text
what the constraint makes of P; tensor \"weights\" [M, N, L]
```
"""
const CHORD_PART_FACTORS = Int32(0)
"""
```text
U Vᵀ; tensors \"u\" and \"v\" [N, rank]
```
"""
const CHORD_PART_LOW_RANK = Int32(1)
"""
```text
single entries; \"entry_rows\", \"entry_columns\" (int32), \"entry_values\" [count]
```
"""
const CHORD_PART_ENTRIES = Int32(2)
"""
```text
for the size of a part that there is not to be
```
"""
const CHORD_NO_PART = Int32(-1)
"""
```text
What a value is called, in files and on command lines, and what it means, in a line.
name: \"semidefinite\"
description: for people
```
"""
struct chord_name_info
    struct_size::Csize_t
    name::Ptr{UInt8}
    description::Ptr{UInt8}
end
chord_name_info(; name=zero_of(Ptr{UInt8}), description=zero_of(Ptr{UInt8})) =
    chord_name_info(sizeof(chord_name_info), name, description)
@assert sizeof(chord_name_info) == 24
@assert [fieldoffset(chord_name_info, i) for i in 1:3] == [0, 8, 16]

"""
```text
The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
CHORD_STOP_…, likewise.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_constraint_count(count) =
    ccall((:chord_constraint_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
CHORD_STOP_…, likewise.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_constraint_get_info(constraint, info) =
    ccall((:chord_constraint_get_info, libchord), chord_status, (chord_constraint, Ptr{chord_name_info},), constraint, info)

"""
```text
The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
CHORD_STOP_…, likewise.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_part_kind_count(count) =
    ccall((:chord_part_kind_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
CHORD_STOP_…, likewise.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_part_kind_get_info(kind, info) =
    ccall((:chord_part_kind_get_info, libchord), chord_status, (chord_part_kind, Ptr{chord_name_info},), kind, info)

"""
```text
The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
CHORD_STOP_…, likewise.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_stop_count(count) =
    ccall((:chord_stop_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
CHORD_STOP_…, likewise.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_stop_get_info(stop, info) =
    ccall((:chord_stop_get_info, libchord), chord_status, (chord_stop, Ptr{chord_name_info},), stop, info)

"""
```text
start: which start is being worked on, from 0,
starts: of how many
iteration: iterations so far, of all starts together
error: ‖X − X̂‖ now
best_error: the lowest so far: what would be the result now
relative_error: best_error / ‖X‖; 0 for X = 0
gradient: the norm of the gradient, X scaled to norm 1
seconds: time since the beginning
standard_error: of best_error where that is an estimate (chord_factorize_operator); 0: it is none
```
"""
struct chord_factorize_progress
    struct_size::Csize_t
    start::Int32
    starts::Int32
    iteration::Int64
    error::Float64
    best_error::Float64
    relative_error::Float64
    gradient::Float64
    seconds::Float64
    standard_error::Float64
end
chord_factorize_progress(; start=zero_of(Int32), starts=zero_of(Int32), iteration=zero_of(Int64), error=zero_of(Float64), best_error=zero_of(Float64), relative_error=zero_of(Float64), gradient=zero_of(Float64), seconds=zero_of(Float64), standard_error=zero_of(Float64)) =
    chord_factorize_progress(sizeof(chord_factorize_progress), start, starts, iteration, error, best_error, relative_error, gradient, seconds, standard_error)
@assert sizeof(chord_factorize_progress) == 72
@assert [fieldoffset(chord_factorize_progress, i) for i in 1:10] == [0, 8, 12, 16, 24, 32, 40, 48, 56, 64]

# chord_factorize_callback: a C function (progress::Ptr{chord_factorize_progress}, user::Ptr{Cvoid}) -> Int32
# chord_sum_callback: a C function (values::Ptr{Float64}, pieces::Int64, numbers::Int64, user::Ptr{Cvoid}) -> Int32
"""
```text
Processes that fit one matrix together: X's columns are cut into pieces, and each process has some that follow each
other. All call chord_factorize with the same arguments, but for these, the checkpoint and the callback, and get the
same result, which depends on the number of pieces, not of processes. The time is that of the process with the first
piece; who is asked by its callback to stop ends all of them. Where `whole` says what all of X is, for factors alone,
only the columns of this process's pieces are looked at, of each those from n·piece/pieces up to the next one's.
Without it, every process has all of X, and each start of the race is fitted by one of them alone.
chord_mpi.h does all this over MPI.
pieces: of all processes
first: the first that this process has, from 0
count: how many it has, at least 1
sum: over all of them
user: what it is given
whole: NULL, or what all of X is
```
"""
struct chord_factorize_peers
    struct_size::Csize_t
    pieces::Int64
    first::Int64
    count::Int64
    sum::Ptr{Cvoid}
    user::Ptr{Cvoid}
    whole::Ptr{chord_matrix_info}
end
chord_factorize_peers(; pieces=zero_of(Int64), first=zero_of(Int64), count=zero_of(Int64), sum=zero_of(Ptr{Cvoid}), user=zero_of(Ptr{Cvoid}), whole=zero_of(Ptr{chord_matrix_info})) =
    chord_factorize_peers(sizeof(chord_factorize_peers), pieces, first, count, sum, user, whole)
@assert sizeof(chord_factorize_peers) == 56
@assert [fieldoffset(chord_factorize_peers, i) for i in 1:7] == [0, 8, 16, 24, 32, 40, 48]

"""
```text
All zero but struct_size is a good choice.
factors: in X̂'s product, at most 4096, or CHORD_NO_PART; 0: ⌈log2 n⌉, at least 1, or with `numbers` what is found
constraint: CHORD_CONSTRAINT_…
precision: bits of the numbers computed with: 0 or 64, or 32
restarts: starts tried in a race, of which the best goes on; 0: a few, of different kinds
reserved: 0
seed: of everything that is drawn
iterations: the most of all starts together; 0: no limit
seconds: the most it may take; 0: no limit
gradient_tolerance: stops at ‖gradient‖ ≤ this, X scaled to norm 1; 0: 1e-10 (float32: 1e-6)
improvement_tolerance: stops when 1000 iterations lower the error by less than this share; 0: 1e-4
resume: NULL, or where to go on from: same n, pattern, parts and constraint
checkpoint: NULL, or a file that is given the best result so far every few seconds
checkpoint_seconds: the time from one to the next; 0: 2
callback: NULL, or called now and then, in the thread of the call
user: what it is given
callback_seconds: the time from one call to the next; 0: 0.1
numbers: of all parts together, at most; 0: as many as the parts asked for have
rank: of the low-rank part; 0: none, or with `numbers` what is found; CHORD_NO_PART
entries: single ones; two numbers each
peers: NULL, or others that share the work; not for jobs
exact_error: 1: where the error would be an estimate it is found, at the end, by all columns of X, whatever the time limit
reserved_too: 0
```
"""
struct chord_factorize_options
    struct_size::Csize_t
    factors::Int64
    constraint::chord_constraint
    precision::Int32
    restarts::Int32
    reserved::Int32
    seed::UInt64
    iterations::Int64
    seconds::Float64
    gradient_tolerance::Float64
    improvement_tolerance::Float64
    resume::Ptr{chord_factorization}
    checkpoint::Ptr{UInt8}
    checkpoint_seconds::Float64
    callback::Ptr{Cvoid}
    user::Ptr{Cvoid}
    callback_seconds::Float64
    numbers::Int64
    rank::Int64
    entries::Int64
    peers::Ptr{chord_factorize_peers}
    exact_error::chord_flag
    reserved_too::Int32
end
chord_factorize_options(; factors=zero_of(Int64), constraint=zero_of(chord_constraint), precision=zero_of(Int32), restarts=zero_of(Int32), reserved=zero_of(Int32), seed=zero_of(UInt64), iterations=zero_of(Int64), seconds=zero_of(Float64), gradient_tolerance=zero_of(Float64), improvement_tolerance=zero_of(Float64), resume=zero_of(Ptr{chord_factorization}), checkpoint=zero_of(Ptr{UInt8}), checkpoint_seconds=zero_of(Float64), callback=zero_of(Ptr{Cvoid}), user=zero_of(Ptr{Cvoid}), callback_seconds=zero_of(Float64), numbers=zero_of(Int64), rank=zero_of(Int64), entries=zero_of(Int64), peers=zero_of(Ptr{chord_factorize_peers}), exact_error=zero_of(chord_flag), reserved_too=zero_of(Int32)) =
    chord_factorize_options(sizeof(chord_factorize_options), factors, constraint, precision, restarts, reserved, seed, iterations, seconds, gradient_tolerance, improvement_tolerance, resume, checkpoint, checkpoint_seconds, callback, user, callback_seconds, numbers, rank, entries, peers, exact_error, reserved_too)
@assert sizeof(chord_factorize_options) == 160
@assert [fieldoffset(chord_factorize_options, i) for i in 1:23] == [0, 8, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 156]

"""
```text
Fits factors of `pattern`, in its context, and the other parts asked for to `matrix`. One that is not square takes a
pattern of its longer side: what the factors make beyond it does not count; constraints but
CHORD_CONSTRAINT_NONNEGATIVE are refused then, and so is a sparse one with n beyond 4096. A sparse one is not made
dense for factors alone; beside other parts it is, with n up to 4096. A larger one, where there is no constraint, is
fitted as chord_factorize_operator does. Returns when done. With a time, and no tolerance, a run that has converged
begins elsewhere, until the time is over or the result exact; the best is kept. A run that stops early, for whatever
reason but an error, gives its best result so far. Same arguments, same device, same result, to the bit, if neither
time nor the callback ends it. Ownership: the result is the caller's; `matrix` and `options` (NULL: all zero) stay
the caller's. Threads: any; the context can be used meanwhile, also by the callback.

Returns: after long work of its own.
`options`: NULL allowed.
```
"""
chord_factorize(pattern, matrix, options, factorization) =
    ccall((:chord_factorize, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_matrix}, Ptr{chord_factorize_options}, Ptr{Ptr{chord_factorization}},), pattern, matrix, options, factorization)

# chord_operator_apply: a C function (in::Ptr{Float64}, out::Ptr{Float64}, columns::Int64, transposed::chord_flag, user::Ptr{Cvoid}) -> Int32
"""
```text
What chord_factorize does, to a matrix that is never formed: it is known by `apply` alone, which is given `user`, and
its rows and columns are as many as the pattern's. There is no constraint, and there are no single entries. The low
rank is that of a randomised SVD, the factors beside it are fitted to X's products with random columns, and the error
is estimated by others: standard_error tells how well. At equal numbers the result is not worse than the randomised
SVD, as far as the estimate can tell. A time limit holds to one call of `apply`, from when the low rank is there.
Ownership: the result is the caller's; `user` and `options` stay the caller's. Threads: any.

Returns: after long work of its own.
`user`: NULL allowed.
`options`: NULL allowed.
```
"""
chord_factorize_operator(pattern, apply, user, options, factorization) =
    ccall((:chord_factorize_operator, libchord), chord_status, (Ptr{chord_pattern}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{chord_factorize_options}, Ptr{Ptr{chord_factorization}},), pattern, apply, user, options, factorization)

"""
```text
How much memory chord_factorize_operator will use with these arguments, beside what `apply` does.
Ownership: none. Threads: any.

Returns: at once.
`options`: NULL allowed.
```
"""
chord_factorize_operator_memory(pattern, options, bytes) =
    ccall((:chord_factorize_operator_memory, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_factorize_options}, Ptr{UInt64},), pattern, options, bytes)

"""
```text
A factorisation that runs in a thread of the library's, to be looked at and ended from any other.
```
"""
abstract type chord_job end
"""
```text
Begins what chord_factorize would do, and returns. The options have no callback: the job is asked instead.
Ownership: the result is the caller's; `matrix` and `options` stay the caller's and may go: the job keeps what it
needs. Threads: any.

Returns: at once.
`options`: NULL allowed.
```
"""
chord_factorize_start(pattern, matrix, options, job) =
    ccall((:chord_factorize_start, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_matrix}, Ptr{chord_factorize_options}, Ptr{Ptr{chord_job}},), pattern, matrix, options, job)

"""
```text
Where the job is: done (1) or not (0), and its progress (all zero before the first of it). Either pointer may be
NULL. Never waits. Ownership: `progress` is the caller's. Threads: any.

Returns: at once.
`done`: NULL allowed.
`progress`: NULL allowed.
```
"""
chord_job_poll(job, done, progress) =
    ccall((:chord_job_poll, libchord), chord_status, (Ptr{chord_job}, Ptr{chord_flag}, Ptr{chord_factorize_progress},), job, done, progress)

"""
```text
Asks the job to end soon with its best result so far; nothing where it is done. Never waits.
Ownership: none. Threads: any.

Returns: at once.
```
"""
chord_job_cancel(job) =
    ccall((:chord_job_cancel, libchord), chord_status, (Ptr{chord_job},), job)

"""
```text
Waits until the job is done, but at most so many seconds; less than 0: as long as it takes. `done` (may be NULL) is 0
where it is not yet. Ownership: none. Threads: any, several at once.

Returns: after long work of its own.
```
"""
chord_job_wait(job, seconds, done) =
    ccall((:chord_job_wait, libchord), chord_status, (Ptr{chord_job}, Float64, Ptr{chord_flag},), job, seconds, done)

"""
```text
Waits, and gives the result, or the error that ended the job as chord_factorize would have.
Ownership: the result is the caller's; every call gives another handle. Threads: any.

Returns: at once.
```
"""
chord_job_get_factorization(job, factorization) =
    ccall((:chord_job_get_factorization, libchord), chord_status, (Ptr{chord_job}, Ptr{Ptr{chord_factorization}},), job, factorization)

"""
```text
Ownership: takes `job`; one that is not done is cancelled, without waiting for its end. A process that exits waits
for that. Threads: any.

Returns: at once.
`job`: NULL allowed.
```
"""
chord_job_destroy(job) =
    ccall((:chord_job_destroy, libchord), chord_status, (Ptr{chord_job},), job)

"""
```text
How much of the context's memory chord_factorize will use with these arguments.
Ownership: none. Threads: any.

Returns: at once.
`options`: NULL allowed.
```
"""
chord_factorize_memory(pattern, matrix, options, bytes) =
    ccall((:chord_factorize_memory, libchord), chord_status, (Ptr{chord_pattern}, Ptr{chord_matrix}, Ptr{chord_factorize_options}, Ptr{UInt64},), pattern, matrix, options, bytes)

"""
```text
Ownership: takes `factorization`. Threads: any.

Returns: after waiting for work.
`factorization`: NULL allowed.
```
"""
chord_factorization_destroy(factorization) =
    ccall((:chord_factorization_destroy, libchord), chord_status, (Ptr{chord_factorization},), factorization)

"""
```text
n: rows, and columns, of X̂; the larger of the two where they differ
links: of the pattern
factors: in X̂'s product: those stored, or twice as many for CHORD_CONSTRAINT_SEMIDEFINITE
nonzeros: numbers stored, of all parts: of factors alone, stored factors · n · links
constraint: CHORD_CONSTRAINT_…
precision: bits of the stored numbers
stop: CHORD_STOP_…: why the run ended
reserved: 0
iterations: these and the seconds include the runs it was resumed from
seconds: how long it took
error: ‖X − X̂‖
relative_error: error / ‖X‖; 0 for X = 0
seed: that it was drawn by
standard_error: of the error where that is an estimate (chord_factorize_operator); 0: it is none
rows: of X̂
columns: of X̂
```
"""
struct chord_factorization_info
    struct_size::Csize_t
    n::Int64
    links::Int64
    factors::Int64
    nonzeros::Int64
    constraint::chord_constraint
    precision::Int32
    stop::chord_stop
    reserved::Int32
    iterations::Int64
    seconds::Float64
    error::Float64
    relative_error::Float64
    seed::UInt64
    standard_error::Float64
    rows::Int64
    columns::Int64
end
chord_factorization_info(; n=zero_of(Int64), links=zero_of(Int64), factors=zero_of(Int64), nonzeros=zero_of(Int64), constraint=zero_of(chord_constraint), precision=zero_of(Int32), stop=zero_of(chord_stop), reserved=zero_of(Int32), iterations=zero_of(Int64), seconds=zero_of(Float64), error=zero_of(Float64), relative_error=zero_of(Float64), seed=zero_of(UInt64), standard_error=zero_of(Float64), rows=zero_of(Int64), columns=zero_of(Int64)) =
    chord_factorization_info(sizeof(chord_factorization_info), n, links, factors, nonzeros, constraint, precision, stop, reserved, iterations, seconds, error, relative_error, seed, standard_error, rows, columns)
@assert sizeof(chord_factorization_info) == 120
@assert [fieldoffset(chord_factorization_info, i) for i in 1:17] == [0, 8, 16, 24, 32, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 104, 112]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_factorization_get_info(factorization, info) =
    ccall((:chord_factorization_get_info, libchord), chord_status, (Ptr{chord_factorization}, Ptr{chord_factorization_info},), factorization, info)

"""
```text
kind: CHORD_PART_…
reserved: 0
size: stored factors, rank, or entries
numbers: that are stored: M · N · L, (rows + columns) · rank, or two for each entry, its value and its place
```
"""
struct chord_part_info
    struct_size::Csize_t
    kind::chord_part_kind
    reserved::Int32
    size::Int64
    numbers::Int64
end
chord_part_info(; kind=zero_of(chord_part_kind), reserved=zero_of(Int32), size=zero_of(Int64), numbers=zero_of(Int64)) =
    chord_part_info(sizeof(chord_part_info), kind, reserved, size, numbers)
@assert sizeof(chord_part_info) == 32
@assert [fieldoffset(chord_part_info, i) for i in 1:5] == [0, 8, 12, 16, 24]

"""
```text
How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_factorization_part_count(factorization, count) =
    ccall((:chord_factorization_part_count, libchord), chord_status, (Ptr{chord_factorization}, Ptr{Int32},), factorization, count)

"""
```text
How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_factorization_get_part(factorization, index, info) =
    ccall((:chord_factorization_get_part, libchord), chord_status, (Ptr{chord_factorization}, Int32, Ptr{chord_part_info},), factorization, index, info)

"""
```text
A tensor that a part is stored as, by the name that CHORD_PART_… tells and the file has.
Ownership: the result is the caller's and looks at the factorisation's memory. Threads: any.

Returns: at once.
```
"""
chord_factorization_get_tensor(factorization, name, tensor) =
    ccall((:chord_factorization_get_tensor, libchord), chord_status, (Ptr{chord_factorization}, Cstring, Ptr{Ptr{chord_tensor}},), factorization, name, tensor)

"""
```text
z = X̂ v, or X̂ᵀ v if `transposed` is 1; [N, D] or [B, N, D] of the factorisation's precision. Where X̂ is not square v
has as many rows as X̂, or X̂ᵀ, has columns, and z as many as it has rows.
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_factorization_apply(factorization, v, z, transposed) =
    ccall((:chord_factorization_apply, libchord), chord_status, (Ptr{chord_factorization}, Ptr{chord_tensor}, Ptr{chord_tensor}, chord_flag,), factorization, v, z, transposed)

"""
```text
out[r,:] = row indices[r] of X̂, [count, columns], without forming it.
Ownership: `indices` stays the caller's and is read before the call returns. Threads: any.

Returns: when the work is queued.
`indices`: an array [count].
```
"""
chord_factorization_rows(factorization, indices, count, out) =
    ccall((:chord_factorization_rows, libchord), chord_status, (Ptr{chord_factorization}, Ptr{Int64}, Int64, Ptr{chord_tensor},), factorization, indices, count, out)

"""
```text
out = X̂, [rows, columns].
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_factorization_dense(factorization, out) =
    ccall((:chord_factorization_dense, libchord), chord_status, (Ptr{chord_factorization}, Ptr{chord_tensor},), factorization, out)

"""
```text
P as a chain. CHORD_ERROR_UNSUPPORTED where X̂ has parts beside its factors, or is not square: a chain is not what it
is.
Ownership: the result is the caller's and keeps the weights alive. Threads: any.

Returns: at once.
```
"""
chord_factorization_get_chain(factorization, chain) =
    ccall((:chord_factorization_get_chain, libchord), chord_status, (Ptr{chord_factorization}, Ptr{Ptr{chord_chain}},), factorization, chain)

"""
```text
The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.
Ownership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any.

Returns: at once.
```
"""
chord_factorization_get_weights(factorization, weights) =
    ccall((:chord_factorization_get_weights, libchord), chord_status, (Ptr{chord_factorization}, Ptr{Ptr{chord_tensor}},), factorization, weights)

"""
```text
The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.
Ownership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any.

Returns: at once.
```
"""
chord_factorization_get_pattern(factorization, pattern) =
    ccall((:chord_factorization_get_pattern, libchord), chord_status, (Ptr{chord_factorization}, Ptr{Ptr{chord_pattern}},), factorization, pattern)

"""
```text
A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and
`offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version
does not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.

Returns: after waiting for work.
```
"""
chord_factorization_save(factorization, path) =
    ccall((:chord_factorization_save, libchord), chord_status, (Ptr{chord_factorization}, Cstring,), factorization, path)

"""
```text
A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and
`offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version
does not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.

Returns: when the work is queued.
```
"""
chord_factorization_load(context, path, factorization) =
    ccall((:chord_factorization_load, libchord), chord_status, (Ptr{chord_context}, Cstring, Ptr{Ptr{chord_factorization}},), context, path, factorization)

# Model

"""
```text
A network with Chord attention: embedding (or a linear map of reals) [+ learned positions] → dropout → blocks →
dropout → pooling → head. A block makes V = g(E) and factors W_m = f_m(E) from its input E (N×width) by small
networks that work row by row (linear, GELU, linear), and then V ← W_m V (+ the first V, with residuals) for all m.

It is described by a JSON object, e.g. {\"preset\": \"adding\", \"length\": 512, \"width\": 64}. chord_model_key_get_info
tells the keys, their ranges and defaults; unknown ones are refused. \"preset\" is the name of a task
(chord_task_get_info): the values that keys not given have. Without it, the keys that are required must be there, and
vocabulary for tokens, features for reals.

Inputs are int32 [B, N] for \"input\": \"tokens\", and reals [B, N, features] for \"reals\".

Sequences may be shorter than N: chord_train_options.lengths. One of length n is computed as if every block had n
rows alone: V has n rows, each factor is its leading n×n part, and the head is given zeros for the rows that are
missing (for \"pooling\": \"cls\" it sees row 0, as always). What the inputs have behind n is never looked at, be it NaN
or no token, and no gradient comes from or goes to it.
```
"""
abstract type chord_model end
"""
```text
The whole description of a preset, as JSON.
Ownership: the library's, valid until the process ends. Threads: any.

Returns: at once.
`json`: valid as long as the process.
```
"""
chord_model_preset(name, json) =
    ccall((:chord_model_preset, libchord), chord_status, (Cstring, Ptr{Ptr{UInt8}},), name, json)

"""
```text
How many presets there are, and the name of each.
Ownership: the name is a constant of the library. Threads: any.

Returns: at once.
```
"""
chord_model_preset_count(count) =
    ccall((:chord_model_preset_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
How many presets there are, and the name of each.
Ownership: the name is a constant of the library. Threads: any.

Returns: at once.
`name`: valid as long as the process.
```
"""
chord_model_preset_name(index, name) =
    ccall((:chord_model_preset_name, libchord), chord_status, (Int32, Ptr{Ptr{UInt8}},), index, name)

const chord_key_kind = Int32
const CHORD_KEY_INTEGER = Int32(0)
const CHORD_KEY_REAL = Int32(1)
const CHORD_KEY_BOOLEAN = Int32(2)
"""
```text
one of a few texts
```
"""
const CHORD_KEY_CHOICE = Int32(3)
"""
```text
A key of the JSON that describes a model.
name: \"hidden_f\"
description: what it means, in a line
kind: CHORD_KEY_…
required: 1: must be given where there is no preset
lowest: lowest <= an integer <= highest; lowest <= a real < highest, which may be infinite
highest: see lowest
choices: the only values it may have, as a JSON array; \"\" where its kind and range say it all
default_value: as JSON; \"\" for a required key, and for one that follows from others unless given
```
"""
struct chord_model_key_info
    struct_size::Csize_t
    name::Ptr{UInt8}
    description::Ptr{UInt8}
    kind::chord_key_kind
    required::chord_flag
    lowest::Float64
    highest::Float64
    choices::Ptr{UInt8}
    default_value::Ptr{UInt8}
end
chord_model_key_info(; name=zero_of(Ptr{UInt8}), description=zero_of(Ptr{UInt8}), kind=zero_of(chord_key_kind), required=zero_of(chord_flag), lowest=zero_of(Float64), highest=zero_of(Float64), choices=zero_of(Ptr{UInt8}), default_value=zero_of(Ptr{UInt8})) =
    chord_model_key_info(sizeof(chord_model_key_info), name, description, kind, required, lowest, highest, choices, default_value)
@assert sizeof(chord_model_key_info) == 64
@assert [fieldoffset(chord_model_key_info, i) for i in 1:9] == [0, 8, 16, 24, 28, 32, 40, 48, 56]

"""
```text
How many keys there are beside \"preset\", and each of them, in the order of the JSON that the library writes.
Ownership: `info` is the caller's, its texts are the library's, valid until the process ends. Threads: any.

Returns: at once.
```
"""
chord_model_key_count(count) =
    ccall((:chord_model_key_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
How many keys there are beside \"preset\", and each of them, in the order of the JSON that the library writes.
Ownership: `info` is the caller's, its texts are the library's, valid until the process ends. Threads: any.

Returns: at once.
```
"""
chord_model_key_get_info(index, info) =
    ccall((:chord_model_key_get_info, libchord), chord_status, (Int32, Ptr{chord_model_key_info},), index, info)

"""
```text
A new model, its parameters drawn by `seed` (PyTorch's default distributions); the seed is also that of its dropout.
Ownership: the result is the caller's; `json` stays the caller's. Threads: any.

Returns: when the work is queued.
```
"""
chord_model_create(context, json, seed, model) =
    ccall((:chord_model_create, libchord), chord_status, (Ptr{chord_context}, Cstring, UInt64, Ptr{Ptr{chord_model}},), context, json, seed, model)

"""
```text
The model of a safetensors file: one of chord_model_save, or any with the tensor names of the paper's PyTorch code.
`json` describes the model; NULL takes the description the file itself has. Unused embedding.weight and
pos_embedding.weight are passed over with a message to the log; everything else must fit exactly.
Ownership: the result is the caller's. Threads: any.

Returns: when the work is queued.
`json`: NULL allowed.
```
"""
chord_model_load(context, path, json, model) =
    ccall((:chord_model_load, libchord), chord_status, (Ptr{chord_context}, Cstring, Cstring, Ptr{Ptr{chord_model}},), context, path, json, model)

"""
```text
Writes a safetensors file, which is replaced as a whole or left as it was. with_optimizer: 1 also stores what
training needs to go on as if it had not stopped: the optimiser's moments, the step, the seed. `note` (NULL: none) is
any text to keep with it, for chord_model_note. Same model, same bytes.
Ownership: none. Threads: any.

Returns: after waiting for work.
`note`: NULL allowed.
```
"""
chord_model_save(model, path, with_optimizer, note) =
    ccall((:chord_model_save, libchord), chord_status, (Ptr{chord_model}, Cstring, chord_flag, Cstring,), model, path, with_optimizer, note)

"""
```text
The note the model's file had; \"\" if none.
Ownership: the model's. Threads: any.

Returns: at once.
`note`: owned by `model`.
```
"""
chord_model_note(model, note) =
    ccall((:chord_model_note, libchord), chord_status, (Ptr{chord_model}, Ptr{Ptr{UInt8}},), model, note)

"""
```text
Ownership: takes `model`; tensors that look at its parameters stay valid. Threads: any.

Returns: after waiting for work.
`model`: NULL allowed.
```
"""
chord_model_destroy(model) =
    ccall((:chord_model_destroy, libchord), chord_status, (Ptr{chord_model},), model)

"""
```text
The description with all its keys, as JSON.
Ownership: the model's. Threads: any.

Returns: at once.
`json`: owned by `model`.
```
"""
chord_model_description(model, json) =
    ccall((:chord_model_description, libchord), chord_status, (Ptr{chord_model}, Ptr{Ptr{UInt8}},), model, json)

"""
```text
parameters: numbers that training changes
step: training steps so far
seed: of its first parameters and its dropout
length: positions of a sequence
features: reals per position; 0 for tokens
vocabulary: 0 for reals
classes: outputs of a sequence
input_type: CHORD_INT32, or CHORD_FLOAT32 or CHORD_FLOAT64 for reals
label_type: CHORD_INT32, or for mse that of the outputs
output_type: CHORD_FLOAT32 or CHORD_FLOAT64
reserved: 0
```
"""
struct chord_model_info
    struct_size::Csize_t
    parameters::Int64
    step::Int64
    seed::UInt64
    length::Int64
    features::Int64
    vocabulary::Int64
    classes::Int64
    input_type::chord_type
    label_type::chord_type
    output_type::chord_type
    reserved::Int32
end
chord_model_info(; parameters=zero_of(Int64), step=zero_of(Int64), seed=zero_of(UInt64), length=zero_of(Int64), features=zero_of(Int64), vocabulary=zero_of(Int64), classes=zero_of(Int64), input_type=zero_of(chord_type), label_type=zero_of(chord_type), output_type=zero_of(chord_type), reserved=zero_of(Int32)) =
    chord_model_info(sizeof(chord_model_info), parameters, step, seed, length, features, vocabulary, classes, input_type, label_type, output_type, reserved)
@assert sizeof(chord_model_info) == 80
@assert [fieldoffset(chord_model_info, i) for i in 1:12] == [0, 8, 16, 24, 32, 40, 48, 56, 64, 68, 72, 76]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: after waiting for work.
```
"""
chord_model_get_info(model, info) =
    ccall((:chord_model_get_info, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_model_info},), model, info)

const chord_memory_mode = Int32
"""
```text
normal where it fits into the memory available, else low
```
"""
const CHORD_MEMORY_AUTO = Int32(0)
"""
```text
the factors of all sequences are kept for the backward pass
```
"""
const CHORD_MEMORY_NORMAL = Int32(1)
"""
```text
one factor at a time is made, and made again in the backward pass
```
"""
const CHORD_MEMORY_LOW = Int32(2)
const chord_optimizer = Int32
"""
```text
AdamW, where there is a weight decay
```
"""
const CHORD_OPTIMIZER_ADAM = Int32(0)
"""
```text
m ← momentum · m + (1 − momentum) · g; p ← p − learning_rate / (1 − momentum) · m
```
"""
const CHORD_OPTIMIZER_SGD = Int32(1)
"""
```text
All zero but struct_size is PyTorch's Adam with a learning rate of 0.001.
learning_rate: 0: 0.001
beta1: 0: 0.9
beta2: 0: 0.999
epsilon: 0: 1e-8
weight_decay: AdamW's: each step takes learning_rate · weight_decay of every parameter; 0: none
clip_norm: the norm of all gradients together is scaled down to at most this; 0: it is not
micro_batch: sequences computed at a time, whose gradients are summed; 0: what suits the device: on the host as many as caches hold, elsewhere and of a share of a batch all of them
memory: CHORD_MEMORY_…
optimizer: CHORD_OPTIMIZER_…
momentum: of SGD: 0 to below 1
lengths: NULL, or int32 [B]: the positions of each sequence that count; the rest is padding
first_sequence: the place of the first of these sequences in the whole batch: dropout is drawn by it
whole_batch: how many sequences that has: the mean is taken over them; 0: these alone
dropout: 1: with dropout, as the next training step has it
accumulate: 1: adds to the gradients that are there
```
"""
struct chord_train_options
    struct_size::Csize_t
    learning_rate::Float64
    beta1::Float64
    beta2::Float64
    epsilon::Float64
    weight_decay::Float64
    clip_norm::Float64
    micro_batch::Int64
    memory::chord_memory_mode
    optimizer::chord_optimizer
    momentum::Float64
    lengths::Ptr{chord_tensor}
    first_sequence::Int64
    whole_batch::Int64
    dropout::chord_flag
    accumulate::chord_flag
end
chord_train_options(; learning_rate=zero_of(Float64), beta1=zero_of(Float64), beta2=zero_of(Float64), epsilon=zero_of(Float64), weight_decay=zero_of(Float64), clip_norm=zero_of(Float64), micro_batch=zero_of(Int64), memory=zero_of(chord_memory_mode), optimizer=zero_of(chord_optimizer), momentum=zero_of(Float64), lengths=zero_of(Ptr{chord_tensor}), first_sequence=zero_of(Int64), whole_batch=zero_of(Int64), dropout=zero_of(chord_flag), accumulate=zero_of(chord_flag)) =
    chord_train_options(sizeof(chord_train_options), learning_rate, beta1, beta2, epsilon, weight_decay, clip_norm, micro_batch, memory, optimizer, momentum, lengths, first_sequence, whole_batch, dropout, accumulate)
@assert sizeof(chord_train_options) == 112
@assert [fieldoffset(chord_train_options, i) for i in 1:16] == [0, 8, 16, 24, 32, 40, 48, 56, 64, 68, 72, 80, 88, 96, 104, 108]

"""
```text
parameter_bytes: parameters; for training also gradients and moments
activation_bytes: what lives during a step
peak_bytes: both together: the most of the context's memory that will be in use
memory: CHORD_MEMORY_NORMAL or CHORD_MEMORY_LOW: what was chosen
reserved: 0
```
"""
struct chord_model_memory
    struct_size::Csize_t
    parameter_bytes::UInt64
    activation_bytes::UInt64
    peak_bytes::UInt64
    memory::chord_memory_mode
    reserved::Int32
end
chord_model_memory(; parameter_bytes=zero_of(UInt64), activation_bytes=zero_of(UInt64), peak_bytes=zero_of(UInt64), memory=zero_of(chord_memory_mode), reserved=zero_of(Int32)) =
    chord_model_memory(sizeof(chord_model_memory), parameter_bytes, activation_bytes, peak_bytes, memory, reserved)
@assert sizeof(chord_model_memory) == 40
@assert [fieldoffset(chord_model_memory, i) for i in 1:6] == [0, 8, 16, 24, 32, 36]

"""
```text
What a training step (training: 1) or a forward pass (0) of `batch` sequences will need, before any of it is taken.
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
`options`: NULL allowed.
```
"""
chord_model_plan(model, batch, training, options, info) =
    ccall((:chord_model_plan, libchord), chord_status, (Ptr{chord_model}, Int64, chord_flag, Ptr{chord_train_options}, Ptr{chord_model_memory},), model, batch, training, options, info)

"""
```text
outputs [B, classes] = model(inputs), without dropout. inputs: tokens int32 [B, N] or reals [B, N, features].
Tokens outside the vocabulary are CHORD_ERROR_INVALID_ARGUMENT: at once where they were copied from the host, and of
tokens that only the device has seen (copied between tensors, written through a pointer) at the next wait.
Ownership: none. Threads: any.

Returns: when the work is queued.
```
"""
chord_model_forward(model, inputs, outputs) =
    ccall((:chord_model_forward, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor},), model, inputs, outputs)

"""
```text
The same with options (NULL: all zero), of which micro_batch, memory, lengths, dropout and first_sequence matter.
Lengths are checked as tokens are; of inputs with lengths that hold what is no token, the device tells at the next
wait whether that is padding.
Ownership: `options` stays the caller's. Threads: any.

Returns: when the work is queued.
`options`: NULL allowed.
```
"""
chord_model_forward_with(model, inputs, options, outputs) =
    ccall((:chord_model_forward_with, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_tensor},), model, inputs, options, outputs)

"""
```text
loss: the batch's mean
correct: sequences whose class, or value within the tolerance, is right
count: sequences
```
"""
struct chord_step_result
    struct_size::Csize_t
    loss::Float64
    correct::Int64
    count::Int64
end
chord_step_result(; loss=zero_of(Float64), correct=zero_of(Int64), count=zero_of(Int64)) =
    chord_step_result(sizeof(chord_step_result), loss, correct, count)
@assert sizeof(chord_step_result) == 32
@assert [fieldoffset(chord_step_result, i) for i in 1:4] == [0, 8, 16, 24]

"""
```text
Loss and correct answers of a batch, without dropout. labels: int32 [B] classes, or for mse reals [B]. Tokens and
labels that are none are CHORD_ERROR_INVALID_ARGUMENT, here and in the two below; nothing is learnt from such a
batch. Ownership: `result` is the caller's. Threads: any.

Returns: after waiting for work.
```
"""
chord_model_evaluate(model, inputs, labels, result) =
    ccall((:chord_model_evaluate, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_step_result},), model, inputs, labels, result)

"""
```text
The same with options (NULL: all zero), of which those matter that do in chord_model_forward_with.
Ownership: `options` stays the caller's, `result` is the caller's. Threads: any.

Returns: after waiting for work.
`options`: NULL allowed.
```
"""
chord_model_evaluate_with(model, inputs, labels, options, result) =
    ccall((:chord_model_evaluate_with, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_step_result},), model, inputs, labels, options, result)

"""
```text
The gradients of the batch's mean loss, left for chord_model_gradient; the parameters stay. Of `options` (NULL: all
zero) those matter that are no optimiser's: several processes, or several calls, share a batch by telling each its
first_sequence and the whole_batch; the sum of what they get (accumulate) is the gradient of the whole, to the bit
that of a training step with such a micro_batch where one model does it all in order. `result` is that of these
sequences alone. Where the call fails, the gradients are undefined.
Ownership: `result` is the caller's and may be NULL. Threads: any.

Returns: after waiting for work.
`options`: NULL allowed.
`result`: NULL allowed.
```
"""
chord_model_gradients(model, inputs, labels, options, result) =
    ccall((:chord_model_gradients, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_step_result},), model, inputs, labels, options, result)

"""
```text
The gradients of ⟨doutputs, model(inputs)⟩, for losses of somebody else's: with respect to the parameters, left as
above, and to inputs that are reals, dinputs of their shape, or NULL. doutputs: [B, classes]. Of `options` those
matter as above, but for whole_batch: dropout and first_sequence must be those of the forward pass, which is computed
again. Ownership: `options` stays the caller's. Threads: any.

Returns: when the work is queued.
`dinputs`: NULL allowed.
`options`: NULL allowed.
```
"""
chord_model_backward(model, inputs, doutputs, dinputs, options) =
    ccall((:chord_model_backward, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_train_options},), model, inputs, doutputs, dinputs, options)

const chord_layer = Int32
"""
```text
inputs → E [B, N, width]: embedding or linear map, positions, dropout
```
"""
const CHORD_LAYER_EMBEDDING = Int32(0)
"""
```text
E, the input of a block → V = g(E) [B, N, channels], with dropout
```
"""
const CHORD_LAYER_VALUES = Int32(1)
"""
```text
E → W_m = f_m(E) [B, N, links]
```
"""
const CHORD_LAYER_FACTOR = Int32(2)
"""
```text
V [B, N, channels] → dropout, pooling, the head's first layer: [B, its outputs]
```
"""
const CHORD_LAYER_HEAD = Int32(3)
"""
```text
that → outputs [B, classes]: GELU and a second layer, or, where there is none, itself
```
"""
const CHORD_LAYER_OUTPUTS = Int32(4)
"""
```text
The layers of a model one by one, for those who put something of their own between them: sequences that several
processes share, other ways of mixing rows. What is between these layers is chord_product, with residuals.
`block` and `factor` count from 0, and are 0 for layers that have none. Of `options` (NULL: all zero) first_sequence
and dropout matter. Tokens that are none are told as by chord_model_forward.
Ownership: `options` stays the caller's; `out` is contiguous. Threads: any.

Returns: when the work is queued.
`options`: NULL allowed.
```
"""
chord_model_layer_forward(model, layer, block, factor, in, options, out) =
    ccall((:chord_model_layer_forward, libchord), chord_status, (Ptr{chord_model}, chord_layer, Int64, Int64, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_tensor},), model, layer, block, factor, in, options, out)

"""
```text
The gradients of ⟨dout, layer(in)⟩: with respect to the layer's parameters, left beside those of the other layers
(with options.accumulate they are added to those that are there), and to its input, din of the input's shape,
contiguous, or NULL. accumulate: 1 adds to what din has; only for the layers of a block, which share their input.
Ownership: `options` (may be NULL) stays the caller's. Threads: any.

Returns: when the work is queued.
`options`: NULL allowed.
`din`: NULL allowed.
```
"""
chord_model_layer_backward(model, layer, block, factor, in, dout, options, din, accumulate) =
    ccall((:chord_model_layer_backward, libchord), chord_status, (Ptr{chord_model}, chord_layer, Int64, Int64, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_tensor}, chord_flag,), model, layer, block, factor, in, dout, options, din, accumulate)

"""
```text
The loss of outputs [B, classes], and its gradient, doutputs of their shape, contiguous, or NULL. Of `options` (NULL:
all zero) whole_batch matters. Ownership: `options` stays the caller's, `result` is the caller's. Threads: any.

Returns: after waiting for work.
`options`: NULL allowed.
`doutputs`: NULL allowed.
```
"""
chord_model_loss(model, outputs, labels, options, doutputs, result) =
    ccall((:chord_model_loss, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_tensor}, Ptr{chord_step_result},), model, outputs, labels, options, doutputs, result)

"""
```text
One step of the optimiser with the gradients that are there, whoever computed them; clip_norm holds. With those of
chord_model_gradients of the same batch with dropout it does what chord_model_train_step does, to the bit.
Ownership: `options` (NULL: all zero) stays the caller's. Threads: any.

Returns: when the work is queued.
`options`: NULL allowed.
```
"""
chord_model_apply_gradients(model, options) =
    ccall((:chord_model_apply_gradients, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_train_options},), model, options)

"""
```text
One step of the optimiser on the batch's mean loss, with dropout. The gradients that are left for
chord_model_gradient are those before clipping. Same model, same batches, same device: the same bits. With a `result`
the call waits for it. With NULL it waits for nothing and reads nothing back: the step is queued, and its loss is
kept on the device for chord_model_take_losses. Tokens and labels that are none, and that only the device has seen,
are then told by the next wait; nothing is learnt from such a batch, its loss is NaN, and once it is told the step is
not counted (steps queued behind it before that are numbered as if it were). Ownership: `options` and `result`, which
may both be NULL, are the caller's. Threads: any.

Returns: after waiting for work.
`options`: NULL allowed.
`result`: NULL allowed.
```
"""
chord_model_train_step(model, inputs, labels, options, result) =
    ccall((:chord_model_train_step, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Ptr{chord_tensor}, Ptr{chord_train_options}, Ptr{chord_step_result},), model, inputs, labels, options, result)

const CHORD_KEPT_LOSSES = Int32(256)
"""
```text
The losses of training steps that were given no `result`, the oldest first, and how many sequences of each were right
(`correct` may be NULL): as many as are kept, but at most `capacity`; `count` is how many. Each is taken once. The
device keeps those of the last CHORD_KEPT_LOSSES steps; `lost` (may be NULL) is how many older ones were overwritten
since the last call. Waits for all steps queued; where that tells an error, the losses are left for the next call.
Ownership: the arrays are the caller's. Threads: any.

Returns: after waiting for work.
`losses`: an array [capacity].
`correct`: an array [capacity], NULL allowed.
`lost`: NULL allowed.
```
"""
chord_model_take_losses(model, capacity, losses, correct, count, lost) =
    ccall((:chord_model_take_losses, libchord), chord_status, (Ptr{chord_model}, Int64, Ptr{Float64}, Ptr{Int64}, Ptr{Int64}, Ptr{Int64},), model, capacity, losses, correct, count, lost)

"""
```text
Parameters have the names and shapes of the PyTorch code's state_dict, e.g. \"fs.0.network.0.weight\"; blocks behind
the first have \"blocks.1.\" in front, and so on. Ownership: the name is the model's. Threads: any.

Returns: at once.
```
"""
chord_model_parameter_count(model, count) =
    ccall((:chord_model_parameter_count, libchord), chord_status, (Ptr{chord_model}, Ptr{Int64},), model, count)

"""
```text
Parameters have the names and shapes of the PyTorch code's state_dict, e.g. \"fs.0.network.0.weight\"; blocks behind
the first have \"blocks.1.\" in front, and so on. Ownership: the name is the model's. Threads: any.

Returns: at once.
`name`: owned by `model`.
```
"""
chord_model_parameter_name(model, index, name) =
    ccall((:chord_model_parameter_name, libchord), chord_status, (Ptr{chord_model}, Int64, Ptr{Ptr{UInt8}},), model, index, name)

"""
```text
A look at a parameter, which may be written, and at its gradient as the last call left it.
Ownership: the result is the caller's and keeps the memory alive. Threads: any.

Returns: at once.
```
"""
chord_model_parameter(model, name, tensor) =
    ccall((:chord_model_parameter, libchord), chord_status, (Ptr{chord_model}, Cstring, Ptr{Ptr{chord_tensor}},), model, name, tensor)

"""
```text
A look at a parameter, which may be written, and at its gradient as the last call left it.
Ownership: the result is the caller's and keeps the memory alive. Threads: any.

Returns: at once.
```
"""
chord_model_gradient(model, name, tensor) =
    ccall((:chord_model_gradient, libchord), chord_status, (Ptr{chord_model}, Cstring, Ptr{Ptr{chord_tensor}},), model, name, tensor)

"""
```text
All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
by row, without gaps. Gradients and moments are zeros before the first that are computed.
Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.

Returns: at once.
```
"""
chord_model_get_parameters(model, parameters) =
    ccall((:chord_model_get_parameters, libchord), chord_status, (Ptr{chord_model}, Ptr{Ptr{chord_tensor}},), model, parameters)

"""
```text
All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
by row, without gaps. Gradients and moments are zeros before the first that are computed.
Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.

Returns: at once.
```
"""
chord_model_get_gradients(model, gradients) =
    ccall((:chord_model_get_gradients, libchord), chord_status, (Ptr{chord_model}, Ptr{Ptr{chord_tensor}},), model, gradients)

"""
```text
All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
by row, without gaps. Gradients and moments are zeros before the first that are computed.
Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any.

Returns: at once.
```
"""
chord_model_get_moments(model, first, second) =
    ccall((:chord_model_get_moments, libchord), chord_status, (Ptr{chord_model}, Ptr{Ptr{chord_tensor}}, Ptr{Ptr{chord_tensor}},), model, first, second)

"""
```text
How many steps there were (info.step): what the optimiser's corrections, and the next step's dropout, follow from.
Ownership: none. Threads: any.

Returns: at once.
```
"""
chord_model_set_step(model, step) =
    ccall((:chord_model_set_step, libchord), chord_status, (Ptr{chord_model}, Int64,), model, step)

"""
```text
All gradients by name, to a safetensors file.
Ownership: none. Threads: any.

Returns: after waiting for work.
```
"""
chord_model_save_gradients(model, path) =
    ccall((:chord_model_save_gradients, libchord), chord_status, (Ptr{chord_model}, Cstring,), model, path)

"""
```text
out[b, r, :] = row indices[r] of the product W_M ⋯ W_1 that the model's block makes of each input, [B, count, N]:
which positions that row attends to. Residuals are left out.
Ownership: `indices` stays the caller's and is read before the call returns. Threads: any.

Returns: when the work is queued.
`indices`: an array [count].
```
"""
chord_model_attention(model, inputs, block, indices, count, out) =
    ccall((:chord_model_attention, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Int64, Ptr{Int64}, Int64, Ptr{chord_tensor},), model, inputs, block, indices, count, out)

"""
```text
The same with options (NULL: all zero), of which lengths matter: rows and columns behind a sequence's end are zero.
Ownership: as above; `options` stays the caller's. Threads: any.

Returns: when the work is queued.
`indices`: an array [count].
`options`: NULL allowed.
```
"""
chord_model_attention_with(model, inputs, block, indices, count, options, out) =
    ccall((:chord_model_attention_with, libchord), chord_status, (Ptr{chord_model}, Ptr{chord_tensor}, Int64, Ptr{Int64}, Int64, Ptr{chord_train_options}, Ptr{chord_tensor},), model, inputs, block, indices, count, options, out)

# Dataset

"""
```text
A task of the paper: what there is to learn, and how the paper did.
name: \"image\": of the task, and of the preset of its model
title: for people: \"Images (CIFAR-10)\"
data: what the folder of its files holds; \"\" for a generated task
generated: 1: its sequences are made from a seed, of any length and number, without files
has_encoder: 1: chord_encoder_create makes sequences of its raw inputs
has_files_generator: 1: chord_generate_files makes files like those it is read from
length: of a sequence; for a generated task only a default
features: reals per position; 0 for tokens
vocabulary: 0 for reals
classes: 1 for a label that is a real
train_count: sequences of a generated task by default; 0 where the files tell
eval_count: likewise, for validation and for test each
epochs: how the paper trained
batch: sequences a step, in the paper
learning_rate: likewise
```
"""
struct chord_task_info
    struct_size::Csize_t
    name::Ptr{UInt8}
    title::Ptr{UInt8}
    data::Ptr{UInt8}
    generated::chord_flag
    has_encoder::chord_flag
    has_files_generator::chord_flag
    length::Int64
    features::Int64
    vocabulary::Int64
    classes::Int64
    train_count::Int64
    eval_count::Int64
    epochs::Int64
    batch::Int64
    learning_rate::Float64
end
chord_task_info(; name=zero_of(Ptr{UInt8}), title=zero_of(Ptr{UInt8}), data=zero_of(Ptr{UInt8}), generated=zero_of(chord_flag), has_encoder=zero_of(chord_flag), has_files_generator=zero_of(chord_flag), length=zero_of(Int64), features=zero_of(Int64), vocabulary=zero_of(Int64), classes=zero_of(Int64), train_count=zero_of(Int64), eval_count=zero_of(Int64), epochs=zero_of(Int64), batch=zero_of(Int64), learning_rate=zero_of(Float64)) =
    chord_task_info(sizeof(chord_task_info), name, title, data, generated, has_encoder, has_files_generator, length, features, vocabulary, classes, train_count, eval_count, epochs, batch, learning_rate)
@assert sizeof(chord_task_info) == 120
@assert [fieldoffset(chord_task_info, i) for i in 1:16] == [0, 8, 16, 24, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112]

"""
```text
How many tasks there are, and each of them.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_task_count(count) =
    ccall((:chord_task_count, libchord), chord_status, (Ptr{Int32},), count)

"""
```text
How many tasks there are, and each of them.
Ownership: `info` is the caller's, its texts are constants of the library. Threads: any.

Returns: at once.
```
"""
chord_task_get_info(index, info) =
    ccall((:chord_task_get_info, libchord), chord_status, (Int32, Ptr{chord_task_info},), index, info)

"""
```text
The test accuracy that the paper has for a task with sequences of this length, in percent; -1 where it has none.
Ownership: none. Threads: any.

Returns: at once.
```
"""
chord_task_get_published_accuracy(index, length, percent) =
    ccall((:chord_task_get_published_accuracy, libchord), chord_status, (Int32, Int64, Ptr{Float64},), index, length, percent)

# chord_progress_callback: a C function (done::Int64, total::Int64, user::Ptr{Cvoid}) -> Int32
"""
```text
Labelled sequences of a task, from files or made on the fly; in no context. Those from files are decoded once and
kept in one file in the user's cache, which is mapped; it is made anew when the files have changed. Where it cannot
be written, they are kept in memory.
```
"""
abstract type chord_dataset end
"""
```text
All zero or NULL but struct_size, task and split is the paper's setting.
task: the name of a task (chord_task_get_info)
split: train, validation, test; all: train, then validation
data: the folder with the files; NULL for generated tasks
length: positions of a sequence; 0: the task's, which is the only one unless it is generated
count: sequences; 0: the task's, or all that the files have
seed: what a generated task is drawn by
sample: which `count` of the files' sequences: 0 for the first, else drawn by this seed, in their order
encoding: as chord_dataset_encoding gave it and a model keeps it; NULL: the files' own
progress: NULL, or told about files being decoded
user: for `progress`
```
"""
struct chord_dataset_options
    struct_size::Csize_t
    task::Ptr{UInt8}
    split::Ptr{UInt8}
    data::Ptr{UInt8}
    length::Int64
    count::Int64
    seed::UInt64
    sample::UInt64
    encoding::Ptr{UInt8}
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
end
chord_dataset_options(; task=zero_of(Ptr{UInt8}), split=zero_of(Ptr{UInt8}), data=zero_of(Ptr{UInt8}), length=zero_of(Int64), count=zero_of(Int64), seed=zero_of(UInt64), sample=zero_of(UInt64), encoding=zero_of(Ptr{UInt8}), progress=zero_of(Ptr{Cvoid}), user=zero_of(Ptr{Cvoid})) =
    chord_dataset_options(sizeof(chord_dataset_options), task, split, data, length, count, seed, sample, encoding, progress, user)
@assert sizeof(chord_dataset_options) == 88
@assert [fieldoffset(chord_dataset_options, i) for i in 1:11] == [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80]

"""
```text
Ownership: the result is the caller's; `options` stays the caller's. Threads: any.

Returns: after long work of its own.
```
"""
chord_dataset_create(options, dataset) =
    ccall((:chord_dataset_create, libchord), chord_status, (Ptr{chord_dataset_options}, Ptr{Ptr{chord_dataset}},), options, dataset)

"""
```text
Ownership: takes `dataset`; batches of it live on. Threads: any.

Returns: at once.
`dataset`: NULL allowed.
```
"""
chord_dataset_destroy(dataset) =
    ccall((:chord_dataset_destroy, libchord), chord_status, (Ptr{chord_dataset},), dataset)

"""
```text
count: sequences
length: positions of a sequence
features: reals per position; 0 for tokens
vocabulary: 0 for reals
classes: 1 for a label that is a real
input_type: CHORD_INT32 for tokens, CHORD_FLOAT32 for reals
label_type: CHORD_INT32 for classes, CHORD_FLOAT32 for reals
```
"""
struct chord_dataset_info
    struct_size::Csize_t
    count::Int64
    length::Int64
    features::Int64
    vocabulary::Int64
    classes::Int64
    input_type::chord_type
    label_type::chord_type
end
chord_dataset_info(; count=zero_of(Int64), length=zero_of(Int64), features=zero_of(Int64), vocabulary=zero_of(Int64), classes=zero_of(Int64), input_type=zero_of(chord_type), label_type=zero_of(chord_type)) =
    chord_dataset_info(sizeof(chord_dataset_info), count, length, features, vocabulary, classes, input_type, label_type)
@assert sizeof(chord_dataset_info) == 56
@assert [fieldoffset(chord_dataset_info, i) for i in 1:8] == [0, 8, 16, 24, 32, 40, 48, 52]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_dataset_get_info(dataset, info) =
    ccall((:chord_dataset_get_info, libchord), chord_status, (Ptr{chord_dataset}, Ptr{chord_dataset_info},), dataset, info)

"""
```text
The sequences first … first + count − 1 in the dataset's own order: inputs [count, N] or [count, N, features] and
labels [count], of the types the info names. The sizes must be exactly theirs. Ownership: the arrays are the
caller's. Threads: any.

Returns: at once.
`inputs`: an array [input_bytes].
`labels`: an array [label_bytes].
```
"""
chord_dataset_read(dataset, first, count, inputs, input_bytes, labels, label_bytes) =
    ccall((:chord_dataset_read, libchord), chord_status, (Ptr{chord_dataset}, Int64, Int64, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, Csize_t,), dataset, first, count, inputs, input_bytes, labels, label_bytes)

"""
```text
What was needed to make sequences of the files beside the task's rules, to be kept with a model: a JSON object. It is
{\"grey\": [values…]}, in the order of their tokens, for pathfinder, and {} for the others.
Ownership: the dataset's, valid until it is destroyed. Threads: any.

Returns: at once.
`json`: owned by `dataset`.
```
"""
chord_dataset_encoding(dataset, json) =
    ccall((:chord_dataset_encoding, libchord), chord_status, (Ptr{chord_dataset}, Ptr{Ptr{UInt8}},), dataset, json)

"""
```text
Makes tokens of a task's raw inputs, as its dataset does: of a ListOps expression, of the bytes of a review, of a PNG
of 32 × 32 pixels.
```
"""
abstract type chord_encoder end
"""
```text
`encoding`: as the model keeps it; NULL is {}. `length`: positions of a sequence; 0: the task's.
Ownership: the result is the caller's. Threads: any.

Returns: at once.
`encoding`: NULL allowed.
```
"""
chord_encoder_create(task, encoding, length, encoder) =
    ccall((:chord_encoder_create, libchord), chord_status, (Cstring, Cstring, Int64, Ptr{Ptr{chord_encoder}},), task, encoding, length, encoder)

"""
```text
Ownership: takes `encoder`. Threads: any.

Returns: at once.
`encoder`: NULL allowed.
```
"""
chord_encoder_destroy(encoder) =
    ccall((:chord_encoder_destroy, libchord), chord_status, (Ptr{chord_encoder},), encoder)

"""
```text
length: positions it makes
vocabulary: tokens there are
```
"""
struct chord_encoder_info
    struct_size::Csize_t
    length::Int64
    vocabulary::Int64
end
chord_encoder_info(; length=zero_of(Int64), vocabulary=zero_of(Int64)) =
    chord_encoder_info(sizeof(chord_encoder_info), length, vocabulary)
@assert sizeof(chord_encoder_info) == 24
@assert [fieldoffset(chord_encoder_info, i) for i in 1:3] == [0, 8, 16]

"""
```text
Ownership: `info` is the caller's. Threads: any.

Returns: at once.
```
"""
chord_encoder_get_info(encoder, info) =
    ccall((:chord_encoder_get_info, libchord), chord_status, (Ptr{chord_encoder}, Ptr{chord_encoder_info},), encoder, info)

"""
```text
The tokens of a raw input, `length` of them; `capacity` says how many there is place for. `used`, which may be NULL,
becomes the number of positions before the padding. Ownership: the arrays are the caller's. Threads: any.

Returns: at once.
`bytes`: an array [size].
`tokens`: an array [capacity].
`used`: NULL allowed.
```
"""
chord_encoder_encode(encoder, bytes, size, tokens, capacity, used) =
    ccall((:chord_encoder_encode, libchord), chord_status, (Ptr{chord_encoder}, Ptr{Cvoid}, Csize_t, Ptr{Int32}, Int64, Ptr{Int64},), encoder, bytes, size, tokens, capacity, used)

"""
```text
A token for people: \"[MIN\", \"a\", \"<CLS>\", \"37\".
Ownership: the encoder's, valid until it is destroyed. Threads: any.

Returns: at once.
`text`: owned by `encoder`.
```
"""
chord_encoder_symbol(encoder, token, text) =
    ccall((:chord_encoder_symbol, libchord), chord_status, (Ptr{chord_encoder}, Int32, Ptr{Ptr{UInt8}},), encoder, token, text)

"""
```text
All zero or NULL but struct_size, task and output is a good choice.
task: one whose info says has_files_generator
output: the folder, made where it is missing
count: sequences of all splits together; 0: 10,000
seed: that they are drawn by
progress: or NULL
user: for `progress`
```
"""
struct chord_generate_options
    struct_size::Csize_t
    task::Ptr{UInt8}
    output::Ptr{UInt8}
    count::Int64
    seed::UInt64
    progress::Ptr{Cvoid}
    user::Ptr{Cvoid}
end
chord_generate_options(; task=zero_of(Ptr{UInt8}), output=zero_of(Ptr{UInt8}), count=zero_of(Int64), seed=zero_of(UInt64), progress=zero_of(Ptr{Cvoid}), user=zero_of(Ptr{Cvoid})) =
    chord_generate_options(sizeof(chord_generate_options), task, output, count, seed, progress, user)
@assert sizeof(chord_generate_options) == 56
@assert [fieldoffset(chord_generate_options, i) for i in 1:7] == [0, 8, 16, 24, 32, 40, 48]

"""
```text
Makes files that chord_dataset_create can read, by the published rules of the task: a tenth of the sequences for
validation, a tenth for test. They are a function of task, count and seed. All of them are there afterwards, or,
where that fails, none. Ownership: `options` stays the caller's. Threads: any.

Returns: after long work of its own.
```
"""
chord_generate_files(options) =
    ccall((:chord_generate_files, libchord), chord_status, (Ptr{chord_generate_options},), options)

"""
```text
One pass over a dataset, batch by batch; the next ones are prepared by a thread of its own.
```
"""
abstract type chord_batches end
"""
```text
batch: sequences in a batch, at least 1
first: the batch to begin with, from 0: the same ones follow as in a whole pass
seed: with the epoch it decides about the order, if shuffled
epoch: with the seed it decides about the order, if shuffled
shuffle: 1: each (seed, epoch) has an order of its own
drop_last: 1: a last batch that is not full is left out
part_first: from 0
part_count: 0: all from there on
```
"""
struct chord_batches_options
    struct_size::Csize_t
    batch::Int64
    first::Int64
    seed::UInt64
    epoch::Int64
    shuffle::chord_flag
    drop_last::chord_flag
    part_first::Int64
    part_count::Int64
end
chord_batches_options(; batch=zero_of(Int64), first=zero_of(Int64), seed=zero_of(UInt64), epoch=zero_of(Int64), shuffle=zero_of(chord_flag), drop_last=zero_of(chord_flag), part_first=zero_of(Int64), part_count=zero_of(Int64)) =
    chord_batches_options(sizeof(chord_batches_options), batch, first, seed, epoch, shuffle, drop_last, part_first, part_count)
@assert sizeof(chord_batches_options) == 64
@assert [fieldoffset(chord_batches_options, i) for i in 1:9] == [0, 8, 16, 24, 32, 40, 44, 48, 56]

"""
```text
Ownership: the result is the caller's and keeps the dataset's data alive. Threads: any.

Returns: at once.
```
"""
chord_batches_create(dataset, options, batches) =
    ccall((:chord_batches_create, libchord), chord_status, (Ptr{chord_dataset}, Ptr{chord_batches_options}, Ptr{Ptr{chord_batches}},), dataset, options, batches)

"""
```text
Ownership: takes `batches` and stops its thread. Threads: any.

Returns: after waiting for work.
`batches`: NULL allowed.
```
"""
chord_batches_destroy(batches) =
    ccall((:chord_batches_destroy, libchord), chord_status, (Ptr{chord_batches},), batches)

"""
```text
How many batches the whole pass has, those before `first` included.
Ownership: none. Threads: any.

Returns: at once.
```
"""
chord_batches_count(batches, count) =
    ccall((:chord_batches_count, libchord), chord_status, (Ptr{chord_batches}, Ptr{Int64},), batches, count)

"""
```text
The next batch, of `count` sequences; 0 at the end, and of a batch that has none of the part.
Ownership: the arrays are the library's, valid until the next call with these batches. Threads: one at a time.

Returns: after waiting for work.
`inputs`: owned by `batches`.
`labels`: owned by `batches`.
```
"""
chord_batches_next(batches, inputs, labels, count) =
    ccall((:chord_batches_next, libchord), chord_status, (Ptr{chord_batches}, Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Ptr{Int64},), batches, inputs, labels, count)

# Files

"""
```text
Makes these bytes the content of a file: as a whole and for good, or, where that fails, not at all, so that neither a
crash nor a full disk leaves half of one. Ownership: `data` stays the caller's. Threads: any.

Returns: at once.
`data`: an array [bytes].
```
"""
chord_write_file(path, data, bytes) =
    ccall((:chord_write_file, libchord), chord_status, (Cstring, Ptr{Cvoid}, Csize_t,), path, data, bytes)

"""
```text
A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by
row. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.
Threads: any.

Returns: when the work is queued.
```
"""
chord_tensor_read_npy(context, path, tensor) =
    ccall((:chord_tensor_read_npy, libchord), chord_status, (Ptr{chord_context}, Cstring, Ptr{Ptr{chord_tensor}},), context, path, tensor)

"""
```text
A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by
row. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.
Threads: any.

Returns: after waiting for work.
```
"""
chord_tensor_write_npy(tensor, path) =
    ccall((:chord_tensor_write_npy, libchord), chord_status, (Ptr{chord_tensor}, Cstring,), tensor, path)

"""
```text
An npy file of any size, written piece by piece from host memory.
```
"""
abstract type chord_npy_writer end
"""
```text
Ownership: the result is the caller's. Threads: any.

Returns: at once.
`shape`: an array [rank].
```
"""
chord_npy_writer_create(path, type_, rank, shape, writer) =
    ccall((:chord_npy_writer_create, libchord), chord_status, (Cstring, chord_type, Int32, Ptr{Int64}, Ptr{Ptr{chord_npy_writer}},), path, type_, rank, shape, writer)

"""
```text
The next numbers, row by row; no more of them than the shape has.
Ownership: `data` stays the caller's. Threads: one at a time.

Returns: at once.
`data`: an array [bytes].
```
"""
chord_npy_writer_write(writer, data, bytes) =
    ccall((:chord_npy_writer_write, libchord), chord_status, (Ptr{chord_npy_writer}, Ptr{Cvoid}, Csize_t,), writer, data, bytes)

"""
```text
Puts the file in its place, once all its numbers are written. Without it, the file stays as it was.
Ownership: none. Threads: one at a time.

Returns: at once.
```
"""
chord_npy_writer_commit(writer) =
    ccall((:chord_npy_writer_commit, libchord), chord_status, (Ptr{chord_npy_writer},), writer)

"""
```text
Ownership: takes `writer`. Threads: any.

Returns: at once.
`writer`: NULL allowed.
```
"""
chord_npy_writer_destroy(writer) =
    ccall((:chord_npy_writer_destroy, libchord), chord_status, (Ptr{chord_npy_writer},), writer)

end
