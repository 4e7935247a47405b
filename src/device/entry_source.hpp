// The entry points of devices as a text for compilers other than the library's own: SYCL's on the user's machine, Clang
// for PTX.
#pragma once

#include <string>

namespace chord {

/// One function per entry of kernels/entries.hpp, named chord_<operation>_<type>. It takes the numbers of points, of
/// points an item visits, of rows and of lanes, then the leaves of the operation's arguments; one for work-groups takes
/// the leaves alone. The text before it defines CHORD_ENTRY, which begins a function, and chord::visit_item(points,
/// run, rows, lanes, body), which knows the item's number; for work-groups CHORD_GROUP_ENTRY(name, parameters…), which
/// may add a parameter for local memory, and the class chord::Group, made of CHORD_LOCAL_MEMORY. Compiled with
/// -DCHORD_CPU or -DCHORD_GPU it holds the entries for that kind of device, with neither all of them;
/// -DCHORD_NO_FLOAT64 leaves those of double precision out.
std::string entry_source();

}  // namespace chord
