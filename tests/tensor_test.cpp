#include "support.hpp"

using namespace testing;

TEST_CASE("values survive the way to the device and back") {
  on_every_device([](Context& context) {
    const std::vector<int64_t> integers{1, -2, int64_t(1) << 60, 0, 5, 6};
    CHECK(Tensor::from<int64_t>(context, {2, 3}, integers).to_host<int64_t>() == integers);
    const std::vector<float> reals{1.5f, -2.25f, 1e-30f, 3e30f};
    CHECK(Tensor::from<float>(context, {4}, reals).to_host<float>() == reals);
    CHECK(Tensor::from<double>(context, {}, {42.0}).to_host<double>() == std::vector<double>{42.0});
    CHECK(Tensor::from<int32_t>(context, {3, 0, 2}, {}).to_host<int32_t>().empty());
  });
}

TEST_CASE("a view looks at the same memory: slice, transpose, repetition, reversal") {
  on_every_device([](Context& context) {
    const Tensor matrix = Tensor::from<int32_t>(context, {2, 3}, {1, 2, 3, 4, 5, 6});
    CHECK(matrix.view({2, 2}, {3, 1}, 1).to_host<int32_t>() == std::vector<int32_t>{2, 3, 5, 6});
    CHECK(matrix.view({3, 2}, {1, 3}).to_host<int32_t>() == std::vector<int32_t>{1, 4, 2, 5, 3, 6});
    CHECK(matrix.view({2, 2}, {0, 1}).to_host<int32_t>() == std::vector<int32_t>{1, 2, 1, 2});
    CHECK(matrix.view({3}, {-1}, 5).to_host<int32_t>() == std::vector<int32_t>{6, 5, 4});
    CHECK(matrix.view({1, 1, 2, 1, 1, 3}, {9, 9, 3, 9, 9, 1}).to_host<int32_t>() ==
          std::vector<int32_t>{1, 2, 3, 4, 5, 6});
    Tensor column = matrix.view({2}, {3}, 2);
    const int32_t values[] = {30, 60};
    chord::check(chord_tensor_from_host(column.get(), values, sizeof values));
    CHECK(matrix.to_host<int32_t>() == std::vector<int32_t>{1, 2, 30, 4, 5, 60});
  });
}

TEST_CASE("a view of a view stays inside it") {
  Context context("host");
  const Tensor all = Tensor::from<float>(context, {6}, {1, 2, 3, 4, 5, 6});
  const Tensor middle = all.view({2, 2}, {2, 1}, 1), back = all.view({3}, {-1}, 4);
  chord_tensor* out = nullptr;
  const int64_t three = 3, one = 1, none = 0;
  CHECK(middle.view({4}, {1}).to_host<float>() == std::vector<float>{2, 3, 4, 5});
  CHECK(back.view({3}, {1}, -2).to_host<float>() == std::vector<float>{3, 4, 5});
  expect(chord_tensor_view(middle.get(), 1, &three, nullptr, 2, &out), CHORD_ERROR_INVALID_SHAPE,
         "reaches bytes 8 to 20 of a tensor that has 16");
  expect(chord_tensor_view(middle.get(), 1, &one, nullptr, -1, &out), CHORD_ERROR_INVALID_SHAPE, "bytes -4 to 0");
  expect(chord_tensor_view(back.get(), 1, &one, nullptr, 1, &out), CHORD_ERROR_INVALID_SHAPE, "bytes 12 to 16");
  CHECK(all.view({0}, {1}, 6).to_host<float>().empty());
  expect(chord_tensor_view(all.get(), 1, &none, nullptr, 7, &out), CHORD_ERROR_INVALID_SHAPE, "bytes 28 to 28");
}

TEST_CASE("mapped memory has the values of all work before, and what is written to it is there") {
  on_every_device([](Context& context) {
    Tensor tensor = Tensor::empty<float>(context, {1000});
    tensor.fill(3);
    if (!context.device().host_readable) {
      void* memory = nullptr;
      expect(chord_tensor_map(tensor.get(), &memory), CHORD_ERROR_UNSUPPORTED, "cannot be read by the host");
      return;
    }
    {
      const auto mapped = tensor.map<float>();
      CHECK(mapped[999] == 3);
      mapped[1] = 4;
    }
    CHECK_THROWS_AS(tensor.map<double>(), std::invalid_argument);
    CHECK(tensor.to_host<float>()[1] == 4);
  });
}

