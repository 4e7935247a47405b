// How a SYCL queue runs kernels of the list: compiled at run time (runtime_kernels.cpp) or with the library
// (compiled_kernels.cpp); a build has one of the two.
#pragma once

#include <algorithm>
#include <memory>
#include <sycl/sycl.hpp>

#include "device/queue.hpp"
#include "device/sycl/module.hpp"
#include "kernels/group.hpp"

namespace chord {

class SyclKernels {
 public:
  virtual ~SyclKernels() = default;
  virtual void run(sycl::queue& queue, int kernel, Grid grid, const void* const* arguments) = 0;
};

extern const char* const sycl_backend_name;

std::shared_ptr<SyclKernels> make_sycl_kernels(const sycl::context& context, const sycl::device& device,
                                               const DeviceDescription& description, const ModuleServices& services);

/// Of the memory of a work-group: never none, which some runtimes do not take.
inline std::size_t local_lines(Grid grid) {
  return std::max<std::size_t>((grid.local_bytes + sizeof(kernels::LocalLine) - 1) / sizeof(kernels::LocalLine), 1);
}

/// The range of a launch: on a CPU a work-group per run of points, on a GPU a work-item or a work-group per point.
struct ItemRange {
  std::size_t run, items, group;
};

inline ItemRange item_range(Grid grid, const DeviceDescription& device, std::size_t largest_group) {
  const std::size_t points = grid.points();
  if (grid.group_lanes > 0) return {1, points * grid.group_lanes, grid.group_lanes};
  if (device.cpu_like()) {
    // Finer than the cores need, so that a core that comes late finds less to do.
    const std::size_t wanted = std::size_t(device.units) * 8, run = (points + wanted - 1) / wanted;
    return {run, (points + run - 1) / run, 1};
  }
  const std::size_t group = std::min<std::size_t>(256, largest_group);
  return {1, (points + group - 1) / group * group, group};
}

}  // namespace chord
