// A SYCL module as version 0.1 had it, without a fingerprint.
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) void* chord_open_sycl_module(const void*, void*) { std::abort(); }
