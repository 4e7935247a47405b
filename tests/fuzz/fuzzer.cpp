// One target, which the environment names, for libFuzzer.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "targets.hpp"

namespace {

const fuzz::Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const wanted = std::getenv("CHORD_FUZZ_TARGET");
  for (const fuzz::Target& each : fuzz::targets())
    if (wanted && each.name == wanted) target = &each;
  if (target) return 0;
  std::fprintf(stderr, "CHORD_FUZZ_TARGET is none of:");
  for (const fuzz::Target& each : fuzz::targets()) std::fprintf(stderr, " %s", each.name.data());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}
