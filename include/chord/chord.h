/* clang-format off */
/* SparseChord: Chord sparse factorisation of square matrices. The C interface, and the only one: C++ (chord.hpp) and
 * the other languages stand on it.
 *
 * A pattern says where the non-zeros of an N×N factor are: row i has them at columns (i + o_k) mod N, for a short list
 * of offsets o. A factor is then an N×L array of weights, L being the number of offsets ("links"), and a chain of about
 * log2 N factors can represent a full matrix with N·log²N numbers. Arrays are tensors in the memory of a context, which
 * is a device opened for work.
 *
 * Conventions
 *   Errors      Every function that can fail returns a chord_status; results come through pointers, which are left
 *               alone on failure. chord_last_error() tells what went wrong. Nothing aborts, prints or throws.
 *   Ownership   What a *_create function gives is yours to *_destroy, in any order: objects keep alive what they need.
 *               Destroying NULL does nothing. A handle is a number, not an address: it is never used again, so that
 *               one whose object is gone is CHORD_ERROR_INVALID_HANDLE for certain.
 *   Threads     Different contexts may be used from different threads freely. One context, and the objects in it, may
 *               be used from several threads: calls are serialised, in the order they arrive. An object that is
 *               destroyed while another thread uses it lives until that call ends.
 *   Callbacks   come in the thread of the call that they are given to, before it returns, unless they say otherwise.
 *               They may call this library and end their thread (pthread_exit), but not throw. docs/threading.md has
 *               more.
 *   Asynchrony  Functions that work from tensor to tensor return when the work is queued; it runs in order. Functions
 *               with pointers to host memory return when that is the caller's again: what they read may still be on its
 *               way to the device, what they write is there. Errors of queued work come out of the next call that
 *               waits, chord_context_wait or one that writes to host memory. (On the host device, work is done when the
 *               call returns.)
 *   Processes   A forked child may not use contexts of its parent, nor open devices if the parent had: it gets
 *               CHORD_ERROR_FORKED. Destroying objects there, or while the process exits, does nothing.
 *   Structs     Begin with struct_size, to be set to sizeof the struct (CHORD_…_INIT does), so that they can grow:
 *               members this library does not know must be zero, and it leaves them alone. `reserved` is zero.
 *   Texts       are UTF-8 and end with a NUL, also those in arrays, which are cut where they do not fit. Paths are
 *               bytes, as the system takes them, and come out in messages as they are.
 */
/* clang-format on */
#ifndef CHORD_CHORD_H
#define CHORD_CHORD_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define CHORD_API
#else
#define CHORD_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CHORD_VERSION_MAJOR 0
#define CHORD_VERSION_MINOR 2
#define CHORD_VERSION_PATCH 0

/* Grows with every incompatible change of this header; it is the library's SOVERSION. */
#define CHORD_ABI_VERSION 1

/* A struct with all members zero but struct_size, for CHORD_…_INIT. */
#ifdef __cplusplus
#define CHORD_INIT(type)              \
  ([] {                               \
    type value{};                     \
    value.struct_size = sizeof value; \
    return value;                     \
  }())
#else
#define CHORD_INIT(type) {.struct_size = sizeof(type)}
#endif

typedef int32_t chord_flag; /* 0 or 1 */

/* ------------------------------------------------------------------------------------------------ Errors */

/* 0 is success, everything else an error. Values are never reused. */
typedef int32_t chord_status;
#define CHORD_SUCCESS 0
#define CHORD_ERROR_INVALID_ARGUMENT 1 /* a value outside its range, or memory shared where it must not be */
#define CHORD_ERROR_INVALID_HANDLE 2   /* NULL, destroyed, or a handle of another kind */
#define CHORD_ERROR_INVALID_SHAPE 3    /* shapes or strides that do not fit together */
#define CHORD_ERROR_INVALID_TYPE 4     /* element types that do not fit together */
#define CHORD_ERROR_TOO_LARGE 5        /* sizes beyond what can be addressed */
#define CHORD_ERROR_OUT_OF_MEMORY 6
#define CHORD_ERROR_NO_SUCH_DEVICE 7
#define CHORD_ERROR_DEVICE_FAILURE 8     /* the device or its runtime failed */
#define CHORD_ERROR_COMPILATION_FAILED 9 /* the kernels could not be compiled for the device */
#define CHORD_ERROR_IO_FAILURE 10        /* a file could not be read or written */
#define CHORD_ERROR_FORKED 11            /* used in a forked child */
#define CHORD_ERROR_UNSUPPORTED 12       /* the device or this build cannot do that */
#define CHORD_ERROR_CONTEXT_MISMATCH 13  /* objects of different contexts */
#define CHORD_ERROR_INTERNAL 14          /* a defect of this library */
#define CHORD_ERROR_INVALID_FILE 15      /* a file whose content is not what it should be */
#define CHORD_ERROR_STOPPED 16           /* a callback asked to stop */

/* The name of a status, e.g. "CHORD_ERROR_INVALID_SHAPE"; "unknown status" for values that are none.
 * Ownership: a constant of the library. Threads: any. */
CHORD_API const char* chord_status_name(chord_status status);

/* What went wrong in this thread's last call that failed: what, where, and what was expected. Empty if none has.
 * Ownership: the library's; valid until this thread's next failing call. Threads: each has its own. Never NULL. */
CHORD_API const char* chord_last_error(void);

/* The same into memory of the caller's, cut where `capacity` bytes do not hold it and its NUL; `length` (may be NULL)
 * is the whole text's, without the NUL. For runtimes that move between threads: call it with the failing call, before
 * they can. Ownership: `text` is the caller's. Threads: each has its own error. */
CHORD_API chord_status chord_last_error_copy(char* text, size_t capacity, size_t* length);

/* ---------------------------------------------------------------------------------------- Library and log */

/* The version of the library in use, which may differ from the header's. Pointers may be NULL.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_version(int32_t* major, int32_t* minor, int32_t* patch);

/* CHORD_ABI_VERSION of the library in use.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_abi_version(int32_t* version);

typedef int32_t chord_log_level;
#define CHORD_LOG_INFO 0
#define CHORD_LOG_WARNING 1

typedef void (*chord_log_callback)(chord_log_level level, const char* message, void* user);

/* Where messages go, e.g. "compiling kernels…"; silent until set, and again with NULL. The callback may call this
 * library, but not open the device it is told about, and must not throw. It comes in whatever thread uses the library,
 * in several at once, too. The function returns when the callback set before is no longer running, so that what it uses
 * can go; called by such a callback, it does not wait.
 * Ownership: `user` stays the caller's. Threads: any. */
CHORD_API chord_status chord_set_log_callback(chord_log_callback callback, void* user);

/* The folder in which compiled kernels are kept; empty for a user without one, where nothing is kept.
 * Ownership: the library's, valid until the process ends. Threads: any. */
CHORD_API chord_status chord_cache_directory(const char** path);

/* The text that is given to the SYCL compiler at run time: all kernels, each with an entry point of its own.
 * Ownership: the library's, valid until the process ends. Threads: any. */
CHORD_API chord_status chord_kernel_source(const char** source);

/* The kernels as PTX, as the NVIDIA driver gets them; NULL where the library was built without (chord-info says why).
 * Ownership: the library's, valid until the process ends. Threads: any. */
CHORD_API chord_status chord_kernel_ptx(const char** ptx);

/* ----------------------------------------------------------------------------------------------- Devices */

/* A backend: one way of compiling and running the kernels that this library was built with. */
typedef struct chord_backend_info {
  size_t struct_size;
  chord_flag available; /* 0 where it cannot be used here; `detail` says why and what to do */
  int32_t reserved;     /* 0 */
  char name[32];        /* host, cuda, runtime, dpcpp, adaptivecpp */
  char detail[1024];    /* what it runs on, or why it cannot */
} chord_backend_info;

/* How many backends there are, and each of them. The first call loads the device runtimes.
 * Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_backend_count(int32_t* count);
CHORD_API chord_status chord_backend_get_info(int32_t index, chord_backend_info* info);

typedef int32_t chord_device_kind;
#define CHORD_DEVICE_HOST 0 /* this process's own threads */
#define CHORD_DEVICE_CPU 1  /* a SYCL CPU device */
#define CHORD_DEVICE_GPU 2
#define CHORD_DEVICE_OTHER 3

typedef struct chord_device_info {
  size_t struct_size;
  chord_device_kind kind;   /* CHORD_DEVICE_… */
  int32_t units;            /* cores or multiprocessors */
  uint64_t memory_bytes;    /* all it has, in use or not */
  chord_flag host_readable; /* 1: tensors can be touched by the host (chord_tensor_map) and wrap host memory */
  chord_flag has_float64;   /* 1: it computes in double precision */
  char selector[64];        /* opens this very device */
  char backend[32];         /* the name of its backend */
  char name[256];           /* its maker's, for people */
} chord_device_info;

/* How many devices there are, and each of them; the host is number 0.
 * Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_device_count(int32_t* count);
CHORD_API chord_status chord_device_get_info(int32_t index, chord_device_info* info);

/* ----------------------------------------------------------------------------------------------- Context */

/* A device opened for work: an in-order queue and a pool of memory. */
typedef struct chord_context chord_context;

/* Opens a device. `selector`: NULL or "auto" (the environment's CHORD_DEVICE, else the first GPU, else the host),
 * "auto:float64" (the same, passing over GPUs without float64), "host", "cpu" (a SYCL CPU device), "gpu", "cuda" (an
 * NVIDIA GPU through its driver), a SYCL driver ("opencl", "level_zero", "sycl_cuda", "hip", "omp"), or one of their
 * devices by number ("cuda:1"). CUDA_VISIBLE_DEVICES and its like hold. The first SYCL context
 * of a machine compiles the kernels, which takes seconds; later ones find them in the cache (OpenCL devices; on others
 * the SYCL runtime keeps them if SYCL_CACHE_PERSISTENT=1).
 * Ownership: the caller's. Threads: any. */