TEST_CASE("tokens written through a mapping are checked again") {
  Context context("host");
  chord::Model model(context, R"({"preset": "order", "length": 8})", 1);
  Tensor tokens = Tensor::from<int32_t>(context, {1, 8}, std::vector<int32_t>(8, 1));
  Tensor outputs = Tensor::empty<float>(context, {1, model.info().classes});
  model.forward(tokens, outputs);
  tokens.map<int32_t>()[3] = 99;
  model.forward(tokens, outputs);
  expect(chord_context_wait(context.get()), CHORD_ERROR_INVALID_ARGUMENT, "no index at place 3");
}

TEST_CASE("a tensor from bytes says how many it wants") {
  Context context("host");
  const float values[] = {1, 2, 3, 4};
  CHECK(Tensor::from<float>(context, {2, 2}, chord::Span<const float>(values)).to_host<float>()[3] == 4);
  const int64_t shape[] = {2, 3};
  chord_tensor* out = nullptr;
  expect(chord_tensor_create_from_bytes(context.get(), CHORD_FLOAT32, 2, shape, values, sizeof values, &out),
         CHORD_ERROR_INVALID_ARGUMENT, "bytes is 16; the tensor of shape [2, 3] has 24");
  CHECK(out == nullptr);
  float some[4] = {};
  Tensor::from<float>(context, {4}, {5, 6, 7, 8}).to_host(chord::Span<float>(some));
  CHECK(some[2] == 7);
}

TEST_CASE("a function gives wrapped memory back") {
  Context context("host");
  std::vector<float> memory{1, 2};
  int released = 0;
  {
    const Tensor wrapped = Tensor::wrap(context, {2}, {}, memory.data(), [&] { ++released; });
    CHECK(wrapped.to_host<float>() == memory);
    CHECK_THROWS_AS(Tensor::wrap(context, {-2}, {}, memory.data(), [&] { ++released; }), chord::Error);
    CHECK(released == 0);
  }
  CHECK(released == 1);
}

TEST_CASE("host memory that a tensor uses in place cannot be copied to or from it") {
  Context context("host");
  std::vector<float> memory{1, 2, 3, 4, 5};
  const int64_t shape = 4;
  chord_tensor* handle = nullptr;
  chord::check(
      chord_tensor_wrap(context.get(), CHORD_FLOAT32, 1, &shape, nullptr, memory.data(), nullptr, nullptr, &handle));
  const Tensor wrapped(handle);
  expect(chord_tensor_from_host(handle, memory.data() + 1, 16), CHORD_ERROR_INVALID_ARGUMENT, "shares memory");
  expect(chord_tensor_to_host(handle, memory.data(), 16), CHORD_ERROR_INVALID_ARGUMENT, "shares memory");
  CHECK(memory == std::vector<float>{1, 2, 3, 4, 5});
  const int64_t half = 2;
  chord_tensor* first = nullptr;
  chord::check(chord_tensor_view(handle, 1, &half, nullptr, 0, &first));
  chord::check(chord_tensor_from_host(first, memory.data() + 2, 8));
  chord::check(chord_tensor_destroy(first));
  CHECK(memory == std::vector<float>{3, 4, 3, 4, 5});
}

TEST_CASE("fill and copy respect strides and types") {
  on_every_device([](Context& context) {
    Tensor all = Tensor::empty<double>(context, {3, 4});
    all.fill(1);
    Tensor inner = all.view({3, 2}, {4, 1}, 1);
    inner.fill(-2.5);
    CHECK(all.to_host<double>() == std::vector<double>{1, -2.5, -2.5, 1, 1, -2.5, -2.5, 1, 1, -2.5, -2.5, 1});
    const Tensor source = Tensor::from<double>(context, {2, 3}, {1, 2, 3, 4, 5, 6});
    inner.copy_from(source.view({3, 2}, {1, 3}));
    CHECK(all.to_host<double>() == std::vector<double>{1, 1, 4, 1, 1, 2, 5, 1, 1, 3, 6, 1});
    Tensor integers = Tensor::empty<int64_t>(context, {2});
    integers.fill(-7);
    CHECK(integers.to_host<int64_t>() == std::vector<int64_t>{-7, -7});
  });
}

