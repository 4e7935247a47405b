// The pretend GPU hides nothing: what would be wrong on a GPU is wrong on it.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "device/cuda/cuda_backend.hpp"
#include "device/launch.hpp"
#include "device/pool.hpp"
#include "device/pretend/group_on_host.hpp"
#include "device/pretend/pretend_backend.hpp"
#include "golden_gradients.hpp"

using namespace chord;

namespace {

std::unique_ptr<Queue> pretend_queue() {
  static const std::unique_ptr<Backend> backend = open_pretend_backend();
  REQUIRE(backend != nullptr);
  return backend->open(backend->devices().at(0));
}

/// Of one element per row.
void fill(Queue& queue, float* to, std::size_t rows, std::uint32_t bits) {
  launch<kernels::fill_strided, std::uint32_t>(queue, {.to = {reinterpret_cast<std::uint32_t*>(to), 0, 0, 1},
                                                       .column_stride = 0,
                                                       .factors = 1,
                                                       .sequences = 1,
                                                       .rows = std::int64_t(rows),
                                                       .columns = 1,
                                                       .value = bits});
}

std::string failure(Queue& queue) {
  try {
    queue.wait();
  } catch (const Error& error) {
    CHECK(error.status() == Status::device_failure);
    return error.what();
  }
  return "none";
}

bool contains(const std::string& whole, const std::string& part) { return whole.find(part) != std::string::npos; }

/// The signal that ends a child which touches this memory; 0 for none.
int signal_of_reading(const volatile char* memory) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);  // neither doctest's handler nor a sanitizer's
    _exit(*memory == 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("the host cannot read the memory of a pretend GPU, before and after its work") {
  const auto queue = pretend_queue();
  CHECK_FALSE(queue->device().host_readable);
  CHECK_FALSE(queue->device().cpu_like());
  auto* memory = static_cast<char*>(queue->allocate(64));
  CHECK(signal_of_reading(memory) == SIGSEGV);
  const char value = 7;
  queue->copy(memory, &value, 1);
  queue->wait();
  CHECK(signal_of_reading(memory) == SIGSEGV);
  CHECK(signal_of_reading(&value) == 0);
}

TEST_CASE("a pretend GPU does nothing before the wait, then everything in order") {
  const auto queue = pretend_queue();
  auto* memory = static_cast<float*>(queue->allocate(2 * sizeof(float)));
  float from[2] = {1, 2}, to[2] = {0, 0};
  queue->copy(memory, from, sizeof from);
  fill(*queue, memory, 1, 0x40a00000);  // 5.0f
  queue->copy(to, memory, sizeof to);
  from[1] = 3;  // seen by the copy, which keeps the pointer
  CHECK(to[0] == 0);
  queue->wait();
  CHECK(to[0] == 5);
  CHECK(to[1] == 3);
}

TEST_CASE("what was never written on a pretend GPU is NaN, and so is a block that was freed and given again") {
  const auto queue = pretend_queue();
  for (int round = 0; round < 2; ++round) {
    auto* memory = static_cast<float*>(queue->allocate(1000));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
    float found = 0;
    queue->copy(&found, memory + 100, sizeof found);
    queue->wait();
    CHECK(std::isnan(found));
    fill(*queue, memory, 250, 0);
    queue->wait();
    queue->release(memory);
  }
}

TEST_CASE("a block of a pretend GPU that the pool hands out again holds nothing of what it held") {
  const auto queue = pretend_queue();
  Pool pool(*queue);
  auto* memory = static_cast<float*>(pool.allocate(sizeof(float)));
  float before = 0, after = 0;
  fill(*queue, memory, 1, 0x40a00000);
  queue->copy(&before, memory, sizeof before);
  pool.release(memory);
  REQUIRE(pool.allocate(sizeof(float)) == memory);
  queue->copy(&after, memory, sizeof after);
  queue->wait();
  CHECK(before == 5);  // the first owner's work comes first
  CHECK(std::isnan(after));
}

TEST_CASE("work on a block that was freed too early fails at the wait, other work does not") {
  const auto queue = pretend_queue();
  auto* lost = static_cast<float*>(queue->allocate(64));
  auto* kept = static_cast<float*>(queue->allocate(64));
  fill(*queue, kept, 4, 0);
  queue->release(lost);
  CHECK(failure(*queue) == "none");
  lost = static_cast<float*>(queue->allocate(64));
  fill(*queue, lost, 4, 0);
  float after = 1;
  queue->copy(&after, kept, sizeof after);
  queue->release(lost);
  CHECK(contains(failure(*queue), "no memory of the device"));
  CHECK(after == 1);  // what comes behind a failure is not done
  CHECK(failure(*queue) == "none");
  float value = 0;
  queue->copy(lost, &value, sizeof value);
  CHECK(contains(failure(*queue), "that nobody owns"));
}

TEST_CASE("a kernel of a pretend GPU cannot be given host memory") {
  const auto queue = pretend_queue();
  float value = 0;
  fill(*queue, &value, 1, 0x40a00000);
  CHECK(contains(failure(*queue), "no memory of the device"));
  CHECK(value == 0);
}

TEST_CASE("writing behind the end of a block of a pretend GPU is found") {
  const auto queue = pretend_queue();
  auto* memory = static_cast<float*>(queue->allocate(100 * sizeof(float)));
  fill(*queue, memory, 100, 0);
  CHECK(failure(*queue) == "none");
  fill(*queue, memory, 101, 0);
  CHECK(contains(failure(*queue), "behind the end of a block of 400 bytes"));
}

TEST_CASE("a pretend GPU has the kernels of GPUs only") {
  const auto queue = pretend_queue();
  const std::vector<const void*> no_arguments(64);
  const int number = kernels::entry_number<kernels::product_gradient_weights, float>(kernels::Devices::cpu);
  CHECK_THROWS_WITH_AS(queue->run(number, {}, no_arguments.data()), doctest::Contains("not compiled for GPUs"), Error);
}

TEST_CASE("the points of a launch are visited from the last to the first") {
  const auto queue = pretend_queue();
  auto* memory = static_cast<float*>(queue->allocate(3 * sizeof(float)));
  const float values[3] = {1, 2, 3};
  float found[3];
  queue->copy(memory, values, sizeof values);
  // Each row takes its predecessor's value: forwards all would end up with the first one's.
  auto* const words = reinterpret_cast<std::uint32_t*>(memory);
  launch<kernels::copy_strided, std::uint32_t>(*queue, {.from = {words, 0, 0, 1},
                                                        .to = {words + 1, 0, 0, 1},
                                                        .from_column_stride = 0,
                                                        .to_column_stride = 0,
                                                        .factors = 1,
                                                        .sequences = 1,
                                                        .rows = 2,
                                                        .columns = 1});
  queue->copy(found, memory, sizeof found);
  queue->wait();
  CHECK(found[1] == 1);
  CHECK(found[2] == 2);
}

TEST_CASE("a pretend GPU runs out of memory, and has it back after a release") {
  const auto queue = pretend_queue();
  CHECK_THROWS_AS(queue->allocate(queue->device().memory_bytes), Error);
  CHECK_THROWS_AS(queue->allocate(~std::size_t(0)), Error);
  void* first = queue->allocate(1000);
  void* second = queue->allocate(1000);
  queue->release(first);
  CHECK(queue->allocate(1100) > second);
  CHECK(queue->allocate(900) == first);
}

TEST_CASE("an upload to a pretend GPU is done late, with the values it was given") {
  const auto queue = pretend_queue();
  auto* memory = static_cast<float*>(queue->allocate(sizeof(float)));
  float value = 1, found = 0;
  queue->upload(memory, &value, sizeof value);
  value = 2;
  queue->copy(&found, memory, sizeof found);
  CHECK(found == 0);
  queue->wait();
  CHECK(found == 1);
}

TEST_CASE("a pretend GPU does recorded work when it is replayed, as often as it is") {
  const auto queue = pretend_queue();
  REQUIRE(queue->can_record());
  auto* memory = static_cast<float*>(queue->allocate(2 * sizeof(float)));
  const float start[2] = {1, 2};
  float found[2];
  const auto read = [&] {
    queue->copy(found, memory, sizeof found);
    queue->wait();
  };
  queue->upload(memory, start, sizeof start);
  queue->begin_recording();
  queue->copy(memory + 1, memory, sizeof(float));
  fill(*queue, memory, 1, 0x40a00000);  // 5.0f
  auto recording = queue->end_recording();
  read();
  CHECK(found[0] == 1);
  CHECK(found[1] == 2);
  queue->replay(*recording);
  read();
  CHECK(found[0] == 5);
  CHECK(found[1] == 1);
  queue->replay(*recording);
  recording.reset();  // before it is done
  read();
  CHECK(found[1] == 5);
}

TEST_CASE("what cannot be recorded is refused, and ends with the recording") {
  const auto queue = pretend_queue();
  auto* memory = static_cast<float*>(queue->allocate(sizeof(float)));
  float value = 1;
  const auto refused = [&](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.status() == Status::internal;
    }
    return false;
  };
  CHECK(refused([&] { queue->end_recording(); }));
  queue->begin_recording();
  CHECK(refused([&] { queue->begin_recording(); }));
  CHECK(refused([&] { queue->allocate(1); }));
  CHECK(refused([&] { queue->upload(memory, &value, sizeof value); }));
  CHECK(refused([&] { queue->copy(memory, &value, sizeof value); }));
  CHECK(refused([&] { queue->copy(&value, memory, sizeof value); }));
  CHECK(refused([&] { queue->wait(); }));
  queue->end_recording();
  queue->upload(memory, &value, sizeof value);
  CHECK(failure(*queue) == "none");
}

