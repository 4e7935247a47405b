// Whether the stand-in for the NVIDIA driver (tests/cuda), where this process has it, found something wrong.
#pragma once

#include <dlfcn.h>

#include <cstdio>

namespace testing {

/// How many findings there were, which are on stderr; of a kind, or of any. None where there is another driver, or
/// none.
inline unsigned long standin_reports(const char* kind = nullptr) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!driver) return 0;
  const auto reports = reinterpret_cast<unsigned long (*)(const char*)>(dlsym(driver, "chord_standin_reports"));
  return reports ? reports(kind) : 0;
}

/// Those that a test has caused on purpose.
inline unsigned long expected_standin_reports = 0;

/// The end of a test program: 1 where there were others.
inline int unexpected_standin_reports() {
  const unsigned long count = standin_reports() - expected_standin_reports;
  if (count > 0) std::fprintf(stderr, "the stand-in for the NVIDIA driver has %lu findings\n", count);
  return count > 0;
}

}  // namespace testing