CHORD_API chord_status chord_context_create(const char* selector, chord_context** context);

/* A context on a CUDA stream of the caller's, so that its work and ours come in order without a wait. `stream` is a
 * CUstream (or cudaStream_t) of the device's primary context, which PyTorch and the CUDA runtime use too; NULL is the
 * default stream. `device` is CUDA's number of the device.
 * Ownership: the context is the caller's; the stream stays the caller's, who destroys it after the context and all
 * objects in it. Threads: any. */
CHORD_API chord_status chord_context_create_on_cuda_stream(int32_t device, void* stream, chord_context** context);

/* A context on a SYCL queue of the caller's; chord_sycl.hpp is the safe way to call it. `queue` is a sycl::queue*, in
 * order, of the SYCL runtime that chord::sycl_runtime() of that header names in `runtime`; the context keeps a copy.
 * Ownership: the context is the caller's, the queue stays the caller's. Threads: any. */
CHORD_API chord_status chord_context_create_on_sycl_queue(void* queue, const char* runtime, chord_context** context);

/* The stream a CUDA context works on, a CUstream, and the number of its device (`device` may be NULL). Others can order
 * their work after ours with it (cuStreamWaitEvent), or hand it to __dlpack__(stream=…) before an import.
 * Ownership: the context's. Threads: any. */
CHORD_API chord_status chord_context_get_cuda_stream(chord_context* context, int32_t* device, void** stream);

/* Ownership: takes `context`; it closes when no object in it is left. Threads: any. */
CHORD_API chord_status chord_context_destroy(chord_context* context);

/* Waits for the work queued so far and destroys the context and all objects in it, whoever has their handles: these are
 * CHORD_ERROR_INVALID_HANDLE from then on, also when they are destroyed once more. Memory that was exported by DLPack
 * lives until it is given back. An error of queued work is reported, and the context closed nevertheless.
 * Ownership: takes `context` and the objects in it. Threads: any; a call in another thread that uses one of them ends
 * first, and the object with it. */
CHORD_API chord_status chord_context_close(chord_context* context);

/* How many objects are alive in a context, itself left out; or in the whole process, if `context` is NULL, those that
 * are in none (matrices, datasets, …) and contexts included. Ownership: none. Threads: any. */
CHORD_API chord_status chord_context_count_objects(const chord_context* context, int64_t* count);

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_context_get_device(const chord_context* context, chord_device_info* info);

/* Returns when all work queued so far is done; reports the first error of queued work since the last wait.
 * Ownership: none. Threads: any; others may go on queueing meanwhile. */
CHORD_API chord_status chord_context_wait(chord_context* context);

typedef struct chord_memory_info {
  size_t struct_size;
  uint64_t bytes_in_use;       /* what tensors and running operations have now */
  uint64_t peak_bytes;         /* the most that was ever in use */
  uint64_t reserved_bytes;     /* held from the device, in use or kept for reuse */
  uint64_t device_allocations; /* how often the device was asked; constant once a repeated operation is warm */
} chord_memory_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_context_get_memory(const chord_context* context, chord_memory_info* info);

/* Waits, then gives the memory kept for reuse back to the device.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_context_trim(chord_context* context);

/* ------------------------------------------------------------------------------------------------ Tensor */

/* An array in a context's memory: type, shape and strides. */
typedef struct chord_tensor chord_tensor;

typedef int32_t chord_type;
#define CHORD_FLOAT32 0
#define CHORD_FLOAT64 1
#define CHORD_INT32 2
#define CHORD_INT64 3

#define CHORD_MAX_RANK 8

/* A new tensor, contiguous, its values undefined. Extents may be 0; the product of the others, in bytes, is below 2^63.
 * Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_tensor_create(chord_context* context, chord_type type, int32_t rank, const int64_t* shape,
                                           chord_tensor** tensor);

/* A new tensor with a copy of contiguous host memory.
 * Ownership: the result is the caller's; `data` stays the caller's and is free to go. Threads: any. */
CHORD_API chord_status chord_tensor_create_from_host(chord_context* context, chord_type type, int32_t rank,
                                                     const int64_t* shape, const void* data, chord_tensor** tensor);

/* The same from `bytes` of it, which must be exactly the tensor's size: for languages that know how much they have.
 * Ownership: as above. Threads: any. */
CHORD_API chord_status chord_tensor_create_from_bytes(chord_context* context, chord_type type, int32_t rank,
                                                      const int64_t* shape, const void* data, size_t bytes,
                                                      chord_tensor** tensor);

typedef void (*chord_release_callback)(void* user);

/* Host memory used in place, without a copy, on devices whose info says host_readable. `strides` count elements; NULL
 * means contiguous. Overlapping elements (a stride of 0, say) make it read-only.
 * Ownership: `data` stays the caller's and must live until `release` (which may be NULL) is called: once, after the
 * last tensor that looks at it is gone and the queue has drained. On failure it is not called. Threads: any; `release`
 * is called in the thread that destroys the last tensor, or whose call was the last to use it, and may not end it. */
CHORD_API chord_status chord_tensor_wrap(chord_context* context, chord_type type, int32_t rank, const int64_t* shape,
                                         const int64_t* strides, void* data, chord_release_callback release, void* user,
                                         chord_tensor** tensor);

/* Another look at a tensor's memory: a slice, a transpose, a repetition. `offset` and `strides` count elements from the
 * tensor's first; NULL strides mean contiguous. It stays between the tensor's lowest and highest element in memory.
 * Ownership: the result is the caller's and keeps the memory alive. Threads: any. */
CHORD_API chord_status chord_tensor_view(const chord_tensor* tensor, int32_t rank, const int64_t* shape,
                                         const int64_t* strides, int64_t offset, chord_tensor** view);

/* Ownership: takes `tensor`. Threads: any; queued work that uses it is not disturbed. */
CHORD_API chord_status chord_tensor_destroy(chord_tensor* tensor);

/* The elements, contiguous in host memory. `bytes` must be exactly the tensor's size. to_host waits for the work before
 * it; from_host only until `data` is read. `data` may not be memory that the tensor itself uses in place.
 * Ownership: `data` is the caller's. Threads: any. */
CHORD_API chord_status chord_tensor_to_host(const chord_tensor* tensor, void* data, size_t bytes);
CHORD_API chord_status chord_tensor_from_host(chord_tensor* tensor, const void* data, size_t bytes);

/* tensor = value everywhere; to = from (same type and shape, one context).
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_tensor_fill(chord_tensor* tensor, double value);
CHORD_API chord_status chord_tensor_copy(const chord_tensor* from, chord_tensor* to);

typedef struct chord_tensor_info {
  size_t struct_size;
  chord_type type;                 /* CHORD_FLOAT32, … */
  int32_t rank;                    /* dimensions, 0 to CHORD_MAX_RANK */
  int64_t shape[CHORD_MAX_RANK];   /* `rank` extents, then zeros */
  int64_t strides[CHORD_MAX_RANK]; /* likewise, counted in elements */
  uint64_t bytes;                  /* what its elements take */
} chord_tensor_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_tensor_get_info(const chord_tensor* tensor, chord_tensor_info* info);

/* The first element, where the device's memory is host_readable; otherwise CHORD_ERROR_UNSUPPORTED. Wait for the
 * context before touching it, and do not touch it while work on it is queued.
 * Ownership: the tensor's. Threads: any. */
CHORD_API chord_status chord_tensor_data(const chord_tensor* tensor, void** data);

/* The same with the wait in it: all work queued so far is done when it returns, and the memory is the caller's, to read
 * and to write, until chord_tensor_unmap. Work with it that is queued meanwhile, by whatever thread, races with the
 * caller. Ownership: the memory is the tensor's, which must not be destroyed meanwhile. Threads: any. */
CHORD_API chord_status chord_tensor_map(chord_tensor* tensor, void** data);

/* The memory is the library's again, with what was written to it.
 * Ownership: ends what chord_tensor_map began. Threads: any. */
CHORD_API chord_status chord_tensor_unmap(chord_tensor* tensor);

/* DLPack (version 1): exchange with NumPy, PyTorch, JAX and others without a copy, for host-readable memory and
 * that of NVIDIA GPUs (kDLCUDA). Includers of dlpack.h have this type in full. */
struct DLManagedTensorVersioned;

/* A repetition (elements that share memory) is exported as read-only. Waits for the work queued so far, so that the
 * values are there. Ownership: the result is the caller's, who calls its deleter once, in any thread; it keeps the
 * memory alive. Threads: any. */
CHORD_API chord_status chord_tensor_to_dlpack(const chord_tensor* tensor, struct DLManagedTensorVersioned** managed);

/* The same for a consumer that works on a CUDA stream, without waiting: the stream waits instead, and when the deleter
 * is called, our later work waits for what the stream has been given until then. `stream` is as in Python's
 * __dlpack__(stream=…): −1 orders nothing, 1 is the legacy default stream, 2 that of the thread, anything else a
 * CUstream's address, which must be valid until the deleter has been called. Only for tensors of CUDA contexts.
 * Ownership: as above. Threads: any. */
CHORD_API chord_status chord_tensor_to_dlpack_on_cuda_stream(const chord_tensor* tensor, intptr_t stream,
                                                             struct DLManagedTensorVersioned** managed);

