// What only contexts on NVIDIA GPUs have: streams of others, memory exchanged in place, faults of the device. Runs
// where there is a CUDA driver, or the stand-in for it.
#include <dlfcn.h>

#include "capi/dlpack.hpp"
#include "device/cuda/driver_api.hpp"
#include "standin_reports.hpp"
#include "support.hpp"

using namespace testing;
using namespace chord::cuda;

namespace {

/// The driver as a program beside us uses it: another library in the same process.
struct Neighbour {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
#define CHORD_TEST_FUNCTION(name, ...) \
  Result (*name)(__VA_ARGS__) = reinterpret_cast<Result (*)(__VA_ARGS__)>(dlsym(library, #name));
  CHORD_CUDA_FUNCTIONS(CHORD_TEST_FUNCTION)
#undef CHORD_TEST_FUNCTION
  Stream* stream = nullptr;
  DriverContext* context = nullptr;

  Neighbour() {
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == success);
    REQUIRE(cuCtxPushCurrent_v2(context) == success);
    REQUIRE(cuStreamCreate(&stream, stream_does_not_wait_for_default) == success);
  }
  ~Neighbour() {
    cuStreamDestroy_v2(stream);
    cuCtxPopCurrent_v2(&context);
    cuDevicePrimaryCtxRelease_v2(0);
  }
  std::vector<float> read(const void* from, std::size_t count) {
    std::vector<float> values(count);
    REQUIRE(cuMemcpyAsync(reinterpret_cast<Address>(values.data()), reinterpret_cast<Address>(from),
                          count * sizeof(float), stream) == success);
    REQUIRE(cuStreamSynchronize(stream) == success);
    return values;
  }
};

bool there_is_a_gpu() {
  for (const auto& device : chord::devices())
    if (std::string(device.selector) == "cuda:0") return true;
  MESSAGE("left out: no CUDA device here");
  return false;
}

/// A tensor in memory that a neighbour has allocated.
struct Foreign {
  explicit Foreign(Neighbour& neighbour, Address address = 0) : neighbour_(neighbour), address_(address) {
    if (!address) REQUIRE(neighbour.cuMemAlloc_v2(&address_, 6 * sizeof(float)) == success);
    owned_ = !address;
    managed.version = {1, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensorVersioned* self) { ++static_cast<Foreign*>(self->manager_ctx)->deleted; };
    managed.dl_tensor = {reinterpret_cast<void*>(address_),
                         {chord::dlpack::cuda, 0},
                         2,
                         {chord::dlpack::floating_point, 32, 1},
                         shape,
                         nullptr,
                         0};
  }
  ~Foreign() {
    if (owned_) neighbour_.cuMemFree_v2(address_);
  }
  void* memory() const { return reinterpret_cast<void*>(address_); }

  int64_t shape[2] = {2, 3};
  int deleted = 0;
  DLManagedTensorVersioned managed{};

