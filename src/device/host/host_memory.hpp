// Large aligned blocks of host memory, for the host backend and for SYCL devices that read host memory in place.
#pragma once

#include <cstddef>

namespace chord {

/// Aligned to 64 bytes; blocks of megabytes sit on huge pages where the system grants them, which a gather over rows
/// far apart needs (an ordinary page each would miss the TLB). Throws Status::out_of_memory, also when the machine
/// has less available than asked for.
void* allocate_host(std::size_t bytes);
void release_host(void* memory) noexcept;

}  // namespace chord