/* Ownership: takes `managed` when it succeeds: its deleter is called once, after the last tensor that looks at it is
 * gone and the queue has drained. On failure it stays the caller's. Threads: any. Memory of an NVIDIA GPU goes to a
 * context of that device; the producer has ordered its work before the context's stream
 * (chord_context_get_cuda_stream).
 */
CHORD_API chord_status chord_tensor_from_dlpack(chord_context* context, struct DLManagedTensorVersioned* managed,
                                                chord_tensor** tensor);

/* ----------------------------------------------------------------------------------------------- Pattern */

/* Where the non-zeros of a factor are. */
typedef struct chord_pattern chord_pattern;

/* Offsets 0, 1, b, b², … for b = `base` ≥ 2; `links` of them, or, if 0, ⌊log2 n⌋ + 1 for base 2 and all
 * powers below n for others. They wrap around n.
 * Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_pattern_create_chord(chord_context* context, int64_t n, int64_t base, int64_t links,
                                                  chord_pattern** pattern);

/* Offsets 0, 1, −1, b, −b, …; `links` of them, or all with b^k ≤ n / 2 if 0.
 * Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_pattern_create_symmetric(chord_context* context, int64_t n, int64_t base, int64_t links,
                                                      chord_pattern** pattern);

/* Any offsets: of any size and sign, in any order, repeated or not.
 * Ownership: the result is the caller's; `offsets` stays the caller's. Threads: any. */
CHORD_API chord_status chord_pattern_create_custom(chord_context* context, int64_t n, int64_t links,
                                                   const int64_t* offsets, chord_pattern** pattern);

/* Ownership: takes `pattern`. Threads: any. */
CHORD_API chord_status chord_pattern_destroy(chord_pattern* pattern);

/* Either pointer may be NULL.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_pattern_get_size(const chord_pattern* pattern, int64_t* n, int64_t* links);

/* The offsets as given; `capacity` must be at least the number of links.
 * Ownership: `offsets` is the caller's. Threads: any. */
CHORD_API chord_status chord_pattern_get_offsets(const chord_pattern* pattern, int64_t* offsets, int64_t capacity);

/* How many factors of a chord pattern connect every row with every column: (b − 1)·⌈log_b n⌉; 0 for n = 1.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_full_chain_length(int64_t n, int64_t base, int64_t* factors);

/* ---------------------------------------------------------------------------------- Product of one factor
 *
 * Shapes: w and dw [N, L], one factor for the whole batch, or [B, N, L]; v, z, dz, dv [N, D] or [B, N, D]. Float32 or
 * float64, all alike, in the pattern's context. Rows and batches may be strided, the values of a row not. Outputs may
 * not share memory with inputs. accumulate: 0 overwrites, 1 adds. */

/* z[i,:] (+)= Σ_k w[i,k] · v[(i+o_k) mod N, :]
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_product(const chord_pattern* pattern, const chord_tensor* w, const chord_tensor* v,
                                     chord_tensor* z, chord_flag accumulate);

/* dv[j,:] (+)= Σ_k w[(j−o_k) mod N, k] · dz[(j−o_k) mod N, :], the product with the transpose.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_product_gradient_values(const chord_pattern* pattern, const chord_tensor* w,
                                                     const chord_tensor* dz, chord_tensor* dv, chord_flag accumulate);

/* dw[i,k] (+)= ⟨dz[i,:], v[(i+o_k) mod N, :]⟩, summed over the batch where dw has none.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_product_gradient_weights(const chord_pattern* pattern, const chord_tensor* dz,
                                                      const chord_tensor* v, chord_tensor* dw, chord_flag accumulate);

/* ------------------------------------------------------------------------------------------------- Chain */

/* M factors that share a pattern. They are applied in stored order: chain(v) = W_M ⋯ W_2 W_1 v, W_1 being weights[0].
 */
typedef struct chord_chain chord_chain;

/* weights: [M, N, L], or [M, B, N, L] with factors of each sequence's own; M = 0 is the identity. residual: 1 adds the
 * first v again after every factor.
 * Ownership: the result is the caller's; it looks at `weights`, whose values may change between calls, and keeps its
 * memory alive. Threads: any. */
CHORD_API chord_status chord_chain_create(const chord_pattern* pattern, const chord_tensor* weights,
                                          chord_flag residual, chord_chain** chain);

/* Ownership: takes `chain`. Threads: any. */
CHORD_API chord_status chord_chain_destroy(chord_chain* chain);

/* z = chain(v), both [N, D] or [B, N, D]. tape: NULL, or [M − 1, …] of v's shape, in which the outputs of all factors
 * but the last are left for chord_chain_gradient. Ownership: none. Threads: any. */
CHORD_API chord_status chord_chain_apply(const chord_chain* chain, const chord_tensor* v, chord_tensor* z,
                                         chord_tensor* tape);

/* z = chainᵀ(v): the transpose of the same linear map, residuals included.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_chain_apply_transposed(const chord_chain* chain, const chord_tensor* v, chord_tensor* z);

/* out[r,:] = row indices[r] of the product W_M ⋯ W_1 (residuals left out), [count, N] or [B, count, N], without forming
 * it: O(M·N·L) a row.
 * Ownership: `indices` stays the caller's and is read before the call returns. Threads: any. */
CHORD_API chord_status chord_chain_rows(const chord_chain* chain, const int64_t* indices, int64_t count,
                                        chord_tensor* out);

/* out = the product W_M ⋯ W_1 (residuals left out) as a dense matrix, [N, N] or [B, N, N].
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_chain_dense(const chord_chain* chain, chord_tensor* out);

/* The gradient of ⟨g, chain(v)⟩ with respect to every factor, dw of the weights' shape, and to v, dv of v's shape or
 * NULL. tape: as chord_chain_apply left it for the same v and weights, or NULL to compute the intermediates again,
 * which takes about half as long again and less memory. Ownership: none. Threads: any. */
CHORD_API chord_status chord_chain_gradient(const chord_chain* chain, const chord_tensor* v, const chord_tensor* tape,
                                            const chord_tensor* g, chord_tensor* dw, chord_tensor* dv,
                                            chord_flag accumulate);

/* ------------------------------------------------------------------------------------------------ Matrix */

/* A matrix in host memory, dense or sparse, float64: what is to be factorised. It is in no context, never changes, and
 * can be used in a forked child. One that is not square is held as the upper left part of a square one: a dense one
 * takes the memory of n², n being the longer side. */
typedef struct chord_matrix chord_matrix;

/* Reads a file: MatrixMarket (coordinate files become sparse, all others dense), NumPy's npy, PNG (grey levels from 0
 * to 255), or safetensors with one tensor of two dimensions. The content tells which, not the name.
 * CHORD_ERROR_INVALID_FILE if it is none of them, damaged, or has values that are not finite.
 * Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_matrix_read(const char* path, chord_matrix** matrix);

/* A matrix of n·n finite values, row by row.
 * Ownership: the result is the caller's; `values` stays the caller's and is free to go. Threads: any. */
CHORD_API chord_status chord_matrix_create_dense(int64_t n, const double* values, chord_matrix** matrix);

/* A matrix of `count` finite entries in any order, rows and columns counted from 0; those at one place are summed.
 * Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any. */
CHORD_API chord_status chord_matrix_create_sparse(int64_t n, int64_t count, const int64_t* rows, const int64_t* columns,
                                                  const double* values, chord_matrix** matrix);

/* The same two for matrices that need not be square: rows · columns values, or entries.
 * Ownership: the result is the caller's; the arrays stay the caller's and are free to go. Threads: any. */
CHORD_API chord_status chord_matrix_create_rectangle(int64_t rows, int64_t columns, const double* values,
                                                     chord_matrix** matrix);
CHORD_API chord_status chord_matrix_create_sparse_rectangle(int64_t rows, int64_t columns, int64_t count,
                                                            const int64_t* entry_rows, const int64_t* entry_columns,
                                                            const double* values, chord_matrix** matrix);

/* Ownership: takes `matrix`. Threads: any. */
CHORD_API chord_status chord_matrix_destroy(chord_matrix* matrix);

typedef struct chord_matrix_info {
  size_t struct_size;
  int64_t n;            /* rows, and columns; the larger of the two where they differ */
  int64_t stored;       /* numbers held: rows · columns, or the entries of a sparse one */
  int64_t nonzeros;     /* of those, the ones that are not 0 */
  chord_flag sparse;    /* 1: only entries are held */
  chord_flag symmetric; /* 1: it equals its transpose, exactly */
  double norm;          /* Frobenius */
  char format[32];      /* matrix-market, npy, png, safetensors, memory */
  int64_t rows;         /* as the matrix was given */
  int64_t columns;      /* likewise; n is the larger of the two */
} chord_matrix_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_matrix_get_info(const chord_matrix* matrix, chord_matrix_info* info);

/* All rows · columns values, row by row. `bytes` must be exactly their size.
 * Ownership: `values` is the caller's. Threads: any. */
CHORD_API chord_status chord_matrix_to_dense(const chord_matrix* matrix, double* values, size_t bytes);

/* values[r,:] = row indices[r], count · columns values, without making a sparse matrix dense.
 * Ownership: the arrays are the caller's. Threads: any. */
CHORD_API chord_status chord_matrix_rows(const chord_matrix* matrix, const int64_t* indices, int64_t count,
                                         double* values);

/* The best approximation of a rank (the truncated SVD), for comparison: its error ‖X − X_r‖ (Frobenius), all singular
 * values in falling order, as many as the shorter side has, and X_r row by row, rows · columns values. Each pointer may
 * be NULL. rank: 0 to the shorter side. Takes O(n³) and the memory of a few dense matrices; uses oneMKL's LAPACK, or
 * the system's, and says CHORD_ERROR_UNSUPPORTED without either. Ownership: the arrays are the caller's. Threads: any.
 */
