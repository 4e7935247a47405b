// The operations compiled for the host. This file is compiled once per instruction set, with CHORD_KERNELS naming the
// copy (cmake/HostKernels.cmake); it includes nothing whose inline code another file could share.
#include "device/host/host_kernels.hpp"

#include "device/host/threads.hpp"
#include "kernels/entries.hpp"

namespace chord::CHORD_KERNELS {
namespace {

// Finer than the threads need: on a busy machine, one that comes late finds less to do.
constexpr std::size_t runs_per_thread = 8;

/// While it lives, float32 numbers below 1.2e-38 count as zero. They tell nothing, and each costs a processor over a
/// hundred cycles: a network whose gradients vanish would train fifty times slower. Doubles keep theirs.
template <class T>
struct WithoutSubnormals {};
#if defined(__x86_64__)
template <>
class WithoutSubnormals<float> {
 public:
  WithoutSubnormals() { __builtin_ia32_ldmxcsr(before_ | flush_results | flush_operands); }
  ~WithoutSubnormals() { __builtin_ia32_ldmxcsr(before_); }
  WithoutSubnormals(const WithoutSubnormals&) = delete;
  WithoutSubnormals& operator=(const WithoutSubnormals&) = delete;

 private:
  static constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
  const unsigned before_ = __builtin_ia32_stmxcsr();
};
#elif defined(__aarch64__)
template <>
class WithoutSubnormals<float> {
 public:
  WithoutSubnormals() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" ::"r"(before_ | flush));
  }
  ~WithoutSubnormals() { asm volatile("msr fpcr, %0" ::"r"(before_)); }
  WithoutSubnormals(const WithoutSubnormals&) = delete;
  WithoutSubnormals& operator=(const WithoutSubnormals&) = delete;

 private:
  static constexpr unsigned long flush = 1ul << 24;
  unsigned long before_;
};
#endif

template <class Entry>
void run_all(Grid grid, const typename Entry::Arguments& given) {
  const std::size_t points = grid.points();
  const std::size_t wanted = host_threads() * runs_per_thread;
  const std::size_t length = divide_up(points, wanted);
  const auto run = [=](std::size_t piece) {
    const typename Entry::Arguments arguments = given;  // a copy that nothing else can change
    const Range range = piece_of(piece, length, points);
    [[maybe_unused]] const WithoutSubnormals<typename Entry::T> meanwhile;
    visit(range, grid.rows, grid.lanes, [&](std::size_t sequence, std::size_t row, std::size_t lane) {
      Entry::Operation::template run<typename Entry::T, typename Entry::Shape>(sequence, row, lane, arguments);
    });
  };
  run_on_threads(
      divide_up(points, length),
      [](const void* data, std::size_t piece) { (*static_cast<decltype(&run)>(data))(piece); }, &run);
}

template <class Entry>
void run(Grid grid, const void* const* leaves) {
  run_all<Entry>(grid, from_leaves<typename Entry::Arguments>(leaves));
}

/// Null for those of GPUs.
template <class Entry>
constexpr HostKernel kernel_of() {
  if constexpr (Entry::devices == Devices::gpu)
    return nullptr;
  else
    return &run<Entry>;
}

template <class... Each>
const HostKernel* table_of(List<Each...>) {
  static constexpr HostKernel table[] = {kernel_of<Each>()...};
  return table;
}

}  // namespace

extern const HostKernel* const host_table;
const HostKernel* const host_table = table_of(Entries());

}  // namespace chord::CHORD_KERNELS
