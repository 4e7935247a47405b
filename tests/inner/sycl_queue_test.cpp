#include "device/sycl/sycl_queue.hpp"

#include <doctest/doctest.h>

#include "common/error.hpp"
#include "common/folders.hpp"
#include "device/sycl/kernel_source.hpp"

using namespace chord;

namespace {

DeviceDescription description_of(const sycl::device& device) {
  DeviceDescription description;
  description.selector = "opencl:0";
  description.name = device.get_info<sycl::info::device::name>();
  description.kind = DeviceKind::cpu;
  return description;
}

int refused = 0;

/// A callback that does what it may not: open the device whose kernels are being compiled.
void open_again(LogLevel, const std::string&) noexcept {
  const sycl::device device(sycl::cpu_selector_v);
  try {
    SyclQueue(device, description_of(device), {"", "", &open_again});
  } catch (const Error& error) {
    if (error.status() == Status::invalid_argument) ++refused;
  }
}

}  // namespace

TEST_CASE("opening a device from the log callback of its own opening is refused, not a deadlock") {
  const sycl::device device(sycl::cpu_selector_v);
  const SyclQueue queue(device, description_of(device), {kernel_source(), "", &open_again});
  CHECK(refused == 1);
}

TEST_CASE("a failure of queued work on a SYCL device comes out of the next wait, once") {
  const sycl::device device(sycl::cpu_selector_v);
  SyclQueue queue(device, description_of(device), {kernel_source(), cache_directory(), &chord::log});

  queue.native().submit(
      [](sycl::handler& handler) { handler.host_task([] { throw std::runtime_error("the task failed"); }); });
  try {
    queue.wait();
    FAIL("the error was lost");
  } catch (const Error& error) {
    CHECK(error.status() == Status::device_failure);
    CHECK(std::string(error.what()).find("the task failed") != std::string::npos);
  }
  CHECK_NOTHROW(queue.wait());
}