CHORD_API chord_status chord_matrix_truncated_svd(const chord_matrix* matrix, int64_t rank, double* error,
                                                  double* singular_values, double* approximation);

/* ----------------------------------------------------------------------------------------- Factorisation */

/* A matrix X approximated by a chain of factors: X̂ ≈ X, found by minimising ½‖X − X̂‖² (Frobenius). The stored factors
 * make P = W_M ⋯ W_2 W_1, W_1 being weights[0]; X̂ follows from P as the constraint says.
 *
 * X̂ may be a sum of parts, of which that is one: it can also have a matrix of low rank and single entries. A fit has
 * factors alone unless its options ask for others, or give numbers to be split between factors and a low rank. */
typedef struct chord_factorization chord_factorization;

typedef int32_t chord_constraint;
#define CHORD_CONSTRAINT_NONE 0         /* X̂ = P */
#define CHORD_CONSTRAINT_NONNEGATIVE 1  /* X̂ = P, no weight below 0 */
#define CHORD_CONSTRAINT_STOCHASTIC 2   /* X̂ = P, no weight below 0, rows of every factor and of X̂ sum to 1 */
#define CHORD_CONSTRAINT_SYMMETRIC 3    /* X̂ = ½(P + Pᵀ) */
#define CHORD_CONSTRAINT_SEMIDEFINITE 4 /* X̂ = P Pᵀ: symmetric, no eigenvalue below 0; P has half the factors */

typedef int32_t chord_stop;
#define CHORD_STOP_GRADIENT 0    /* a stationary point, as exactly as the numbers allow */
#define CHORD_STOP_IMPROVEMENT 1 /* hardly any progress any more */
#define CHORD_STOP_ITERATIONS 2  /* as many as were allowed */
#define CHORD_STOP_SECONDS 3     /* as long as was allowed */
#define CHORD_STOP_CANCELLED 4   /* the callback wanted it, or chord_job_cancel */

/* Under CHORD_CONSTRAINT_SYMMETRIC the low-rank part is U Vᵀ + V Uᵀ; under CHORD_CONSTRAINT_SEMIDEFINITE it is U Uᵀ and
 * has no "v". */
typedef int32_t chord_part_kind;
#define CHORD_PART_FACTORS 0  /* what the constraint makes of P; tensor "weights" [M, N, L] */
#define CHORD_PART_LOW_RANK 1 /* U Vᵀ; tensors "u" and "v" [N, rank] */
#define CHORD_PART_ENTRIES 2  /* single entries; "entry_rows", "entry_columns" (int32), "entry_values" [count] */

#define CHORD_NO_PART (-1) /* for the size of a part that there is not to be */

/* What a value is called, in files and on command lines, and what it means, in a line. */
typedef struct chord_name_info {
  size_t struct_size;
  const char* name;        /* "semidefinite" */
  const char* description; /* for people */
} chord_name_info;

/* The constraints, CHORD_CONSTRAINT_… from 0 to count - 1; the kinds of parts, CHORD_PART_…, and the reasons to stop,
 * CHORD_STOP_…, likewise.
 * Ownership: `info` is the caller's, its texts are constants of the library. Threads: any. */
CHORD_API chord_status chord_constraint_count(int32_t* count);
CHORD_API chord_status chord_constraint_get_info(chord_constraint constraint, chord_name_info* info);
CHORD_API chord_status chord_part_kind_count(int32_t* count);
CHORD_API chord_status chord_part_kind_get_info(chord_part_kind kind, chord_name_info* info);
CHORD_API chord_status chord_stop_count(int32_t* count);
CHORD_API chord_status chord_stop_get_info(chord_stop stop, chord_name_info* info);

typedef struct chord_factorize_progress {
  size_t struct_size;
  int32_t start;         /* which start is being worked on, from 0, */
  int32_t starts;        /* of how many */
  int64_t iteration;     /* iterations so far, of all starts together */
  double error;          /* ‖X − X̂‖ now */
  double best_error;     /* the lowest so far: what would be the result now */
  double relative_error; /* best_error / ‖X‖; 0 for X = 0 */
  double gradient;       /* the norm of the gradient, X scaled to norm 1 */
  double seconds;        /* time since the beginning */
  double standard_error; /* of best_error where that is an estimate (chord_factorize_operator); 0: it is none */
} chord_factorize_progress;

/* Returns 0 to go on, anything else to stop: the best so far is then the result. It comes in the thread that called
 * chord_factorize, may call this library and must not throw; the thread may end in it. */
typedef int32_t (*chord_factorize_callback)(const chord_factorize_progress* progress, void* user);

/* Leaves in the first row of `values`, of [pieces, numbers], the sum of all rows of all processes, which must be the
 * same bits everywhere; 0, or anything else where others are gone: the fit then fails with CHORD_ERROR_STOPPED. Called
 * in the thread of the fit, by all processes as often and with as many numbers; may not call this library with its
 * context. */
typedef int32_t (*chord_sum_callback)(double* values, int64_t pieces, int64_t numbers, void* user);

/* Processes that fit one matrix together: X's columns are cut into pieces, and each process has some that follow each
 * other. All call chord_factorize with the same arguments, but for these, the checkpoint and the callback, and get the
 * same result, which depends on the number of pieces, not of processes. The time is that of the process with the first
 * piece; who is asked by its callback to stop ends all of them. Where `whole` says what all of X is, for factors alone,
 * only the columns of this process's pieces are looked at, of each those from n·piece/pieces up to the next one's.
 * Without it, every process has all of X, and each start of the race is fitted by one of them alone.
 * chord_mpi.h does all this over MPI. */
typedef struct chord_factorize_peers {
  size_t struct_size;
  int64_t pieces;                 /* of all processes */
  int64_t first;                  /* the first that this process has, from 0 */
  int64_t count;                  /* how many it has, at least 1 */
  chord_sum_callback sum;         /* over all of them */
  void* user;                     /* what it is given */
  const chord_matrix_info* whole; /* NULL, or what all of X is */
} chord_factorize_peers;

/* All zero but struct_size is a good choice. */
typedef struct chord_factorize_options {
  size_t struct_size;
  int64_t factors;              /* in X̂'s product, at most 4096, or CHORD_NO_PART; 0: ⌈log2 n⌉, at least 1, or with
                                   `numbers` what is found */
  chord_constraint constraint;  /* CHORD_CONSTRAINT_… */
  int32_t precision;            /* bits of the numbers computed with: 0 or 64, or 32 */
  int32_t restarts;             /* starts tried in a race, of which the best goes on; 0: a few, of different kinds */
  int32_t reserved;             /* 0 */
  uint64_t seed;                /* of everything that is drawn */
  int64_t iterations;           /* the most of all starts together; 0: no limit */
  double seconds;               /* the most it may take; 0: no limit */
  double gradient_tolerance;    /* stops at ‖gradient‖ ≤ this, X scaled to norm 1; 0: 1e-10 (float32: 1e-6) */
  double improvement_tolerance; /* stops when 1000 iterations lower the error by less than this share; 0: 1e-4 */
  const chord_factorization* resume; /* NULL, or where to go on from: same n, pattern, parts and constraint */
  const char* checkpoint;            /* NULL, or a file that is given the best result so far every few seconds */
  double checkpoint_seconds;         /* the time from one to the next; 0: 2 */
  chord_factorize_callback callback; /* NULL, or called now and then, in the thread of the call */
  void* user;                        /* what it is given */
  double callback_seconds;           /* the time from one call to the next; 0: 0.1 */
  int64_t numbers;                   /* of all parts together, at most; 0: as many as the parts asked for have */
  int64_t rank;                      /* of the low-rank part; 0: none, or with `numbers` what is found; CHORD_NO_PART */
  int64_t entries;                   /* single ones; two numbers each */
  const chord_factorize_peers* peers; /* NULL, or others that share the work; not for jobs */
  chord_flag exact_error;             /* 1: where the error would be an estimate it is found, at the end, by all columns
                                         of X, whatever the time limit */
  int32_t reserved_too;               /* 0 */
} chord_factorize_options;

/* Fits factors of `pattern`, in its context, and the other parts asked for to `matrix`. One that is not square takes a
 * pattern of its longer side: what the factors make beyond it does not count; constraints but
 * CHORD_CONSTRAINT_NONNEGATIVE are refused then, and so is a sparse one with n beyond 4096. A sparse one is not made
 * dense for factors alone; beside other parts it is, with n up to 4096. A larger one, where there is no constraint, is
 * fitted as chord_factorize_operator does. Returns when done. With a time, and no tolerance, a run that has converged
 * begins elsewhere, until the time is over or the result exact; the best is kept. A run that stops early, for whatever
 * reason but an error, gives its best result so far. Same arguments, same device, same result, to the bit, if neither
 * time nor the callback ends it. Ownership: the result is the caller's; `matrix` and `options` (NULL: all zero) stay
 * the caller's. Threads: any; the context can be used meanwhile, also by the callback.
 */
CHORD_API chord_status chord_factorize(const chord_pattern* pattern, const chord_matrix* matrix,
                                       const chord_factorize_options* options, chord_factorization** factorization);

/* X as a function: out = X · in, or Xᵀ · in if `transposed` is 1. Both are n × columns values in host memory, row by
 * row, and at most 64 columns. Returns 0, anything else to end it all with CHORD_ERROR_STOPPED. It comes in the thread
 * of the call, may call this library and must not throw. */
typedef int32_t (*chord_operator_apply)(const double* in, double* out, int64_t columns, chord_flag transposed,
                                        void* user);

