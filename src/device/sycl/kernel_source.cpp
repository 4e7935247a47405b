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
#ifdef CHORD_GPU
#include <sycl/ext/oneapi/experimental/work_group_memory.hpp>
#include <sycl/group_barrier.hpp>
#endif
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
  const std::size_t item = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
#ifdef CHORD_GPU
  kernels::visit_point(item, points, run, rows, lanes, body);
#else
  kernels::visit({item * run, item * run + run < points ? item * run + run : points}, rows, lanes, body);
#endif
}

#ifdef CHORD_GPU
using LocalMemory = sycl::ext::oneapi::experimental::work_group_memory<kernels::LocalLine[]>;
#define CHORD_GROUP_ENTRY(name, ...) CHORD_ENTRY name(__VA_ARGS__, chord::LocalMemory chord_local_memory)
#define CHORD_LOCAL_MEMORY chord::Item(chord_local_memory)

class Item {
 public:
  CHORD_INLINE explicit Item(const LocalMemory& local)
      : item_(sycl::ext::oneapi::this_work_item::get_nd_item<1>()),
        local_(local.get_multi_ptr<sycl::access::decorated::no>().get_raw()) {}
  CHORD_INLINE std::size_t index() const { return item_.get_group(0); }
  CHORD_INLINE int lane() const { return int(item_.get_local_id(0)); }
  CHORD_INLINE int lanes() const { return int(item_.get_local_range(0)); }
  CHORD_INLINE void barrier() const { sycl::group_barrier(item_.get_group()); }
  CHORD_INLINE kernels::LocalLine* local() const { return local_; }

 private:
  sycl::nd_item<1> item_;
  kernels::LocalLine* local_;
};
using Group = kernels::LaneOfGroup<Item>;
#endif
}  // namespace chord

)";

}  // namespace

std::string kernel_source() { return text(preamble, kernel_headers, entry_form, entry_source()); }

}  // namespace chord