 private:
  Neighbour& neighbour_;
  Address address_;
  bool owned_ = false;
};

}  // namespace

TEST_CASE("a context on a caller's stream works in that stream") {
  if (!there_is_a_gpu()) return;
  Neighbour neighbour;
  auto context = Context::on_cuda_stream(0, neighbour.stream);
  CHECK(context.cuda_stream() == neighbour.stream);
  CHECK(std::string(context.device().selector) == "cuda:0");
  Foreign foreign(neighbour);
  chord_tensor* handle = nullptr;
  chord::check(chord_tensor_from_dlpack(context.get(), &foreign.managed, &handle));
  Tensor(handle).fill(7);
  // Not waited for by us: the neighbour's own work in the stream comes after it.
  CHECK(neighbour.read(foreign.memory(), 6) == std::vector<float>(6, 7.0f));
  CHECK(foreign.deleted == 1);
  chord_context* none = nullptr;
  expect(chord_context_create_on_cuda_stream(99, nullptr, &none), CHORD_ERROR_NO_SUCH_DEVICE, "cuda:99");
  CHECK(none == nullptr);
}

TEST_CASE("contexts of other backends have no CUDA stream") {
  Context context("host");
  void* stream = nullptr;
  expect(chord_context_get_cuda_stream(context.get(), nullptr, &stream), CHORD_ERROR_UNSUPPORTED, "no CUDA stream");
}

TEST_CASE("an exported tensor is ready for the stream it is exported to") {
  if (!there_is_a_gpu()) return;
  Neighbour neighbour;
  Context context("cuda:0");
  Tensor tensor = Tensor::from<float>(context, {4}, {1, 2, 3, 4});
  DLManagedTensorVersioned* managed = nullptr;
  tensor.fill(5);  // queued, perhaps not done
  chord::check(
      chord_tensor_to_dlpack_on_cuda_stream(tensor.get(), reinterpret_cast<intptr_t>(neighbour.stream), &managed));
  tensor = Tensor();
  CHECK(managed->dl_tensor.device.device_type == chord::dlpack::cuda);
  CHECK(managed->dl_tensor.device.device_id == 0);
  CHECK(neighbour.read(managed->dl_tensor.data, 4) == std::vector<float>(4, 5.0f));
  managed->deleter(managed);
  // With the host waiting instead, and without any order.
  Tensor again = Tensor::from<float>(context, {2}, {8, 9});
  chord::check(chord_tensor_to_dlpack(again.get(), &managed));
  CHECK(neighbour.read(managed->dl_tensor.data, 2) == std::vector<float>{8, 9});
  managed->deleter(managed);
  context.wait();
  chord::check(chord_tensor_to_dlpack_on_cuda_stream(again.get(), -1, &managed));
  managed->deleter(managed);
  for (const intptr_t wrong : {0, -2})
    expect(chord_tensor_to_dlpack_on_cuda_stream(again.get(), wrong, &managed), CHORD_ERROR_INVALID_ARGUMENT,
           "expected -1, 1, 2");
}

TEST_CASE("an exported block is not used again before its receiver's stream is done with it") {
  if (!there_is_a_gpu()) return;
  Neighbour neighbour;
  Context context("cuda:0");
  Tensor tensor = Tensor::from<float>(context, {1024}, std::vector<float>(1024, 3.0f));
  DLManagedTensorVersioned* managed = nullptr;
  chord::check(
      chord_tensor_to_dlpack_on_cuda_stream(tensor.get(), reinterpret_cast<intptr_t>(neighbour.stream), &managed));
  tensor = Tensor();
  std::vector<float> values(1024);
  REQUIRE(neighbour.cuMemcpyAsync(reinterpret_cast<Address>(values.data()),
                                  reinterpret_cast<Address>(managed->dl_tensor.data), values.size() * sizeof(float),
                                  neighbour.stream) == success);
  managed->deleter(managed);  // the copy may not have begun
  Tensor next = Tensor::empty<float>(context, {1024});
  next.fill(4);
  context.wait();
  REQUIRE(neighbour.cuStreamSynchronize(neighbour.stream) == success);
  CHECK(values == std::vector<float>(1024, 3.0f));
}

TEST_CASE("memory of a GPU goes to contexts of that GPU alone") {
  if (!there_is_a_gpu()) return;
  Neighbour neighbour;
  Foreign foreign(neighbour);
  chord_tensor* handle = nullptr;
  Context host("host"), gpu("cuda:0");
  expect(chord_tensor_from_dlpack(host.get(), &foreign.managed, &handle), CHORD_ERROR_UNSUPPORTED,
         "cannot use memory of CUDA device 0 in place");
  foreign.managed.dl_tensor.device.device_id = 1;
  expect(chord_tensor_from_dlpack(gpu.get(), &foreign.managed, &handle), CHORD_ERROR_UNSUPPORTED,
         "cannot use memory of CUDA device 1 in place");
  CHECK(foreign.deleted == 0);
}

TEST_CASE("long copies come through the pinned buffers in order") {
  if (!there_is_a_gpu()) return;
  Context context("cuda:0");
  std::vector<float> values(3 << 20);  // 12 MiB: several of each buffer
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i % 16777213);
  const Tensor tensor = Tensor::from<float>(context, {int64_t(values.size())}, values);
  CHECK(tensor.to_host<float>() == values);
}

TEST_CASE("more memory than the GPU has is a status, and the next allocation works") {
  if (!there_is_a_gpu()) return;
  Context context("cuda:0");
  chord_tensor* handle = nullptr;
  const int64_t shape[] = {int64_t(1) << 42};
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, shape, &handle), CHORD_ERROR_OUT_OF_MEMORY, "bytes left");
  CHECK(Tensor::from<float>(context, {1}, {2}).to_host<float>() == std::vector<float>{2});
}

// The process is of no use afterwards: run by a test of its own (tests/CMakeLists.txt).
TEST_CASE("a device that failed says so at every later call" * doctest::skip()) {
  if (!there_is_a_gpu()) return;
  Neighbour neighbour;
  Context context("cuda:0");
  Foreign nowhere(neighbour, 0x7000);
  chord_tensor* handle = nullptr;
  chord::check(chord_tensor_from_dlpack(context.get(), &nowhere.managed, &handle));
  Tensor tensor(handle);
  chord_status status = chord_tensor_fill(tensor.get(), 1);
  if (status == CHORD_SUCCESS) status = chord_context_wait(context.get());
  expect(status, CHORD_ERROR_DEVICE_FAILURE, "CUDA_ERROR_ILLEGAL_ADDRESS");
  for (int again = 0; again < 2; ++again) {
    status = chord_tensor_fill(tensor.get(), 1);
    if (status == CHORD_SUCCESS) status = chord_context_wait(context.get());
    expect(status, CHORD_ERROR_DEVICE_FAILURE, "cannot be used by this process any more");
  }
  chord_context* other = nullptr;
  CHECK(chord_context_create("cuda:0", &other) != CHORD_SUCCESS);
  Context host("host");
  CHECK(Tensor::from<float>(host, {1}, {2}).to_host<float>() == std::vector<float>{2});
  expected_standin_reports = standin_reports("ILLEGAL ADDRESS");
  CHECK(expected_standin_reports <= 1);
}