/* What chord_factorize does, to a matrix that is never formed: it is known by `apply` alone, which is given `user`, and
 * its rows and columns are as many as the pattern's. There is no constraint, and there are no single entries. The low
 * rank is that of a randomised SVD, the factors beside it are fitted to X's products with random columns, and the error
 * is estimated by others: standard_error tells how well. At equal numbers the result is not worse than the randomised
 * SVD, as far as the estimate can tell. A time limit holds to one call of `apply`, from when the low rank is there.
 * Ownership: the result is the caller's; `user` and `options` stay the caller's. Threads: any. */
CHORD_API chord_status chord_factorize_operator(const chord_pattern* pattern, chord_operator_apply apply, void* user,
                                                const chord_factorize_options* options,
                                                chord_factorization** factorization);

/* How much memory chord_factorize_operator will use with these arguments, beside what `apply` does.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_factorize_operator_memory(const chord_pattern* pattern,
                                                       const chord_factorize_options* options, uint64_t* bytes);

/* A factorisation that runs in a thread of the library's, to be looked at and ended from any other. */
typedef struct chord_job chord_job;

/* Begins what chord_factorize would do, and returns. The options have no callback: the job is asked instead.
 * Ownership: the result is the caller's; `matrix` and `options` stay the caller's and may go: the job keeps what it
 * needs. Threads: any. */
CHORD_API chord_status chord_factorize_start(const chord_pattern* pattern, const chord_matrix* matrix,
                                             const chord_factorize_options* options, chord_job** job);

/* Where the job is: done (1) or not (0), and its progress (all zero before the first of it). Either pointer may be
 * NULL. Never waits. Ownership: `progress` is the caller's. Threads: any. */
CHORD_API chord_status chord_job_poll(const chord_job* job, chord_flag* done, chord_factorize_progress* progress);

/* Asks the job to end soon with its best result so far; nothing where it is done. Never waits.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_job_cancel(chord_job* job);

/* Waits until the job is done, but at most so many seconds; less than 0: as long as it takes. `done` (may be NULL) is 0
 * where it is not yet. Ownership: none. Threads: any, several at once. */
CHORD_API chord_status chord_job_wait(const chord_job* job, double seconds, chord_flag* done);

/* Waits, and gives the result, or the error that ended the job as chord_factorize would have.
 * Ownership: the result is the caller's; every call gives another handle. Threads: any. */
CHORD_API chord_status chord_job_get_factorization(const chord_job* job, chord_factorization** factorization);

/* Ownership: takes `job`; one that is not done is cancelled, without waiting for its end. A process that exits waits
 * for that. Threads: any. */
CHORD_API chord_status chord_job_destroy(chord_job* job);

/* How much of the context's memory chord_factorize will use with these arguments.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_factorize_memory(const chord_pattern* pattern, const chord_matrix* matrix,
                                              const chord_factorize_options* options, uint64_t* bytes);

/* Ownership: takes `factorization`. Threads: any. */
CHORD_API chord_status chord_factorization_destroy(chord_factorization* factorization);

typedef struct chord_factorization_info {
  size_t struct_size;
  int64_t n;                   /* rows, and columns, of X̂; the larger of the two where they differ */
  int64_t links;               /* of the pattern */
  int64_t factors;             /* in X̂'s product: those stored, or twice as many for CHORD_CONSTRAINT_SEMIDEFINITE */
  int64_t nonzeros;            /* numbers stored, of all parts: of factors alone, stored factors · n · links */
  chord_constraint constraint; /* CHORD_CONSTRAINT_… */
  int32_t precision;           /* bits of the stored numbers */
  chord_stop stop;             /* CHORD_STOP_…: why the run ended */
  int32_t reserved;            /* 0 */
  int64_t iterations;          /* these and the seconds include the runs it was resumed from */
  double seconds;              /* how long it took */
  double error;                /* ‖X − X̂‖ */
  double relative_error;       /* error / ‖X‖; 0 for X = 0 */
  uint64_t seed;               /* that it was drawn by */
  double standard_error;       /* of the error where that is an estimate (chord_factorize_operator); 0: it is none */
  int64_t rows;                /* of X̂ */
  int64_t columns;             /* of X̂ */
} chord_factorization_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_factorization_get_info(const chord_factorization* factorization,
                                                    chord_factorization_info* info);

typedef struct chord_part_info {
  size_t struct_size;
  chord_part_kind kind; /* CHORD_PART_… */
  int32_t reserved;     /* 0 */
  int64_t size;         /* stored factors, rank, or entries */
  int64_t
      numbers; /* that are stored: M · N · L, (rows + columns) · rank, or two for each entry, its value and its place */
} chord_part_info;

/* How many parts X̂ is the sum of, and each of them. A kind that the caller does not know may be among them.
 * Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_factorization_part_count(const chord_factorization* factorization, int32_t* count);
CHORD_API chord_status chord_factorization_get_part(const chord_factorization* factorization, int32_t index,
                                                    chord_part_info* info);

/* A tensor that a part is stored as, by the name that CHORD_PART_… tells and the file has.
 * Ownership: the result is the caller's and looks at the factorisation's memory. Threads: any. */
CHORD_API chord_status chord_factorization_get_tensor(const chord_factorization* factorization, const char* name,
                                                      chord_tensor** tensor);

/* z = X̂ v, or X̂ᵀ v if `transposed` is 1; [N, D] or [B, N, D] of the factorisation's precision. Where X̂ is not square v
 * has as many rows as X̂, or X̂ᵀ, has columns, and z as many as it has rows.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_factorization_apply(const chord_factorization* factorization, const chord_tensor* v,
                                                 chord_tensor* z, chord_flag transposed);

/* out[r,:] = row indices[r] of X̂, [count, columns], without forming it.
 * Ownership: `indices` stays the caller's and is read before the call returns. Threads: any. */
CHORD_API chord_status chord_factorization_rows(const chord_factorization* factorization, const int64_t* indices,
                                                int64_t count, chord_tensor* out);

/* out = X̂, [rows, columns].
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_factorization_dense(const chord_factorization* factorization, chord_tensor* out);

/* P as a chain. CHORD_ERROR_UNSUPPORTED where X̂ has parts beside its factors, or is not square: a chain is not what it
 * is.
 * Ownership: the result is the caller's and keeps the weights alive. Threads: any. */
CHORD_API chord_status chord_factorization_get_chain(const chord_factorization* factorization, chord_chain** chain);

/* The stored factors, [M, N, L] (CHORD_ERROR_UNSUPPORTED where X̂ has none), and their pattern.
 * Ownership: the results are the caller's; the tensor looks at the factorisation's memory. Threads: any. */
CHORD_API chord_status chord_factorization_get_weights(const chord_factorization* factorization,
                                                       chord_tensor** weights);
CHORD_API chord_status chord_factorization_get_pattern(const chord_factorization* factorization,
                                                       chord_pattern** pattern);

/* A safetensors file is written, replaced as a whole or left as it was, and read: the tensors of all parts and
 * `offsets` [L], with a list of the parts and the rest of the info as metadata. A file with a part that this version
 * does not know is CHORD_ERROR_UNSUPPORTED, and named. Ownership: the result of loading is the caller's. Threads: any.
 */
CHORD_API chord_status chord_factorization_save(const chord_factorization* factorization, const char* path);
CHORD_API chord_status chord_factorization_load(chord_context* context, const char* path,
                                                chord_factorization** factorization);

/* ------------------------------------------------------------------------------------------------- Model */

/* A network with Chord attention: embedding (or a linear map of reals) [+ learned positions] → dropout → blocks →
 * dropout → pooling → head. A block makes V = g(E) and factors W_m = f_m(E) from its input E (N×width) by small
 * networks that work row by row (linear, GELU, linear), and then V ← W_m V (+ the first V, with residuals) for all m.
 *
 * It is described by a JSON object, e.g. {"preset": "adding", "length": 512, "width": 64}. chord_model_key_get_info
 * tells the keys, their ranges and defaults; unknown ones are refused. "preset" is the name of a task
 * (chord_task_get_info): the values that keys not given have. Without it, the keys that are required must be there, and
 * vocabulary for tokens, features for reals.
 *
 * Inputs are int32 [B, N] for "input": "tokens", and reals [B, N, features] for "reals".
 *
 * Sequences may be shorter than N: chord_train_options.lengths. One of length n is computed as if every block had n
 * rows alone: V has n rows, each factor is its leading n×n part, and the head is given zeros for the rows that are
 * missing (for "pooling": "cls" it sees row 0, as always). What the inputs have behind n is never looked at, be it NaN
 * or no token, and no gradient comes from or goes to it. */
typedef struct chord_model chord_model;

/* The whole description of a preset, as JSON.
 * Ownership: the library's, valid until the process ends. Threads: any. */
CHORD_API chord_status chord_model_preset(const char* name, const char** json);

/* How many presets there are, and the name of each.
 * Ownership: the name is a constant of the library. Threads: any. */
CHORD_API chord_status chord_model_preset_count(int32_t* count);
CHORD_API chord_status chord_model_preset_name(int32_t index, const char** name);

typedef int32_t chord_key_kind;
#define CHORD_KEY_INTEGER 0
#define CHORD_KEY_REAL 1
#define CHORD_KEY_BOOLEAN 2
#define CHORD_KEY_CHOICE 3 /* one of a few texts */

