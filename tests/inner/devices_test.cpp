// How devices are found and named, with backends made up for it.
#include "device/devices.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <initializer_list>

#include "common/error.hpp"

using namespace chord;

namespace {

DeviceDescription device(const std::string& selector, DeviceKind kind, bool has_float64 = true) {
  DeviceDescription description;
  description.selector = selector;
  description.kind = kind;
  description.has_float64 = has_float64;
  return description;
}

/// Finds what it is told to, and says of a device that is opened that it has it.
class PretendBackend final : public Backend {
 public:
  explicit PretendBackend(std::vector<DeviceDescription> found) : found_(std::move(found)) {}
  std::string name() const override { return "pretend"; }
  std::string description() const override { return "made up"; }
  std::vector<DeviceDescription> devices() const override {
    if (found_.empty()) fail(Status::device_failure, "the driver is broken");
    return found_;
  }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override {
    fail(Status::unsupported, found_.front().selector, " opens ", device.selector);
  }

 private:
  std::vector<DeviceDescription> found_;
};

std::unique_ptr<Backend> make(std::initializer_list<DeviceDescription> found) {
  return std::make_unique<PretendBackend>(std::vector(found));
}

constexpr BackendEntry host{"host", [] { return make({device("host", DeviceKind::host)}); }};
constexpr BackendEntry cpu{"runtime", [] { return make({device("opencl:0", DeviceKind::cpu)}); }};
constexpr BackendEntry gpus{"drivers", [] {
                              return make({device("gpu32:0", DeviceKind::gpu, false), device("big:0", DeviceKind::gpu),
                                           device("big:1", DeviceKind::gpu)});
                            }};
constexpr BackendEntry absent{"absent",
                              []() -> std::unique_ptr<Backend> { fail(Status::unsupported, "it is not installed"); }};
constexpr BackendEntry broken{"broken", [] { return make({}); }};

DeviceRegistry registry(std::initializer_list<BackendEntry> table) {
  unsetenv("CHORD_DEVICE");
  return DeviceRegistry(std::span(table.begin(), table.size()));
}

std::string chosen(const DeviceRegistry& registry, const std::string& selector) {
  return registry.choose(selector).selector;
}

template <class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("auto is a GPU, else the host; a SYCL CPU device is opened by name alone") {
  const DeviceRegistry with = registry({host, cpu, gpus}), without = registry({host, cpu});
  CHECK(chosen(with, "auto") == "gpu32:0");
  CHECK(chosen(with, "") == "gpu32:0");
  CHECK(chosen(without, "auto") == "host");
  for (const char* name : {"cpu", "opencl", "opencl:0"}) CHECK(chosen(without, name) == "opencl:0");
}

TEST_CASE("auto:float64 passes over GPUs without it") {
  CHECK(chosen(registry({host, gpus}), "auto:float64") == "big:0");
  CHECK(chosen(registry({host, cpu}), "auto:float64") == "host");
}

TEST_CASE("CHORD_DEVICE decides what auto means, and nothing else") {
  const DeviceRegistry all = registry({host, cpu, gpus});
  setenv("CHORD_DEVICE", "big:1", 1);
  CHECK(chosen(all, "auto") == "big:1");
  CHECK(chosen(all, "auto:float64") == "big:1");
  CHECK(chosen(all, "cpu") == "opencl:0");
  setenv("CHORD_DEVICE", "auto", 1);
  CHECK(chosen(all, "auto") == "gpu32:0");
  unsetenv("CHORD_DEVICE");
}

TEST_CASE("a device is opened by the backend that found it") {
  const DeviceRegistry all = registry({host, cpu, gpus});
  CHECK(message_of([&] { all.open("opencl"); }) == "opencl:0 opens opencl:0");
  CHECK(message_of([&] { all.open("big:1"); }) == "gpu32:0 opens big:1");
}

TEST_CASE("a backend that fails costs its own devices only, and says why") {
  const DeviceRegistry rest = registry({absent, host, broken, cpu});
  REQUIRE(rest.devices().size() == 2);
  CHECK(rest.devices()[0].selector == "host");
  CHECK(message_of([&] { rest.open("cpu"); }) == "opencl:0 opens opencl:0");
  REQUIRE(rest.backends().size() == 4);
  CHECK_FALSE(rest.backends()[0].available);
  CHECK(rest.backends()[0].detail == "it is not installed");
  CHECK(rest.backends()[1].available);
  CHECK(rest.backends()[1].detail == "made up");
  CHECK_FALSE(rest.backends()[2].available);
  CHECK(message_of([&] { rest.choose("gpu"); }) ==
        "no device 'gpu' here; there are: host, opencl:0 (and auto, cpu), by the backends of this library: absent, "
        "host, broken, runtime; absent: it is not installed; broken: the driver is broken");
}

TEST_CASE("a backend that finds no memory is no backend that fails: the next who asks may find some") {
  const BackendEntry scarce{"scarce", []() -> std::unique_ptr<Backend> { throw std::bad_alloc(); }};
  const BackendEntry refused{"refused",
                             []() -> std::unique_ptr<Backend> { chord::fail(Status::out_of_memory, "none left"); }};
  CHECK_THROWS_AS(registry({host, scarce}), std::bad_alloc);
  CHECK(message_of([&] { registry({host, refused}); }) == "none left");
}

TEST_CASE("every backend of the table is named, and the host is always there") {
  CHECK(std::string(backend_table().front().name) == "host");
  CHECK(backends().size() == backend_table().size());
  CHECK(backends().front().available);
  for (const DeviceDescription& each : devices()) {
    bool known = false;
    for (const BackendEntry& entry : backend_table()) known |= each.backend == entry.name;
    CHECK_MESSAGE(known, each.selector, " is of a backend ", each.backend, " that the table does not have");
  }
}
