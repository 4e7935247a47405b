// The kernels as one text for a SYCL compiler that runs on the user's machine.
#pragma once

#include <string>

namespace chord {

/// The kernel headers, then one entry point per kernel of the list, named chord_<name>. Compiled with -DCHORD_CPU or
/// -DCHORD_GPU it holds the entries for that kind of device, with neither all of them; -DCHORD_NO_FLOAT64 leaves those
/// of double precision out.
std::string kernel_source();

}  // namespace chord
