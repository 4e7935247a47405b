// The driver's side: what runs when, graphs, several devices, limits, and clients that make mistakes.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <thread>

#include "harness.hpp"

namespace chord::standin_tests {
namespace {

std::vector<float> filled(std::size_t count, float value) { return std::vector<float>(count, value); }

void check_passes(const Settings& settings, const std::function<void(Gpu&)>& work) {
  const Outcome outcome = with_gpu(settings, work);
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
}

void check_misuse(const std::string& pattern, Result error, const std::function<Result(Gpu&)>& call) {
  const Outcome outcome = with_gpu({}, [&](Gpu& gpu) { gpu.check(call(gpu), "the call", error); });
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
  CHECK(outcome.says("MISUSE .*" + pattern));
}

void check_init(const Settings& settings, Result expected, int count = 0) {
  const Outcome outcome = in_child(settings, [&] {
    const Api api;
    expect(api.cuInit(0) == expected, "cuInit to give " + std::to_string(expected));
    int devices = 0;
    if (expected == cuda::success) expect(api.cuDeviceGetCount(&devices) == cuda::success, "a count of devices");
    expect(devices == count, std::to_string(count) + " devices");
  });
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
}

/// y += x, then x += y, on two streams that wait for each other, then y += 10 x.
cuda::GraphExec* captured(Gpu& gpu, Address x, Address y, unsigned n) {
  const Api& api = gpu.api();
  std::array<cuda::Event*, 2> events{};
  cuda::Stream* other = nullptr;
  for (cuda::Event*& event : events) gpu.check(api.cuEventCreate(&event, cuda::event_without_times), "cuEventCreate");
  gpu.check(api.cuStreamCreate(&other, 1), "cuStreamCreate");
  gpu.check(api.cuStreamBeginCapture_v2(gpu.stream(), cuda::capture_of_this_thread), "cuStreamBeginCapture");
  gpu.launch("axpy", {1, 128}, 1.0f, x, y, n);
  gpu.check(api.cuEventRecord(events[0], gpu.stream()), "cuEventRecord");
  gpu.check(api.cuStreamWaitEvent(other, events[0], 0), "cuStreamWaitEvent");
  float one = 1;
  void* arguments[] = {&one, &y, &x, &n};
  gpu.check(api.cuLaunchKernel(gpu.kernel("axpy"), 1, 1, 1, 128, 1, 1, 0, other, arguments, nullptr), "cuLaunchKernel");
  gpu.check(api.cuEventRecord(events[1], other), "cuEventRecord");
  gpu.check(api.cuStreamWaitEvent(gpu.stream(), events[1], 0), "cuStreamWaitEvent");
  gpu.launch("axpy", {1, 128}, 10.0f, x, y, n);
  cuda::Graph* graph = nullptr;
  cuda::GraphExec* exec = nullptr;
  gpu.check(api.cuStreamEndCapture(gpu.stream(), &graph), "cuStreamEndCapture");
  gpu.check(api.cuGraphInstantiateWithFlags(&exec, graph, 0), "cuGraphInstantiate");
  gpu.check(api.cuGraphDestroy(graph), "cuGraphDestroy");
  return exec;
}

void replay_graph(Gpu& gpu) {
  const unsigned n = 100;
  gpu.kernel("axpy");  // modules are not loaded in a capture
  const Address x = gpu.upload(filled(n, 1)), y = gpu.upload(filled(n, 0));
  cuda::GraphExec* exec = captured(gpu, x, y, n);
  expect(gpu.download<float>(y, n) == filled(n, 0), "a capture to run nothing");
  float a = 1, b = 0;
  for (int i = 0; i < 3; ++i) {
    gpu.check(gpu.api().cuGraphLaunch(exec, gpu.stream()), "cuGraphLaunch");
    b += a;
    a += b;
    b += 10 * a;
  }
  gpu.check(gpu.api().cuGraphExecDestroy(exec), "cuGraphExecDestroy");
  expect(gpu.download<float>(x, n) == filled(n, a) && gpu.download<float>(y, n) == filled(n, b), "three replays");
}

}  // namespace

TEST_CASE("a missing wait shows in lazy mode") {
  const auto look = [](float wanted, bool waits) {
    return [=](Gpu& gpu) {
      const Address x = gpu.upload(filled(8, 1)), y = gpu.upload(filled(8, 0));
      std::vector<float> host = filled(8, -1);
      gpu.launch("axpy", {1, 8}, 3.0f, x, y, 8u);
      gpu.copy(reinterpret_cast<Address>(host.data()), y, 32);
      if (waits) gpu.wait();
      expect(host == filled(8, wanted), std::to_string(wanted));
      gpu.wait();
    };
  };
  check_passes({{"LAZY", "1"}}, look(-1, false));
  check_passes({{"LAZY", "1"}}, look(3, true));
  check_passes({}, look(3, false));
}

TEST_CASE("an event is waited for, what comes after it is not") {
  check_passes({{"LAZY", "1"}}, [](Gpu& gpu) {
    const Api& api = gpu.api();
    const Address x = gpu.upload(filled(8, 1));
    std::vector<float> first = filled(8, -1), second = filled(8, -1);
    cuda::Event* event = nullptr;
    gpu.check(api.cuEventCreate(&event, 0), "cuEventCreate");
    gpu.check(api.cuEventSynchronize(event), "an event that was never recorded");
    gpu.copy(reinterpret_cast<Address>(first.data()), x, 32);
    gpu.check(api.cuEventRecord(event, gpu.stream()), "cuEventRecord");
    gpu.copy(reinterpret_cast<Address>(second.data()), x, 32);
    gpu.check(api.cuEventSynchronize(event), "cuEventSynchronize");
    expect(first == filled(8, 1) && second == filled(8, -1), "the first copy only");
    cuda::Stream* other = nullptr;
    gpu.check(api.cuStreamCreate(&other, 1), "cuStreamCreate");
    gpu.check(api.cuEventRecord(event, gpu.stream()), "cuEventRecord");
    gpu.check(api.cuStreamWaitEvent(other, event, 0), "cuStreamWaitEvent");
    gpu.check(api.cuEventDestroy_v2(event), "cuEventDestroy");
    gpu.check(api.cuStreamSynchronize(other), "cuStreamSynchronize");
    expect(second == filled(8, 1), "the second copy too, once another stream waited for it");
  });
}

TEST_CASE("graphs are captured over two streams and replayed") {
  check_passes({}, replay_graph);
  check_passes({{"LAZY", "1"}}, replay_graph);
}

TEST_CASE("captures that go wrong") {
  const auto begin = [](Gpu& gpu) {
    gpu.kernel("axpy");
    gpu.check(gpu.api().cuStreamBeginCapture_v2(gpu.stream(), 1), "cuStreamBeginCapture");
  };
  check_misuse("cuMemAlloc while a stream is being captured", cuda::capture_unsupported, [&](Gpu& gpu) {
    begin(gpu);
    Address address = 0;
    return gpu.api().cuMemAlloc_v2(&address, 4);
  });
  check_misuse("cuStreamSynchronize while a stream is being captured", cuda::capture_invalidated, [&](Gpu& gpu) {
    begin(gpu);
    cuda::Graph* graph = nullptr;
    gpu.check(gpu.api().cuStreamSynchronize(gpu.stream()), "cuStreamSynchronize", cuda::capture_unsupported);
    return gpu.api().cuStreamEndCapture(gpu.stream(), &graph);
  });
  check_misuse("a stream that joined the capture is not waited for", 904, [&](Gpu& gpu) {
    const Api& api = gpu.api();
    const Address x = gpu.upload(filled(8, 1));
    cuda::Stream* other = nullptr;
    cuda::Event* event = nullptr;
    cuda::Graph* graph = nullptr;
    gpu.check(api.cuStreamCreate(&other, 1), "cuStreamCreate");
    gpu.check(api.cuEventCreate(&event, 0), "cuEventCreate");
    begin(gpu);
    gpu.check(api.cuEventRecord(event, gpu.stream()), "cuEventRecord");
    gpu.check(api.cuStreamWaitEvent(other, event, 0), "cuStreamWaitEvent");
    gpu.check(api.cuMemcpyAsync(x, x + 16, 16, other), "cuMemcpyAsync");
    return api.cuStreamEndCapture(gpu.stream(), &graph);
  });
}

TEST_CASE("calls that make no sense are refused") {
  Address none = 0;
  check_misuse("copy of 44 bytes to .* of 40 allocated", cuda::invalid_value, [](Gpu& gpu) {
    const std::vector<float> values = filled(11, 0);
    return gpu.api().cuMemcpyAsync(gpu.allocate(40), reinterpret_cast<Address>(values.data()), 44, gpu.stream());
  });
  check_misuse("cuMemFree of .* byte 4 of 40", cuda::invalid_value,
               [](Gpu& gpu) { return gpu.api().cuMemFree_v2(gpu.allocate(40) + 4); });
  check_misuse("cuMemFree of .* FREED", cuda::invalid_value, [](Gpu& gpu) {
    const Address address = gpu.allocate(40);
    gpu.free(address);
    return gpu.api().cuMemFree_v2(address);
  });
  check_misuse("trap: grid 1,1,1 of blocks 1025,1,1", cuda::invalid_value,
               [](Gpu& gpu) { return gpu.try_launch("trap", {1, 1025}, 0u); });
  check_misuse("no context is current in this thread", cuda::invalid_context, [&](Gpu& gpu) {
    Result result = cuda::success;
    std::thread([&] { result = gpu.api().cuMemAlloc_v2(&none, 4); }).join();
    return result;
  });
  check_misuse("cuStreamSynchronize: no such stream", cuda::invalid_handle, [](Gpu& gpu) {
    cuda::Stream* stream = nullptr;
    gpu.check(gpu.api().cuStreamCreate(&stream, 1), "cuStreamCreate");
    gpu.check(gpu.api().cuStreamDestroy_v2(stream), "cuStreamDestroy");
    return gpu.api().cuStreamSynchronize(stream);
  });
  const Outcome outcome = in_child({}, [] {
    const Api api;
    int count = 0;
    expect(api.cuDeviceGetCount(&count) == cuda::not_initialized, "CUDA_ERROR_NOT_INITIALIZED");
  });
  CHECK(outcome.passed);
}

TEST_CASE("shared memory beyond 48 KiB has to be asked for") {
  check_misuse("overrun_shared: 50000 bytes of dynamic shared memory, the limit is 49152", cuda::invalid_value,
               [](Gpu& gpu) { return gpu.try_launch("overrun_shared", {1, 64, 1, 1, 50000}, gpu.allocate(256), 0); });
  check_misuse("a block can have 166912", cuda::invalid_value,
               [](Gpu& gpu) { return gpu.api().cuFuncSetAttribute(gpu.kernel("overrun_shared"), 8, 200000); });
  check_passes({}, [](Gpu& gpu) {
    gpu.check(gpu.api().cuFuncSetAttribute(gpu.kernel("overrun_shared"), 8, 100000), "cuFuncSetAttribute");
    gpu.launch("overrun_shared", {1, 64, 1, 1, 100000}, gpu.allocate(256), 0);
    gpu.wait();
  });
}

TEST_CASE("memory ends") {
  check_passes({{"MEMORY", "1000000"}}, [](Gpu& gpu) {
    const Api& api = gpu.api();
    std::size_t free = 0, total = 0;
    Address more = 0;
    const Address half = gpu.allocate(600000);
    gpu.check(api.cuMemGetInfo_v2(&free, &total), "cuMemGetInfo");
    expect(total == 1000000 && free == 400000, "400000 bytes of a million");
    gpu.check(api.cuMemAlloc_v2(&more, 600000), "cuMemAlloc", cuda::out_of_memory);
    gpu.free(half);
    for (int i = 0; i < 20; ++i) gpu.free(gpu.allocate(900000));
  });
}

TEST_CASE("a driver that cannot be used") {
  check_init({{"CUINIT_ERROR", "803"}}, cuda::system_driver_mismatch);
  check_init({{"CUINIT_ERROR", "100"}}, cuda::no_device);
  check_init({{"DEVICES", "0"}}, cuda::no_device);
  check_init({{"CUDA_VISIBLE_DEVICES", ""}}, cuda::no_device);
  check_init({{"DEVICES", "3"}, {"CUDA_VISIBLE_DEVICES", "2,0,-1,1"}}, cuda::success, 2);
  check_init({{"DEVICES", "3"}}, cuda::success, 3);
}

TEST_CASE("PTX that is too new") {
  check_passes({{"DRIVER_VERSION", "11020"}}, [](Gpu& gpu) {
    int version = 0;
    gpu.check(gpu.api().cuDriverGetVersion(&version), "cuDriverGetVersion");
    expect(version == 11020, "the version that was asked for");
    gpu.load("\n.version 7.3\n.target sm_70\n.address_size 64\n", cuda::unsupported_ptx_version);
    gpu.load("\n.version 7.2\n.target sm_70\n.address_size 64\n");
  });
  check_passes({{"DEVICE", "v100"}}, [](Gpu& gpu) {
    gpu.load("\n.version 7.0\n.target sm_80\n.address_size 64\n", cuda::no_binary_for_gpu);
  });
}

TEST_CASE("two devices work side by side and copy to each other") {
  check_passes({{"DEVICES", "2"}, {"LAZY", "1"}}, [](Gpu& first) {
    const Address x = first.upload(filled(8, 1));
    Gpu second(1);
    const Address y = second.upload(filled(8, 2)), z = second.allocate(32);
    second.launch("axpy", {1, 8}, 3.0f, y, y, 8u);
    second.copy(z, x, 32);
    expect(second.download<float>(y, 8) == filled(8, 8) && second.download<float>(z, 8) == filled(8, 1), "8 and 1");
    int device = -1, kind = 0;
    first.check(first.api().cuPointerGetAttribute(&device, cuda::pointer_device, z), "cuPointerGetAttribute");
    first.check(first.api().cuPointerGetAttribute(&kind, cuda::pointer_memory_type, z), "cuPointerGetAttribute");
    expect(device == 1 && kind == cuda::memory_device, "memory of the second device");
    first.check(first.api().cuPointerGetAttribute(&device, cuda::pointer_device, reinterpret_cast<Address>(&device)),
                "memory of the host", cuda::invalid_value);
  });
}

TEST_CASE("threads of the client") {
  const auto work = [](Gpu& gpu) {
    gpu.kernel("axpy");
    std::vector<std::thread> threads;
    std::array<bool, 4> right{};
    for (std::size_t i = 0; i < right.size(); ++i)
      threads.emplace_back([&, i] {
        Gpu mine;
        const Address x = mine.upload(filled(5000, float(i))), y = mine.upload(filled(5000, 0));
        for (int k = 0; k < 30; ++k) mine.launch("axpy", {20, 256}, 1.0f, x, y, 5000u);
        right[i] = mine.download<float>(y, 5000) == filled(5000, 30 * float(i));
      });
    for (std::thread& thread : threads) thread.join();
    for (const bool one : right) expect(one, "thirty sums");
  };
  check_passes({}, work);
  check_passes({{"LAZY", "1"}}, work);
}

TEST_CASE("processes that translate the same module at once get it whole") {
  const std::filesystem::path cache = std::filesystem::temp_directory_path() / ("standin-" + std::to_string(getpid()));
  std::array<Outcome, 3> outcomes;
  std::vector<std::thread> parents;
  for (Outcome& outcome : outcomes)
    parents.emplace_back([&] {
      outcome = with_gpu({{"CACHE", cache.string()}}, [](Gpu& gpu) {
        const Address x = gpu.upload(filled(8, 1));
        gpu.load(contents(std::string(CHORD_STANDIN_PTX) + "/opcodes.ptx"));
        gpu.free(x);
      });
    });
  for (std::thread& parent : parents) parent.join();
  for (const Outcome& outcome : outcomes) CHECK_MESSAGE(outcome.passed, outcome.messages);
  std::size_t modules = 0, leftovers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache)) {
    modules += entry.path().extension() == ".so";
    leftovers += entry.path().extension() != ".so" && entry.path().extension() != ".lock";
  }
  CHECK(modules == 1);
  CHECK(leftovers == 0);
  std::filesystem::remove_all(cache);
}

TEST_CASE("errors have names and sentences") {
  check_passes({}, [](Gpu& gpu) {
    const char* text = nullptr;
    gpu.check(gpu.api().cuGetErrorName(cuda::out_of_memory, &text), "cuGetErrorName");
    expect(text == std::string("CUDA_ERROR_OUT_OF_MEMORY"), "CUDA_ERROR_OUT_OF_MEMORY");
    gpu.check(gpu.api().cuGetErrorString(cuda::illegal_address, &text), "cuGetErrorString");
    expect(text == std::string("an illegal memory access was encountered"), "a sentence");
    gpu.check(gpu.api().cuGetErrorName(12345, &text), "an unknown error", cuda::invalid_value);
  });
}

}  // namespace chord::standin_tests