TEST_CASE("gradients of models are PyTorch's with work-groups of every size") {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(open_pretend_backend());
  try {
    backends.push_back(open_cuda_backend());
  } catch (const Error&) {  // there is no stand-in for NVIDIA's driver
  }
  for (const std::unique_ptr<Backend>& backend : backends) {
    CAPTURE(backend->name());
    DeviceDescription device = backend->devices().at(0);
    if (backend == backends.front()) device.local_bytes = 160 * 1024;  // enough for the largest
    device.units = 1;  // so that no groups are made smaller for more of them
    for (const int lanes : {64, 128, 256}) {
      CAPTURE(lanes);
      device.group_lanes = lanes;
      testing::check_gradients(std::make_shared<Context>(backend->open(device)));
    }
  }
}

TEST_CASE("a work-group finds nothing in its memory, and what it does wrong with it shows") {
  GroupOnHost group(0, 64, 32);
  auto* values = group.local<float>(4);
  CHECK(std::isnan(values[0]));
  CHECK(std::isnan(group.keep<float>()[63]));
  CHECK_NOTHROW(group.expect_all_is_well());
  CHECK_NOTHROW(group.local<float>(3));  // takes 16 bytes, too
  CHECK_THROWS_AS(group.local<float>(1), Error);
  values[8] = 1;
  CHECK_THROWS_AS(group.expect_all_is_well(), Error);
  int lanes = 0;
  group.each([&](int lane) { lanes += lane; });
  CHECK(lanes == 63 * 32);
}

TEST_CASE("work-groups are smaller where memory is, and refused where it is too small") {
  const std::unique_ptr<Backend> backend = open_pretend_backend();
  DeviceDescription device = backend->devices().at(0);
  using Operation = kernels::mlp_forward;
  using Shape = Operation::gpu<float>;
  const Operation::Arguments<float> arguments{nullptr, nullptr, nullptr, nullptr, {32, 32, 12}, 81920, 11, 0, 0};
  const auto lanes = [&] { return group_grid<Operation, float, Shape>(device, arguments).group_lanes; };
  CHECK(lanes() == 128);
  device.local_bytes = 32 * 1024;
  CHECK(lanes() == 64);
  device.local_bytes = 16 * 1024;
  CHECK_THROWS_AS(lanes(), Error);
  device.local_bytes = 64 * 1024;
  device.units = 1000;  // 640 groups of 128 lanes
  CHECK(lanes() == 64);
}
