// A SYCL module of another version: whoever calls more than its fingerprint does not live to tell.
#include <cstdlib>

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const char* chord_sycl_module_fingerprint() { return "SparseChord 0.1.7, module interface 1"; }
EXPORTED void* chord_open_sycl_module(const void*, void*) { std::abort(); }