/* A key of the JSON that describes a model. */
typedef struct chord_model_key_info {
  size_t struct_size;
  const char* name;          /* "hidden_f" */
  const char* description;   /* what it means, in a line */
  chord_key_kind kind;       /* CHORD_KEY_… */
  chord_flag required;       /* 1: must be given where there is no preset */
  double lowest;             /* lowest <= an integer <= highest; lowest <= a real < highest, which may be infinite */
  double highest;            /* see lowest */
  const char* choices;       /* the only values it may have, as a JSON array; "" where its kind and range say it all */
  const char* default_value; /* as JSON; "" for a required key, and for one that follows from others unless given */
} chord_model_key_info;

/* How many keys there are beside "preset", and each of them, in the order of the JSON that the library writes.
 * Ownership: `info` is the caller's, its texts are the library's, valid until the process ends. Threads: any. */
CHORD_API chord_status chord_model_key_count(int32_t* count);
CHORD_API chord_status chord_model_key_get_info(int32_t index, chord_model_key_info* info);

/* A new model, its parameters drawn by `seed` (PyTorch's default distributions); the seed is also that of its dropout.
 * Ownership: the result is the caller's; `json` stays the caller's. Threads: any. */
CHORD_API chord_status chord_model_create(chord_context* context, const char* json, uint64_t seed, chord_model** model);

/* The model of a safetensors file: one of chord_model_save, or any with the tensor names of the paper's PyTorch code.
 * `json` describes the model; NULL takes the description the file itself has. Unused embedding.weight and
 * pos_embedding.weight are passed over with a message to the log; everything else must fit exactly.
 * Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_model_load(chord_context* context, const char* path, const char* json,
                                        chord_model** model);

/* Writes a safetensors file, which is replaced as a whole or left as it was. with_optimizer: 1 also stores what
 * training needs to go on as if it had not stopped: the optimiser's moments, the step, the seed. `note` (NULL: none) is
 * any text to keep with it, for chord_model_note. Same model, same bytes.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_model_save(const chord_model* model, const char* path, chord_flag with_optimizer,
                                        const char* note);

/* The note the model's file had; "" if none.
 * Ownership: the model's. Threads: any. */
CHORD_API chord_status chord_model_note(const chord_model* model, const char** note);

/* Ownership: takes `model`; tensors that look at its parameters stay valid. Threads: any. */
CHORD_API chord_status chord_model_destroy(chord_model* model);

/* The description with all its keys, as JSON.
 * Ownership: the model's. Threads: any. */
CHORD_API chord_status chord_model_description(const chord_model* model, const char** json);

typedef struct chord_model_info {
  size_t struct_size;
  int64_t parameters;     /* numbers that training changes */
  int64_t step;           /* training steps so far */
  uint64_t seed;          /* of its first parameters and its dropout */
  int64_t length;         /* positions of a sequence */
  int64_t features;       /* reals per position; 0 for tokens */
  int64_t vocabulary;     /* 0 for reals */
  int64_t classes;        /* outputs of a sequence */
  chord_type input_type;  /* CHORD_INT32, or CHORD_FLOAT32 or CHORD_FLOAT64 for reals */
  chord_type label_type;  /* CHORD_INT32, or for mse that of the outputs */
  chord_type output_type; /* CHORD_FLOAT32 or CHORD_FLOAT64 */
  int32_t reserved;       /* 0 */
} chord_model_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_model_get_info(const chord_model* model, chord_model_info* info);

typedef int32_t chord_memory_mode;
#define CHORD_MEMORY_AUTO 0   /* normal where it fits into the memory available, else low */
#define CHORD_MEMORY_NORMAL 1 /* the factors of all sequences are kept for the backward pass */
#define CHORD_MEMORY_LOW 2    /* one factor at a time is made, and made again in the backward pass */

typedef int32_t chord_optimizer;
#define CHORD_OPTIMIZER_ADAM 0 /* AdamW, where there is a weight decay */
#define CHORD_OPTIMIZER_SGD 1  /* m ← momentum · m + (1 − momentum) · g; p ← p − learning_rate / (1 − momentum) · m */

/* All zero but struct_size is PyTorch's Adam with a learning rate of 0.001. */
typedef struct chord_train_options {
  size_t struct_size;
  double learning_rate;        /* 0: 0.001 */
  double beta1;                /* 0: 0.9 */
  double beta2;                /* 0: 0.999 */
  double epsilon;              /* 0: 1e-8 */
  double weight_decay;         /* AdamW's: each step takes learning_rate · weight_decay of every parameter; 0: none */
  double clip_norm;            /* the norm of all gradients together is scaled down to at most this; 0: it is not */
  int64_t micro_batch;         /* sequences computed at a time, whose gradients are summed; 0: what suits the device: on
                                * the host as many as caches hold, elsewhere and of a share of a batch all of them */
  chord_memory_mode memory;    /* CHORD_MEMORY_… */
  chord_optimizer optimizer;   /* CHORD_OPTIMIZER_… */
  double momentum;             /* of SGD: 0 to below 1 */
  const chord_tensor* lengths; /* NULL, or int32 [B]: the positions of each sequence that count; the rest is padding */
  /* The rest is for chord_model_gradients, _backward and _forward_with; a training step wants zeros. */
  int64_t first_sequence; /* the place of the first of these sequences in the whole batch: dropout is drawn by it */
  int64_t whole_batch;    /* how many sequences that has: the mean is taken over them; 0: these alone */
  chord_flag dropout;     /* 1: with dropout, as the next training step has it */
  chord_flag accumulate;  /* 1: adds to the gradients that are there */
} chord_train_options;

typedef struct chord_model_memory {
  size_t struct_size;
  uint64_t parameter_bytes;  /* parameters; for training also gradients and moments */
  uint64_t activation_bytes; /* what lives during a step */
  uint64_t peak_bytes;       /* both together: the most of the context's memory that will be in use */
  chord_memory_mode memory;  /* CHORD_MEMORY_NORMAL or CHORD_MEMORY_LOW: what was chosen */
  int32_t reserved;          /* 0 */
} chord_model_memory;

/* What a training step (training: 1) or a forward pass (0) of `batch` sequences will need, before any of it is taken.
 * Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_model_plan(const chord_model* model, int64_t batch, chord_flag training,
                                        const chord_train_options* options, chord_model_memory* info);

/* outputs [B, classes] = model(inputs), without dropout. inputs: tokens int32 [B, N] or reals [B, N, features].
 * Tokens outside the vocabulary are CHORD_ERROR_INVALID_ARGUMENT: at once where they were copied from the host, and of
 * tokens that only the device has seen (copied between tensors, written through a pointer) at the next wait.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_model_forward(chord_model* model, const chord_tensor* inputs, chord_tensor* outputs);

/* The same with options (NULL: all zero), of which micro_batch, memory, lengths, dropout and first_sequence matter.
 * Lengths are checked as tokens are; of inputs with lengths that hold what is no token, the device tells at the next
 * wait whether that is padding.
 * Ownership: `options` stays the caller's. Threads: any. */
CHORD_API chord_status chord_model_forward_with(chord_model* model, const chord_tensor* inputs,
                                                const chord_train_options* options, chord_tensor* outputs);

typedef struct chord_step_result {
  size_t struct_size;
  double loss;     /* the batch's mean */
  int64_t correct; /* sequences whose class, or value within the tolerance, is right */
  int64_t count;   /* sequences */
} chord_step_result;

/* Loss and correct answers of a batch, without dropout. labels: int32 [B] classes, or for mse reals [B]. Tokens and
 * labels that are none are CHORD_ERROR_INVALID_ARGUMENT, here and in the two below; nothing is learnt from such a
 * batch. Ownership: `result` is the caller's. Threads: any. */
CHORD_API chord_status chord_model_evaluate(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels,
                                            chord_step_result* result);

/* The same with options (NULL: all zero), of which those matter that do in chord_model_forward_with.
 * Ownership: `options` stays the caller's, `result` is the caller's. Threads: any. */
CHORD_API chord_status chord_model_evaluate_with(chord_model* model, const chord_tensor* inputs,
                                                 const chord_tensor* labels, const chord_train_options* options,
                                                 chord_step_result* result);

/* The gradients of the batch's mean loss, left for chord_model_gradient; the parameters stay. Of `options` (NULL: all
 * zero) those matter that are no optimiser's: several processes, or several calls, share a batch by telling each its
 * first_sequence and the whole_batch; the sum of what they get (accumulate) is the gradient of the whole, to the bit
 * that of a training step with such a micro_batch where one model does it all in order. `result` is that of these
 * sequences alone. Where the call fails, the gradients are undefined.
 * Ownership: `result` is the caller's and may be NULL. Threads: any. */
CHORD_API chord_status chord_model_gradients(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels,
                                             const chord_train_options* options, chord_step_result* result);

/* The gradients of ⟨doutputs, model(inputs)⟩, for losses of somebody else's: with respect to the parameters, left as
 * above, and to inputs that are reals, dinputs of their shape, or NULL. doutputs: [B, classes]. Of `options` those
 * matter as above, but for whole_batch: dropout and first_sequence must be those of the forward pass, which is computed
 * again. Ownership: `options` stays the caller's. Threads: any. */
CHORD_API chord_status chord_model_backward(chord_model* model, const chord_tensor* inputs,
                                            const chord_tensor* doutputs, chord_tensor* dinputs,
                                            const chord_train_options* options);

typedef int32_t chord_layer;
#define CHORD_LAYER_EMBEDDING 0 /* inputs → E [B, N, width]: embedding or linear map, positions, dropout */
#define CHORD_LAYER_VALUES 1    /* E, the input of a block → V = g(E) [B, N, channels], with dropout */
#define CHORD_LAYER_FACTOR 2    /* E → W_m = f_m(E) [B, N, links] */
#define CHORD_LAYER_HEAD 3      /* V [B, N, channels] → dropout, pooling, the head's first layer: [B, its outputs] */
#define CHORD_LAYER_OUTPUTS \
  4 /* that → outputs [B, classes]: GELU and a second layer, or, where there is none, itself */

