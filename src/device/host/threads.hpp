// This process's threads for the host device. Declarations only: host_kernels.cpp is compiled several times and may not
// share inline code.
//
// Work is cut into pieces that any thread may take, and is done when the last piece is: a thread that the machine has
// no time for is not waited for, unless it is in the middle of one. (OpenMP waits for all its threads at the end of
// every loop; on a busy machine that costs a time slice a launch.)
#pragma once

#include <cstddef>

namespace chord {

/// How many there are, the caller's included: the environment's OMP_NUM_THREADS, else the cores the process may use.
/// Where the system cannot start so many, there are fewer, and the work is the same.
int host_threads();

/// piece(data, i) for 0 ≤ i < pieces, in any order and by several threads; returns when all are done. A call that finds
/// the threads busy with another one does its work alone.
void run_on_threads(std::size_t pieces, void (*piece)(const void* data, std::size_t i), const void* data);

}  // namespace chord
