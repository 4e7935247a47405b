#include "capi/dlpack.hpp"

#include "support.hpp"

using namespace testing;

namespace {

/// A tensor of somebody else's, with a deleter that counts.
struct Foreign {
  std::vector<float> memory{1, 2, 3, 4, 5, 6, 7, 8};
  int64_t shape[2] = {2, 3}, strides[2] = {4, 1};
  int deleted = 0;
  DLManagedTensorVersioned managed{};

  Foreign() {
    managed.version = {1, 1};
    managed.manager_ctx = &deleted;
    managed.deleter = [](DLManagedTensorVersioned* self) { ++*static_cast<int*>(self->manager_ctx); };
    managed.dl_tensor = {
        memory.data(), {chord::dlpack::cpu, 0}, 2, {chord::dlpack::floating_point, 32, 1}, shape, strides, 4};
  }
  chord_status import_into(Context& context, chord_tensor** tensor) {
    return chord_tensor_from_dlpack(context.get(), &managed, tensor);
  }
};

}  // namespace

TEST_CASE("an imported tensor shares the memory and is deleted once") {
  on_every_device([](Context& context) {
    if (!context.device().host_readable) return;
    Foreign foreign;
    chord_tensor* handle = nullptr;
    chord::check(foreign.import_into(context, &handle));
    {
      Tensor imported(handle);
      CHECK(imported.to_host<float>() == std::vector<float>{2, 3, 4, 6, 7, 8});
      imported.fill(9);
      const Tensor view = imported.view({1}, {1});
      imported = Tensor();
      CHECK(foreign.deleted == 0);
    }
    CHECK(foreign.deleted == 1);
    CHECK(foreign.memory == std::vector<float>{1, 9, 9, 9, 5, 9, 9, 9});
  });
}

TEST_CASE("missing and overlapping strides") {
  on_every_device([](Context& context) {
    if (!context.device().host_readable) return;
    Foreign contiguous, repeated;
    contiguous.managed.dl_tensor.strides = nullptr;
    repeated.strides[0] = 0;
    chord_tensor *first = nullptr, *second = nullptr;
    chord::check(contiguous.import_into(context, &first));
    chord::check(repeated.import_into(context, &second));
    CHECK(Tensor(first).to_host<float>() == std::vector<float>{2, 3, 4, 5, 6, 7});
    CHECK(Tensor(second).to_host<float>() == std::vector<float>{2, 3, 4, 2, 3, 4});
  });
}

TEST_CASE("an exported tensor outlives its handle, and comes back the same") {
  on_every_device([](Context& context) {
    if (!context.device().host_readable) return;
    DLManagedTensorVersioned* managed = nullptr;
    {
      const Tensor matrix = Tensor::from<double>(context, {2, 3}, {1, 2, 3, 4, 5, 6});
      const Tensor transposed = matrix.view({3, 2}, {1, 3});
      chord::check(chord_tensor_to_dlpack(transposed.get(), &managed));
    }
    const DLTensor& tensor = managed->dl_tensor;
    CHECK(managed->version.major == 1);
    CHECK(tensor.ndim == 2);
    CHECK(tensor.dtype.bits == 64);
    CHECK(tensor.shape[0] == 3);
    CHECK(tensor.strides[1] == 3);
    CHECK(static_cast<double*>(tensor.data)[5] == 6);
    chord_tensor* again = nullptr;
    chord::check(chord_tensor_from_dlpack(context.get(), managed, &again));
    CHECK(Tensor(again).to_host<double>() == std::vector<double>{1, 4, 2, 5, 3, 6});
  });
}

TEST_CASE("a repetition is exported as read-only") {
  Context context("host");
  const Tensor row = Tensor::from<float>(context, {3}, {1, 2, 3});
  const auto flags = [](const Tensor& tensor) {
    DLManagedTensorVersioned* managed = nullptr;
    chord::check(chord_tensor_to_dlpack(tensor.get(), &managed));
    const uint64_t found = managed->flags;
    managed->deleter(managed);
    return found;
  };
  CHECK(flags(row.view({2, 3}, {0, 1})) == chord::dlpack::read_only);
  CHECK(flags(row.view({2, 2}, {1, 1})) == chord::dlpack::read_only);
  CHECK(flags(row.view({3, 1}, {1, 0})) == 0);
  CHECK(flags(row) == 0);
}

TEST_CASE("a device that does not share its memory with the host borrows none of its") {
  on_every_device([](Context& context) {
    if (context.device().host_readable) return;
    const Tensor tensor = Tensor::from<float>(context, {2}, {1, 2});
    if (std::string(context.device().backend) != "cuda") {
      DLManagedTensorVersioned* managed = nullptr;
      expect(chord_tensor_to_dlpack(tensor.get(), &managed), CHORD_ERROR_UNSUPPORTED, "cannot be exported");
      CHECK(managed == nullptr);
    }
    Foreign foreign;
    chord_tensor* handle = nullptr;
    expect(foreign.import_into(context, &handle), CHORD_ERROR_UNSUPPORTED, "cannot use host memory in place");
    CHECK(handle == nullptr);
    CHECK(foreign.deleted == 0);
  });
}

TEST_CASE("a refused import leaves the tensor with its owner") {
  Context context("host");
  const auto refused = [&](Foreign& foreign, chord_status expected) {
    chord_tensor* handle = nullptr;
    CHECK(foreign.import_into(context, &handle) == expected);
    CHECK(handle == nullptr);
    CHECK(foreign.deleted == 0);
  };
  Foreign old, type, lanes, device, rank, negative, read_only, misaligned;
  old.managed.version.major = 2;
  refused(old, CHORD_ERROR_UNSUPPORTED);
  type.managed.dl_tensor.dtype.bits = 16;
  refused(type, CHORD_ERROR_INVALID_TYPE);
  lanes.managed.dl_tensor.dtype.lanes = 4;
  refused(lanes, CHORD_ERROR_INVALID_TYPE);
  device.managed.dl_tensor.device.device_type = 2;
  refused(device, CHORD_ERROR_UNSUPPORTED);
  rank.managed.dl_tensor.ndim = 9;
  refused(rank, CHORD_ERROR_INVALID_SHAPE);
  negative.shape[0] = -1;
  refused(negative, CHORD_ERROR_INVALID_SHAPE);
  read_only.managed.flags = chord::dlpack::read_only;
  refused(read_only, CHORD_ERROR_UNSUPPORTED);
  misaligned.managed.dl_tensor.byte_offset = 3;
  refused(misaligned, CHORD_ERROR_INVALID_ARGUMENT);
}
