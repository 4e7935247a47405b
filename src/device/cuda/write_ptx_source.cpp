// A program of the build: writes the kernels as one text that Clang compiles to PTX (cmake/CudaKernels.cmake).
#include <fstream>

#include "device/entry_source.hpp"
#include "device/kernel_headers.hpp"

namespace {

constexpr const char* entry_form = R"(
#define CHORD_ENTRY extern "C" __attribute__((nvptx_kernel)) void

namespace chord {
template <class Body>
CHORD_INLINE void visit_item(std::size_t points, std::size_t run, std::size_t rows, std::size_t lanes, Body body) {
  const std::size_t item =
      std::size_t(__nvvm_read_ptx_sreg_ctaid_x()) * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  const std::size_t first = item * run;
  kernels::visit({first, first + run < points ? first + run : points}, rows, lanes, body);
}
}  // namespace chord

)";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ofstream file(argv[1]);
  file << chord::kernel_headers << entry_form << chord::entry_source();
  return file.flush() ? 0 : 1;
}