/* The layers of a model one by one, for those who put something of their own between them: sequences that several
 * processes share, other ways of mixing rows. What is between these layers is chord_product, with residuals.
 * `block` and `factor` count from 0, and are 0 for layers that have none. Of `options` (NULL: all zero) first_sequence
 * and dropout matter. Tokens that are none are told as by chord_model_forward.
 * Ownership: `options` stays the caller's; `out` is contiguous. Threads: any. */
CHORD_API chord_status chord_model_layer_forward(chord_model* model, chord_layer layer, int64_t block, int64_t factor,
                                                 const chord_tensor* in, const chord_train_options* options,
                                                 chord_tensor* out);

/* The gradients of ⟨dout, layer(in)⟩: with respect to the layer's parameters, left beside those of the other layers
 * (with options.accumulate they are added to those that are there), and to its input, din of the input's shape,
 * contiguous, or NULL. accumulate: 1 adds to what din has; only for the layers of a block, which share their input.
 * Ownership: `options` (may be NULL) stays the caller's. Threads: any. */
CHORD_API chord_status chord_model_layer_backward(chord_model* model, chord_layer layer, int64_t block, int64_t factor,
                                                  const chord_tensor* in, const chord_tensor* dout,
                                                  const chord_train_options* options, chord_tensor* din,
                                                  chord_flag accumulate);

/* The loss of outputs [B, classes], and its gradient, doutputs of their shape, contiguous, or NULL. Of `options` (NULL:
 * all zero) whole_batch matters. Ownership: `options` stays the caller's, `result` is the caller's. Threads: any. */
CHORD_API chord_status chord_model_loss(chord_model* model, const chord_tensor* outputs, const chord_tensor* labels,
                                        const chord_train_options* options, chord_tensor* doutputs,
                                        chord_step_result* result);

/* One step of the optimiser with the gradients that are there, whoever computed them; clip_norm holds. With those of
 * chord_model_gradients of the same batch with dropout it does what chord_model_train_step does, to the bit.
 * Ownership: `options` (NULL: all zero) stays the caller's. Threads: any. */
CHORD_API chord_status chord_model_apply_gradients(chord_model* model, const chord_train_options* options);

/* One step of the optimiser on the batch's mean loss, with dropout. The gradients that are left for
 * chord_model_gradient are those before clipping. Same model, same batches, same device: the same bits. With a `result`
 * the call waits for it. With NULL it waits for nothing and reads nothing back: the step is queued, and its loss is
 * kept on the device for chord_model_take_losses. Tokens and labels that are none, and that only the device has seen,
 * are then told by the next wait; nothing is learnt from such a batch, its loss is NaN, and once it is told the step is
 * not counted (steps queued behind it before that are numbered as if it were). Ownership: `options` and `result`, which
 * may both be NULL, are the caller's. Threads: any. */
CHORD_API chord_status chord_model_train_step(chord_model* model, const chord_tensor* inputs,
                                              const chord_tensor* labels, const chord_train_options* options,
                                              chord_step_result* result);

#define CHORD_KEPT_LOSSES 256

/* The losses of training steps that were given no `result`, the oldest first, and how many sequences of each were right
 * (`correct` may be NULL): as many as are kept, but at most `capacity`; `count` is how many. Each is taken once. The
 * device keeps those of the last CHORD_KEPT_LOSSES steps; `lost` (may be NULL) is how many older ones were overwritten
 * since the last call. Waits for all steps queued; where that tells an error, the losses are left for the next call.
 * Ownership: the arrays are the caller's. Threads: any. */
CHORD_API chord_status chord_model_take_losses(chord_model* model, int64_t capacity, double* losses, int64_t* correct,
                                               int64_t* count, int64_t* lost);

/* Parameters have the names and shapes of the PyTorch code's state_dict, e.g. "fs.0.network.0.weight"; blocks behind
 * the first have "blocks.1." in front, and so on. Ownership: the name is the model's. Threads: any. */
CHORD_API chord_status chord_model_parameter_count(const chord_model* model, int64_t* count);
CHORD_API chord_status chord_model_parameter_name(const chord_model* model, int64_t index, const char** name);

/* A look at a parameter, which may be written, and at its gradient as the last call left it.
 * Ownership: the result is the caller's and keeps the memory alive. Threads: any. */
CHORD_API chord_status chord_model_parameter(const chord_model* model, const char* name, chord_tensor** tensor);
CHORD_API chord_status chord_model_gradient(const chord_model* model, const char* name, chord_tensor** tensor);

/* All parameters, all gradients, and the optimiser's two moments (SGD has the first alone) as one tensor [P] each, of
 * the model's type, which may be read and written: the parameters in the order of chord_model_parameter_name, each row
 * by row, without gaps. Gradients and moments are zeros before the first that are computed.
 * Ownership: the results are the caller's, look at the model's memory and keep it alive. Threads: any. */
CHORD_API chord_status chord_model_get_parameters(const chord_model* model, chord_tensor** parameters);
CHORD_API chord_status chord_model_get_gradients(chord_model* model, chord_tensor** gradients);
CHORD_API chord_status chord_model_get_moments(chord_model* model, chord_tensor** first, chord_tensor** second);

/* How many steps there were (info.step): what the optimiser's corrections, and the next step's dropout, follow from.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_model_set_step(chord_model* model, int64_t step);

/* All gradients by name, to a safetensors file.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_model_save_gradients(const chord_model* model, const char* path);

/* out[b, r, :] = row indices[r] of the product W_M ⋯ W_1 that the model's block makes of each input, [B, count, N]:
 * which positions that row attends to. Residuals are left out.
 * Ownership: `indices` stays the caller's and is read before the call returns. Threads: any. */
CHORD_API chord_status chord_model_attention(chord_model* model, const chord_tensor* inputs, int64_t block,
                                             const int64_t* indices, int64_t count, chord_tensor* out);

/* The same with options (NULL: all zero), of which lengths matter: rows and columns behind a sequence's end are zero.
 * Ownership: as above; `options` stays the caller's. Threads: any. */
CHORD_API chord_status chord_model_attention_with(chord_model* model, const chord_tensor* inputs, int64_t block,
                                                  const int64_t* indices, int64_t count,
                                                  const chord_train_options* options, chord_tensor* out);

/* ------------------------------------------------------------------------------------------------ Dataset */

/* A task of the paper: what there is to learn, and how the paper did. */
typedef struct chord_task_info {
  size_t struct_size;
  const char* name;               /* "image": of the task, and of the preset of its model */
  const char* title;              /* for people: "Images (CIFAR-10)" */
  const char* data;               /* what the folder of its files holds; "" for a generated task */
  chord_flag generated;           /* 1: its sequences are made from a seed, of any length and number, without files */
  chord_flag has_encoder;         /* 1: chord_encoder_create makes sequences of its raw inputs */
  chord_flag has_files_generator; /* 1: chord_generate_files makes files like those it is read from */
  int64_t length;                 /* of a sequence; for a generated task only a default */
  int64_t features;               /* reals per position; 0 for tokens */
  int64_t vocabulary;             /* 0 for reals */
  int64_t classes;                /* 1 for a label that is a real */
  int64_t train_count;            /* sequences of a generated task by default; 0 where the files tell */
  int64_t eval_count;             /* likewise, for validation and for test each */
  int64_t epochs;                 /* how the paper trained */
  int64_t batch;                  /* sequences a step, in the paper */
  double learning_rate;           /* likewise */
} chord_task_info;

/* How many tasks there are, and each of them.
 * Ownership: `info` is the caller's, its texts are constants of the library. Threads: any. */
CHORD_API chord_status chord_task_count(int32_t* count);
CHORD_API chord_status chord_task_get_info(int32_t index, chord_task_info* info);

/* The test accuracy that the paper has for a task with sequences of this length, in percent; -1 where it has none.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_task_get_published_accuracy(int32_t index, int64_t length, double* percent);

/* Told now and then how much of something long is done, by the thread that asked for it. Returns 0 to go on, anything
 * else to stop: the call then fails with CHORD_ERROR_STOPPED. It may call this library and must not throw. */
typedef int32_t (*chord_progress_callback)(int64_t done, int64_t total, void* user);

/* Labelled sequences of a task, from files or made on the fly; in no context. Those from files are decoded once and
 * kept in one file in the user's cache, which is mapped; it is made anew when the files have changed. Where it cannot
 * be written, they are kept in memory. */
typedef struct chord_dataset chord_dataset;

/* All zero or NULL but struct_size, task and split is the paper's setting. */
typedef struct chord_dataset_options {
  size_t struct_size;
  const char* task;  /* the name of a task (chord_task_get_info) */
  const char* split; /* train, validation, test; all: train, then validation */
  const char* data;  /* the folder with the files; NULL for generated tasks */
  int64_t length;    /* positions of a sequence; 0: the task's, which is the only one unless it is generated */
  int64_t count;     /* sequences; 0: the task's, or all that the files have */
  uint64_t seed;     /* what a generated task is drawn by */
  uint64_t sample; /* which `count` of the files' sequences: 0 for the first, else drawn by this seed, in their order */
  const char* encoding;             /* as chord_dataset_encoding gave it and a model keeps it; NULL: the files' own */
  chord_progress_callback progress; /* NULL, or told about files being decoded */
  void* user;                       /* for `progress` */
} chord_dataset_options;

/* Ownership: the result is the caller's; `options` stays the caller's. Threads: any. */
CHORD_API chord_status chord_dataset_create(const chord_dataset_options* options, chord_dataset** dataset);

