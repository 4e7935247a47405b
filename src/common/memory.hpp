// How much memory the machine has, and has left for this process.
#pragma once

#include <cstddef>

namespace chord {

std::size_t total_host_memory();
std::size_t available_host_memory();

/// Throws Status::out_of_memory when the machine has less available: Linux would promise it and kill the process later.
void expect_memory(std::size_t bytes);

}  // namespace chord
