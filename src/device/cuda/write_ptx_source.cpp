// A program of the build: writes the kernels as one text that Clang compiles to PTX (cmake/CudaKernels.cmake).
#include <fstream>

#include "device/entry_source.hpp"
#include "device/kernel_headers.hpp"

namespace {

constexpr const char* entry_form = R"(
#define CHORD_ENTRY extern "C" __attribute__((nvptx_kernel)) void
#define CHORD_GROUP_ENTRY(name, ...) CHORD_ENTRY name(__VA_ARGS__)
#define CHORD_LOCAL_MEMORY chord::Item()

extern __attribute__((address_space(3))) chord::kernels::LocalLine chord_local_memory[];

namespace chord {
template <class Body>
CHORD_INLINE void visit_item(std::size_t points, std::size_t shifts, std::size_t rows, std::size_t lanes, Body body) {
  const std::size_t item =
      std::size_t(__nvvm_read_ptx_sreg_ctaid_x()) * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  kernels::visit_point(item, points, shifts, rows, lanes, body);
}

struct Item {
  CHORD_INLINE std::size_t index() const { return __nvvm_read_ptx_sreg_ctaid_x(); }
  // Read anew in every phase: the compiler would otherwise compute all addresses of all phases once, and have no
  // registers left.
  CHORD_INLINE int lane() const {
    int lane;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(lane));
    __builtin_assume(lane >= 0 && lane < 1024);  // divisions by powers of two are then shifts
    return lane;
  }
  CHORD_INLINE int lanes() const { return int(__nvvm_read_ptx_sreg_ntid_x()); }
  CHORD_INLINE void barrier() const { __syncthreads(); }
  CHORD_INLINE kernels::LocalLine* local() const { return (kernels::LocalLine*)chord_local_memory; }
};
using Group = kernels::LaneOfGroup<Item>;
}  // namespace chord

)";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ofstream file(argv[1]);
  file << chord::kernel_headers << entry_form << chord::entry_source();
  return file.flush() ? 0 : 1;
}