/* Ownership: takes `dataset`; batches of it live on. Threads: any. */
CHORD_API chord_status chord_dataset_destroy(chord_dataset* dataset);

typedef struct chord_dataset_info {
  size_t struct_size;
  int64_t count;         /* sequences */
  int64_t length;        /* positions of a sequence */
  int64_t features;      /* reals per position; 0 for tokens */
  int64_t vocabulary;    /* 0 for reals */
  int64_t classes;       /* 1 for a label that is a real */
  chord_type input_type; /* CHORD_INT32 for tokens, CHORD_FLOAT32 for reals */
  chord_type label_type; /* CHORD_INT32 for classes, CHORD_FLOAT32 for reals */
} chord_dataset_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_dataset_get_info(const chord_dataset* dataset, chord_dataset_info* info);

/* The sequences first … first + count − 1 in the dataset's own order: inputs [count, N] or [count, N, features] and
 * labels [count], of the types the info names. The sizes must be exactly theirs. Ownership: the arrays are the
 * caller's. Threads: any. */
CHORD_API chord_status chord_dataset_read(const chord_dataset* dataset, int64_t first, int64_t count, void* inputs,
                                          size_t input_bytes, void* labels, size_t label_bytes);

/* What was needed to make sequences of the files beside the task's rules, to be kept with a model: a JSON object. It is
 * {"grey": [values…]}, in the order of their tokens, for pathfinder, and {} for the others.
 * Ownership: the dataset's, valid until it is destroyed. Threads: any. */
CHORD_API chord_status chord_dataset_encoding(const chord_dataset* dataset, const char** json);

/* Makes tokens of a task's raw inputs, as its dataset does: of a ListOps expression, of the bytes of a review, of a PNG
 * of 32 × 32 pixels. */
typedef struct chord_encoder chord_encoder;

/* `encoding`: as the model keeps it; NULL is {}. `length`: positions of a sequence; 0: the task's.
 * Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_encoder_create(const char* task, const char* encoding, int64_t length,
                                            chord_encoder** encoder);

/* Ownership: takes `encoder`. Threads: any. */
CHORD_API chord_status chord_encoder_destroy(chord_encoder* encoder);

typedef struct chord_encoder_info {
  size_t struct_size;
  int64_t length;     /* positions it makes */
  int64_t vocabulary; /* tokens there are */
} chord_encoder_info;

/* Ownership: `info` is the caller's. Threads: any. */
CHORD_API chord_status chord_encoder_get_info(const chord_encoder* encoder, chord_encoder_info* info);

/* The tokens of a raw input, `length` of them; `capacity` says how many there is place for. `used`, which may be NULL,
 * becomes the number of positions before the padding. Ownership: the arrays are the caller's. Threads: any. */
CHORD_API chord_status chord_encoder_encode(const chord_encoder* encoder, const void* bytes, size_t size,
                                            int32_t* tokens, int64_t capacity, int64_t* used);

/* A token for people: "[MIN", "a", "<CLS>", "37".
 * Ownership: the encoder's, valid until it is destroyed. Threads: any. */
CHORD_API chord_status chord_encoder_symbol(const chord_encoder* encoder, int32_t token, const char** text);

/* All zero or NULL but struct_size, task and output is a good choice. */
typedef struct chord_generate_options {
  size_t struct_size;
  const char* task;                 /* one whose info says has_files_generator */
  const char* output;               /* the folder, made where it is missing */
  int64_t count;                    /* sequences of all splits together; 0: 10,000 */
  uint64_t seed;                    /* that they are drawn by */
  chord_progress_callback progress; /* or NULL */
  void* user;                       /* for `progress` */
} chord_generate_options;

/* Makes files that chord_dataset_create can read, by the published rules of the task: a tenth of the sequences for
 * validation, a tenth for test. They are a function of task, count and seed. All of them are there afterwards, or,
 * where that fails, none. Ownership: `options` stays the caller's. Threads: any. */
CHORD_API chord_status chord_generate_files(const chord_generate_options* options);

/* One pass over a dataset, batch by batch; the next ones are prepared by a thread of its own. */
typedef struct chord_batches chord_batches;

typedef struct chord_batches_options {
  size_t struct_size;
  int64_t batch;        /* sequences in a batch, at least 1 */
  int64_t first;        /* the batch to begin with, from 0: the same ones follow as in a whole pass */
  uint64_t seed;        /* with the epoch it decides about the order, if shuffled */
  int64_t epoch;        /* with the seed it decides about the order, if shuffled */
  chord_flag shuffle;   /* 1: each (seed, epoch) has an order of its own */
  chord_flag drop_last; /* 1: a last batch that is not full is left out */
  /* Where processes share each batch: these places of it alone are read and given, as far as it has them. */
  int64_t part_first; /* from 0 */
  int64_t part_count; /* 0: all from there on */
} chord_batches_options;

/* Ownership: the result is the caller's and keeps the dataset's data alive. Threads: any. */
CHORD_API chord_status chord_batches_create(const chord_dataset* dataset, const chord_batches_options* options,
                                            chord_batches** batches);

/* Ownership: takes `batches` and stops its thread. Threads: any. */
CHORD_API chord_status chord_batches_destroy(chord_batches* batches);

/* How many batches the whole pass has, those before `first` included.
 * Ownership: none. Threads: any. */
CHORD_API chord_status chord_batches_count(const chord_batches* batches, int64_t* count);

/* The next batch, of `count` sequences; 0 at the end, and of a batch that has none of the part.
 * Ownership: the arrays are the library's, valid until the next call with these batches. Threads: one at a time. */
CHORD_API chord_status chord_batches_next(chord_batches* batches, const void** inputs, const void** labels,
                                          int64_t* count);

/* ------------------------------------------------------------------------------------------------- Files */

/* Makes these bytes the content of a file: as a whole and for good, or, where that fails, not at all, so that neither a
 * crash nor a full disk leaves half of one. Ownership: `data` stays the caller's. Threads: any. */
CHORD_API chord_status chord_write_file(const char* path, const void* data, size_t bytes);

/* A tensor from and to NumPy's npy format: float32, float64, int32, int64, of up to CHORD_MAX_RANK dimensions, row by
 * row. Writing replaces the file as a whole or leaves it as it was. Ownership: the result of reading is the caller's.
 * Threads: any. */
CHORD_API chord_status chord_tensor_read_npy(chord_context* context, const char* path, chord_tensor** tensor);
CHORD_API chord_status chord_tensor_write_npy(const chord_tensor* tensor, const char* path);

/* An npy file of any size, written piece by piece from host memory. */
typedef struct chord_npy_writer chord_npy_writer;

/* Ownership: the result is the caller's. Threads: any. */
CHORD_API chord_status chord_npy_writer_create(const char* path, chord_type type, int32_t rank, const int64_t* shape,
                                               chord_npy_writer** writer);

/* The next numbers, row by row; no more of them than the shape has.
 * Ownership: `data` stays the caller's. Threads: one at a time. */
CHORD_API chord_status chord_npy_writer_write(chord_npy_writer* writer, const void* data, size_t bytes);

/* Puts the file in its place, once all its numbers are written. Without it, the file stays as it was.
 * Ownership: none. Threads: one at a time. */
CHORD_API chord_status chord_npy_writer_commit(chord_npy_writer* writer);

/* Ownership: takes `writer`. Threads: any. */
CHORD_API chord_status chord_npy_writer_destroy(chord_npy_writer* writer);

/* ------------------------------------------------------------------------------------------ Initialisers
 *
 * chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT; */

#define CHORD_BACKEND_INFO_INIT CHORD_INIT(chord_backend_info)
#define CHORD_DEVICE_INFO_INIT CHORD_INIT(chord_device_info)
#define CHORD_MEMORY_INFO_INIT CHORD_INIT(chord_memory_info)
#define CHORD_TENSOR_INFO_INIT CHORD_INIT(chord_tensor_info)
#define CHORD_MATRIX_INFO_INIT CHORD_INIT(chord_matrix_info)
#define CHORD_NAME_INFO_INIT CHORD_INIT(chord_name_info)
#define CHORD_FACTORIZE_PROGRESS_INIT CHORD_INIT(chord_factorize_progress)
#define CHORD_FACTORIZE_PEERS_INIT CHORD_INIT(chord_factorize_peers)
#define CHORD_FACTORIZE_OPTIONS_INIT CHORD_INIT(chord_factorize_options)
#define CHORD_FACTORIZATION_INFO_INIT CHORD_INIT(chord_factorization_info)
#define CHORD_PART_INFO_INIT CHORD_INIT(chord_part_info)
#define CHORD_MODEL_KEY_INFO_INIT CHORD_INIT(chord_model_key_info)
#define CHORD_MODEL_INFO_INIT CHORD_INIT(chord_model_info)
#define CHORD_TRAIN_OPTIONS_INIT CHORD_INIT(chord_train_options)
#define CHORD_MODEL_MEMORY_INIT CHORD_INIT(chord_model_memory)
#define CHORD_STEP_RESULT_INIT CHORD_INIT(chord_step_result)
#define CHORD_TASK_INFO_INIT CHORD_INIT(chord_task_info)
#define CHORD_DATASET_OPTIONS_INIT CHORD_INIT(chord_dataset_options)
#define CHORD_DATASET_INFO_INIT CHORD_INIT(chord_dataset_info)
#define CHORD_ENCODER_INFO_INIT CHORD_INIT(chord_encoder_info)
#define CHORD_GENERATE_OPTIONS_INIT CHORD_INIT(chord_generate_options)
#define CHORD_BATCHES_OPTIONS_INIT CHORD_INIT(chord_batches_options)

#ifdef __cplusplus
}
#endif

#endif
