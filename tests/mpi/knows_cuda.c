/* An MPI that takes CUDA's memory, made of one that does not: preloaded, it says so, and copies what it is given of a
 * GPU's memory by the driver, as such an MPI may. Says once at each rank that it was given some. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { memory_type = 2, memory_device = 2, pointer_context = 1 };

static void* function(const char* name) {
  static void* library;
  if (!library) library = dlopen("libcuda.so.1", RTLD_NOW);
  return library ? dlsym(library, name) : NULL;
}

static int is_device(const void* data) {
  int (*const ask)(void*, int, uintptr_t) = (int (*)(void*, int, uintptr_t))function("cuPointerGetAttribute");
  unsigned type = 0;
  return ask && ask(&type, memory_type, (uintptr_t)data) == 0 && type == memory_device;
}

static void copy(const void* of_device, uintptr_t to, uintptr_t from, size_t bytes) {
  void *context = NULL, *popped = NULL;
  ((int (*)(void*, int, uintptr_t))function("cuPointerGetAttribute"))(&context, pointer_context, (uintptr_t)of_device);
  ((int (*)(void*))function("cuCtxPushCurrent_v2"))(context);
  int failed = ((int (*)(uintptr_t, uintptr_t, size_t, void*))function("cuMemcpyAsync"))(to, from, bytes, NULL);
  failed |= ((int (*)(void*))function("cuStreamSynchronize"))(NULL);
  ((int (*)(void**))function("cuCtxPopCurrent_v2"))(&popped);
  if (failed) {
    fprintf(stderr, "knows_cuda: a copy has failed\n");
    abort();
  }
}

static void tell(void) {
  static int told;
  if (!told++) fprintf(stderr, "knows_cuda: was given a GPU's memory\n");
}

int MPIX_Query_cuda_support(void) { return 1; }

/* What is sent stays until the process ends: it is a test. */
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm group, MPI_Request* request) {
  if (!is_device(data)) return PMPI_Isend(data, count, type, to, tag, group, request);
  tell();
  void* const values = malloc((size_t)count);
  copy(data, (uintptr_t)values, (uintptr_t)data, (size_t)count);
  return PMPI_Isend(values, count, type, to, tag, group, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm group, MPI_Request* request) {
  if (!is_device(data)) return PMPI_Irecv(data, count, type, from, tag, group, request);
  tell();
  void* const values = malloc((size_t)count);
  const int code = PMPI_Recv(values, count, type, from, tag, group, MPI_STATUS_IGNORE);
  copy(data, (uintptr_t)data, (uintptr_t)values, (size_t)count);
  free(values);
  *request = MPI_REQUEST_NULL;
  return code;
}
