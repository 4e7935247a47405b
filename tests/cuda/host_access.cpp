#include "host_access.hpp"

#include <csignal>

#include "driver.hpp"

namespace chord::standin {
namespace {

struct sigaction before;

// Whatever handled it before sees the access again, when this returns.
void explain(int, siginfo_t* what, void*) {
  const auto address = reinterpret_cast<cuda::Address>(what->si_addr);
  if (const Arena* arena = cuda::arena_of(address))
    report("HOST ACCESS", "", "to memory of a device: " + arena->describe(address));
  sigaction(SIGSEGV, &before, nullptr);
}

}  // namespace

void explain_host_accesses() {
  struct sigaction ours{};
  ours.sa_sigaction = explain;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, &before);
}

}  // namespace chord::standin
