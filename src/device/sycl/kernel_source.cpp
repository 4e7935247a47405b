#include "device/sycl/kernel_source.hpp"

#include "common/text.hpp"
#include "device/entry_source.hpp"
#include "device/kernel_headers.hpp"

namespace chord {
namespace {

// The parts of SYCL that entry points need; the whole of <sycl/sycl.hpp> would take five times as long to compile.
constexpr const char* preamble = R"(// Kernels of SparseChord, as given to the SYCL compiler at run time.
#include <sycl/ext/oneapi/experimental/free_function_traits.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
)";

// On a CPU a work-group is one work-item, which visits a run of points.
// All entries claim float64 where it is there: otherwise the compiler would make two device images, one with and one
// without, and a program would have two binaries to keep.
constexpr const char* entry_form = R"(
#define CHORD_PROPERTY(...) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::__VA_ARGS__))
#ifdef CHORD_CPU
#define CHORD_GROUP CHORD_PROPERTY(work_group_size<1>)
#else
#define CHORD_GROUP
#endif
#ifdef CHORD_NO_FLOAT64
#define CHORD_FLOAT64
#else
#define CHORD_FLOAT64 [[sycl::device_has(sycl::aspect::fp64)]]
#endif
#define CHORD_ENTRY extern "C" CHORD_FLOAT64 CHORD_PROPERTY(nd_range_kernel<1>) CHORD_GROUP void

namespace chord {
template <class Body>
CHORD_INLINE void visit_item(std::size_t points, std::size_t run, std::size_t rows, std::size_t lanes, Body body) {
  const std::size_t first = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0) * run;
  kernels::visit({first, first + run < points ? first + run : points}, rows, lanes, body);
}
}  // namespace chord

)";

}  // namespace

std::string kernel_source() { return text(preamble, kernel_headers, entry_form, entry_source()); }

}  // namespace chord
