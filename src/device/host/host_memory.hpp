// Large aligned blocks of host memory, for the host way and for SYCL devices that read host memory in place.
#pragma once

#include <cstddef>

namespace chord {

/// Aligned to 64 bytes; blocks of megabytes sit on huge pages where the system grants them, which a gather over rows
/// far apart needs (an ordinary page each would miss the TLB). Throws Status::out_of_memory, also when the machine
/// has less available than asked for: Linux would promise it and kill the process later.
void* allocate_host(std::size_t bytes);
void release_host(void* memory) noexcept;

std::size_t total_host_memory();
std::size_t available_host_memory();

}  // namespace chord
