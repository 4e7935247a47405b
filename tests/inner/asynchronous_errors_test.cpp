#include <doctest/doctest.h>

#include "common/error.hpp"
#include "device/kernel_source.hpp"
#include "device/sycl/sycl_queue.hpp"
#include "device/sycl_loader.hpp"

using namespace chord;

TEST_CASE("a failure of queued work on a SYCL device comes out of the next wait, once") {
  const sycl::device device(sycl::cpu_selector_v);
  DeviceDescription description;
  description.selector = "opencl:0";
  description.name = device.get_info<sycl::info::device::name>();
  description.kind = DeviceKind::cpu;
  SyclQueue queue(device, description, {kernel_source(), cache_directory(), &chord::log});

  queue.native().submit([](sycl::handler& handler) {
    handler.host_task([] { throw std::runtime_error("the task failed"); });
  });
  try {
    queue.wait();
    FAIL("the error was lost");
  } catch (const Error& error) {
    CHECK(error.status() == Status::device_failure);
    CHECK(std::string(error.what()).find("the task failed") != std::string::npos);
  }
  CHECK_NOTHROW(queue.wait());
}