TEST_CASE("host memory is used in place and given back once, after the last view") {
  on_every_device([](Context& context) {
    if (!context.device().host_readable) return;
    std::vector<float> memory{1, 2, 3, 4, 5, 6};
    int released = 0;
    const int64_t shape[] = {2, 2}, strides[] = {3, 1};
    chord_tensor* handle = nullptr;
    chord::check(chord_tensor_wrap(
        context.get(), CHORD_FLOAT32, 2, shape, strides, memory.data() + 1,
        [](void* count) { ++*static_cast<int*>(count); }, &released, &handle));
    {
      Tensor wrapped(handle);
      CHECK(wrapped.to_host<float>() == std::vector<float>{2, 3, 5, 6});
      Tensor view = wrapped.view({1}, {1}, 3);
      wrapped = Tensor();
      CHECK(released == 0);
      view.fill(50);
      context.wait();
    }
    CHECK(memory[4] == 50);
    CHECK(released == 1);
  });
}

TEST_CASE("the host sees a tensor's own memory") {
  on_every_device([](Context& context) {
    if (!context.device().host_readable) return;
    const Tensor tensor = Tensor::from<int32_t>(context, {3}, {7, 8, 9});
    void* data = nullptr;
    chord::check(chord_tensor_data(tensor.view({1}, {1}, 2).get(), &data));
    CHECK(*static_cast<int32_t*>(data) == 9);
  });
}

TEST_CASE("a device that does not share its memory with the host says so") {
  on_every_device([](Context& context) {
    if (context.device().host_readable) return;
    const Tensor tensor = Tensor::from<int32_t>(context, {3}, {7, 8, 9});
    void* data = nullptr;
    expect(chord_tensor_data(tensor.get(), &data), CHORD_ERROR_UNSUPPORTED, "use chord_tensor_to_host");
    CHECK(data == nullptr);
    float memory[3] = {};
    int released = 0;
    const int64_t shape[] = {3};
    chord_tensor* handle = nullptr;
    expect(chord_tensor_wrap(
               context.get(), CHORD_FLOAT32, 1, shape, nullptr, memory,
               [](void* count) { ++*static_cast<int*>(count); }, &released, &handle),
           CHORD_ERROR_UNSUPPORTED, "cannot use host memory in place");
    CHECK(handle == nullptr);
    CHECK(released == 0);
  });
}

TEST_CASE("memory is counted, reused and given back") {
  on_every_device([](Context& context) {
    const auto before = context.memory();
    {
      const Tensor tensor = Tensor::empty<float>(context, {1 << 20});
    }
    const auto once = context.memory();
    CHECK(once.bytes_in_use == before.bytes_in_use);
    CHECK(once.peak_bytes >= before.bytes_in_use + (4 << 20));
    CHECK(once.reserved_bytes >= 4 << 20);
    {
      const Tensor tensor = Tensor::empty<float>(context, {1 << 20});
    }
    CHECK(context.memory().device_allocations == once.device_allocations);
    context.trim();
    CHECK(context.memory().reserved_bytes == context.memory().bytes_in_use);
  });
}

TEST_CASE("objects outlive the handles they were made from") {
  on_every_device([](Context& context) {
    chord_context* second = nullptr;
    chord::check(chord_context_create(context.device().selector, &second));
    const int64_t shape[] = {4, 3};
    const float data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    chord_tensor *w = nullptr, *v = nullptr, *z = nullptr;
    chord_pattern* pattern = nullptr;
    chord_chain* chain = nullptr;
    chord::check(chord_tensor_create_from_host(second, CHORD_FLOAT32, 2, shape, data, &w));
    chord::check(chord_tensor_create_from_host(second, CHORD_FLOAT32, 2, shape, data, &v));
    chord::check(chord_tensor_create(second, CHORD_FLOAT32, 2, shape, &z));
    chord::check(chord_pattern_create_chord(second, 4, 2, 3, &pattern));
    chord::check(chord_context_destroy(second));
    const int64_t stacked[] = {1, 4, 3};
    chord_tensor* weights = nullptr;
    chord::check(chord_tensor_view(w, 3, stacked, nullptr, 0, &weights));
    chord::check(chord_tensor_destroy(w));
    chord::check(chord_chain_create(pattern, weights, 0, &chain));
    chord::check(chord_pattern_destroy(pattern));
    chord::check(chord_tensor_destroy(weights));
    chord::check(chord_chain_apply(chain, v, z, nullptr));
    chord::check(chord_tensor_destroy(v));
    chord::check(chord_chain_destroy(chain));
    float result[12];
    chord::check(chord_tensor_to_host(z, result, sizeof result));
    CHECK(result[0] == 1 * 1 + 2 * 4 + 3 * 7);
    chord::check(chord_tensor_destroy(z));
  });
}
