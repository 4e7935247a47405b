#include <cstring>
#include <limits>

#include "support.hpp"

using namespace testing;

namespace {

struct Fixture {
  Context context{"host"};
  Pattern pattern = Pattern::chord(context, 8);  // 4 links
  Tensor w = Tensor::empty<float>(context, {8, 4});
  Tensor v = Tensor::empty<float>(context, {8, 5});
  Tensor z = Tensor::empty<float>(context, {8, 5});
};

}  // namespace

TEST_CASE("statuses have names, and the last error belongs to the thread") {
  CHECK(std::string(chord_status_name(CHORD_SUCCESS)) == "CHORD_SUCCESS");
  CHECK(std::string(chord_status_name(CHORD_ERROR_FORKED)) == "CHORD_ERROR_FORKED");
  CHECK(std::string(chord_status_name(-1)) == "unknown status");
  CHECK(chord_last_error() != nullptr);
}

TEST_CASE("the last error can be copied, and is cut between characters") {
  chord_context* out = nullptr;
  expect(chord_context_create("\u00fc\u00fc", &out), CHORD_ERROR_NO_SUCH_DEVICE, "\u00fc");
  const std::string whole = chord_last_error();
  CHECK(chord::last_error() == whole);
  const std::size_t inside = whole.find("\u00fc") + 2;  // room for the first half of the character, and the NUL
  std::string text(inside, 'x');
  std::size_t length = 0;
  CHECK(chord_last_error_copy(text.data(), text.size(), &length) == CHORD_SUCCESS);
  CHECK(length == whole.size());
  CHECK(std::string(text.c_str()) == whole.substr(0, inside - 2));
  expect(chord_last_error_copy(nullptr, 5, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "text is NULL");
}

TEST_CASE("a message of any length is cut, between characters") {
  std::string name;
  for (int i = 0; i < 5000; ++i) name += "\u00fc";
  chord_context* out = nullptr;
  expect(chord_context_create(name.c_str(), &out), CHORD_ERROR_NO_SUCH_DEVICE,
         "chord_context_create: no device '\u00fc");
  const std::string found = chord_last_error();
  CHECK(found.size() > 4000);
  CHECK(found.size() < 4096);
  CHECK(found.ends_with("\u00fc"));
}

TEST_CASE("a function as log") {
  std::vector<std::string> messages;
  chord::set_log([&](chord_log_level level, const std::string& message) {
    CHECK(level == CHORD_LOG_WARNING);
    messages.push_back(message);
    throw std::runtime_error("dropped");
  });
  Context context("host");
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.iterations = 20;
  options.checkpoint = "/nonexistent/folder/checkpoint";
  options.checkpoint_seconds = 1e-9;
  chord::Factorization::fit(Pattern::chord(context, 4), chord::Matrix::dense(4, random_values(16, 1)), options);
  chord::set_log({});
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].find("no checkpoint") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "NULL is refused everywhere, and harmless to destroy") {
  expect(chord_context_create("host", nullptr), CHORD_ERROR_INVALID_ARGUMENT, "context is NULL");
  expect(chord_context_wait(nullptr), CHORD_ERROR_INVALID_HANDLE, "context is NULL");
  chord_tensor* out = nullptr;
  const int64_t shape[] = {2};
  expect(chord_tensor_create(nullptr, CHORD_FLOAT32, 1, shape, &out), CHORD_ERROR_INVALID_HANDLE, "expected a context");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "shape");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, shape, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "tensor");
  expect(chord_tensor_create_from_host(context.get(), CHORD_FLOAT32, 1, shape, nullptr, &out),
         CHORD_ERROR_INVALID_ARGUMENT, "data");
  expect(chord_tensor_to_host(nullptr, nullptr, 0), CHORD_ERROR_INVALID_HANDLE, "tensor is NULL");
  expect(chord_tensor_to_dlpack(w.get(), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "managed");
  expect(chord_tensor_from_dlpack(context.get(), nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "managed");
  expect(chord_product(nullptr, w.get(), v.get(), z.get(), 0), CHORD_ERROR_INVALID_HANDLE, "expected a pattern");
  expect(chord_product(pattern.get(), w.get(), nullptr, z.get(), 0), CHORD_ERROR_INVALID_HANDLE, "v is NULL");
  expect(chord_chain_apply(nullptr, v.get(), z.get(), nullptr), CHORD_ERROR_INVALID_HANDLE, "expected a chain");
  expect(chord_pattern_create_custom(context.get(), 4, 1, nullptr, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "NULL");
  expect(chord_device_count(nullptr), CHORD_ERROR_INVALID_ARGUMENT, "count");
  CHECK(out == nullptr);
  CHECK(chord_context_destroy(nullptr) == CHORD_SUCCESS);
  CHECK(chord_tensor_destroy(nullptr) == CHORD_SUCCESS);
  CHECK(chord_pattern_destroy(nullptr) == CHORD_SUCCESS);
  CHECK(chord_chain_destroy(nullptr) == CHORD_SUCCESS);
}

TEST_CASE_FIXTURE(Fixture, "destroyed and foreign handles are refused") {
  chord_context* gone = nullptr;
  chord::check(chord_context_create("host", &gone));
  chord::check(chord_context_destroy(gone));
  expect(chord_context_destroy(gone), CHORD_ERROR_INVALID_HANDLE, "destroyed");
  expect(chord_context_wait(gone), CHORD_ERROR_INVALID_HANDLE, "not a live context");
  expect(chord_tensor_destroy(reinterpret_cast<chord_tensor*>(context.get())), CHORD_ERROR_INVALID_HANDLE,
         "is a context; expected a tensor");
}

TEST_CASE_FIXTURE(Fixture, "shapes that do not fit are named") {
  Tensor narrow = Tensor::empty<float>(context, {8, 3}), short_v = Tensor::empty<float>(context, {7, 5});
  Tensor cube = Tensor::empty<float>(context, {2, 8, 5}), line = Tensor::empty<float>(context, {8});
  expect(chord_product(pattern.get(), narrow.get(), v.get(), z.get(), 0), CHORD_ERROR_INVALID_SHAPE,
         "w is a batch of 1");
  expect(chord_product(pattern.get(), w.get(), short_v.get(), z.get(), 0), CHORD_ERROR_INVALID_SHAPE,
         "expected 1 of 8 × 5");
  expect(chord_product(pattern.get(), w.get(), cube.get(), z.get(), 0), CHORD_ERROR_INVALID_SHAPE, "v is a batch of 2");
  expect(chord_product(pattern.get(), w.get(), line.get(), z.get(), 0), CHORD_ERROR_INVALID_SHAPE,
         "[batch, rows, columns]");
  const Tensor strided = v.view({8, 2}, {5, 2});
  Tensor small = Tensor::empty<float>(context, {8, 2});
  expect(chord_product(pattern.get(), w.get(), strided.get(), small.get(), 0), CHORD_ERROR_INVALID_SHAPE, "expected 1");
  chord_chain* chain = nullptr;
  expect(chord_chain_create(pattern.get(), w.get(), 0, &chain), CHORD_ERROR_INVALID_SHAPE, "[factors, ");
  const Tensor weights = Tensor::empty<float>(context, {3, 8, 4});
  const chord::Chain good(pattern, weights);
  Tensor tape = Tensor::empty<float>(context, {3, 8, 5});
  expect(chord_chain_apply(good.get(), v.get(), z.get(), tape.get()), CHORD_ERROR_INVALID_SHAPE, "tape has 3 entries");
  Tensor dense = Tensor::empty<float>(context, {8, 7});
  expect(chord_chain_dense(good.get(), dense.get()), CHORD_ERROR_INVALID_SHAPE, "expected 1 of 8 × 8");
  const int64_t rows[] = {8};
  Tensor row = Tensor::empty<float>(context, {1, 8});
  expect(chord_chain_rows(good.get(), rows, 1, row.get()), CHORD_ERROR_INVALID_ARGUMENT,
         "there is no row 8; rows are 0 to 7");
  expect(chord_tensor_copy(v.get(), w.get()), CHORD_ERROR_INVALID_SHAPE, "[8, 5] to [8, 4]");
  float data[3];
  expect(chord_tensor_to_host(v.get(), data, sizeof data), CHORD_ERROR_INVALID_ARGUMENT, "has 160");
}

TEST_CASE_FIXTURE(Fixture, "types that do not fit are named") {
  Tensor wide = Tensor::empty<double>(context, {8, 5}), integers = Tensor::empty<int32_t>(context, {8, 5});
  expect(chord_product(pattern.get(), w.get(), wide.get(), z.get(), 0), CHORD_ERROR_INVALID_TYPE,
         "v is float64, but w is float32");
  expect(chord_product(pattern.get(), w.get(), v.get(), integers.get(), 0), CHORD_ERROR_INVALID_TYPE, "z is int32");
  chord_tensor* out = nullptr;
  const int64_t shape[] = {2};
  expect(chord_tensor_create(context.get(), 9, 1, shape, &out), CHORD_ERROR_INVALID_TYPE, "type is 9");
  expect(chord_tensor_fill(integers.get(), 3e9), CHORD_ERROR_INVALID_ARGUMENT, "does not fit into int32");
  expect(chord_tensor_fill(integers.get(), 0.5), CHORD_ERROR_INVALID_ARGUMENT, "0.5 is not whole");
  expect(chord_tensor_fill(integers.get(), std::numeric_limits<double>::quiet_NaN()), CHORD_ERROR_INVALID_ARGUMENT,
         "nan");
  expect(chord_product(pattern.get(), w.get(), v.get(), z.get(), 2), CHORD_ERROR_INVALID_ARGUMENT, "accumulate is 2");
}

TEST_CASE_FIXTURE(Fixture, "sizes that overflow or cannot be had are refused before anything is allocated") {
  const auto before = context.memory();
  chord_tensor* out = nullptr;
  const int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40}, large[] = {int64_t(1) << 45}, negative[] = {-1};
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 2, huge, &out), CHORD_ERROR_TOO_LARGE, "overflows");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, large, &out), CHORD_ERROR_OUT_OF_MEMORY, "available");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, negative, &out), CHORD_ERROR_INVALID_SHAPE, "negative");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 9, huge, &out), CHORD_ERROR_INVALID_SHAPE,
         "0 to 8 dimensions");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, -1, huge, &out), CHORD_ERROR_INVALID_SHAPE, "dimensions");
  const int64_t empty[] = {0, int64_t(1) << 62, int64_t(1) << 62}, wide[] = {int64_t(1) << 61, 0};
  expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 3, empty, &out), CHORD_ERROR_TOO_LARGE, "overflows");
  expect(chord_tensor_create(context.get(), CHORD_FLOAT64, 2, wide, &out), CHORD_ERROR_TOO_LARGE, "overflows");
  const int64_t shape[] = {8, 5}, far[] = {int64_t(1) << 62, 1};
  expect(chord_tensor_view(v.get(), 2, shape, far, 0, &out), CHORD_ERROR_TOO_LARGE, "overflows");
  expect(chord_tensor_view(v.get(), 2, shape, nullptr, 1, &out), CHORD_ERROR_INVALID_SHAPE, "reaches bytes 4 to 164");
  expect(chord_tensor_view(v.get(), 2, shape, nullptr, -1, &out), CHORD_ERROR_INVALID_SHAPE, "reaches bytes -4");
  CHECK(out == nullptr);
  CHECK(context.memory().reserved_bytes == before.reserved_bytes);
}

TEST_CASE("every device says when it is out of memory") {
  on_every_device([](Context& context) {
    chord_tensor* out = nullptr;
    const int64_t shape[] = {int64_t(1) << 44};
    expect(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, shape, &out), CHORD_ERROR_OUT_OF_MEMORY, "out of");
    CHECK(Tensor::from<float>(context, {1}, {2.0f}).to_host<float>() == std::vector<float>{2});
  });
}

TEST_CASE_FIXTURE(Fixture, "patterns that make no sense are refused") {
  chord_pattern* out = nullptr;
  expect(chord_pattern_create_chord(context.get(), 0, 2, 0, &out), CHORD_ERROR_INVALID_ARGUMENT, "n ≥ 1");
  expect(chord_pattern_create_chord(context.get(), int64_t(1) << 40, 2, 0, &out), CHORD_ERROR_TOO_LARGE, "at most");
  expect(chord_pattern_create_chord(context.get(), 8, 1, 0, &out), CHORD_ERROR_INVALID_ARGUMENT, "base ≥ 2");
  expect(chord_pattern_create_chord(context.get(), 8, 2, -1, &out), CHORD_ERROR_INVALID_ARGUMENT, "links, not -1");
  const int64_t offset = 1;
  expect(chord_pattern_create_custom(context.get(), 8, 0, &offset, &out), CHORD_ERROR_INVALID_ARGUMENT, "links, not 0");
  expect(chord_pattern_create_custom(context.get(), 8, int64_t(1) << 60, &offset, &out), CHORD_ERROR_INVALID_ARGUMENT,
         "links");
  int64_t offsets[3];
  expect(chord_pattern_get_offsets(pattern.get(), offsets, 3), CHORD_ERROR_INVALID_ARGUMENT, "has 4 offsets");
}

TEST_CASE_FIXTURE(Fixture, "an output may not share memory with an input") {
  expect(chord_product(pattern.get(), w.get(), v.get(), v.get(), 0), CHORD_ERROR_INVALID_ARGUMENT,
         "z shares memory with v");
  const Tensor both = Tensor::empty<float>(context, {16, 5});
  const Tensor low = both.view({8, 5}, {5, 1}), high = both.view({8, 5}, {5, 1}, 20);
  expect(chord_product(pattern.get(), w.get(), low.get(), high.get(), 0), CHORD_ERROR_INVALID_ARGUMENT,
         "shares memory");
  const Tensor apart = both.view({8, 5}, {5, 1}, 40);
  CHECK(chord_product(pattern.get(), w.get(), low.get(), apart.get(), 0) == CHORD_SUCCESS);
  const Tensor wide = Tensor::empty<float>(context, {2, 8, 10}), batch_w = Tensor::empty<float>(context, {2, 8, 4});
  const Tensor left = wide.view({2, 8, 5}, {80, 10, 1}), right = wide.view({2, 8, 5}, {80, 10, 1}, 5),
               middle = wide.view({2, 8, 5}, {80, 10, 1}, 4);
  CHECK(chord_product(pattern.get(), batch_w.get(), left.get(), right.get(), 0) == CHORD_SUCCESS);
  expect(chord_product(pattern.get(), batch_w.get(), left.get(), middle.get(), 0), CHORD_ERROR_INVALID_ARGUMENT,
         "shares memory");
}

TEST_CASE_FIXTURE(Fixture, "a repetition can be read but not written") {
  const Tensor row = Tensor::empty<float>(context, {5}), repeated = row.view({8, 5}, {0, 1}),
               skewed = v.view({8, 3}, {2, 1});
  CHECK(chord_product(pattern.get(), w.get(), repeated.get(), z.get(), 0) == CHORD_SUCCESS);
  expect(chord_product(pattern.get(), w.get(), v.get(), repeated.get(), 0), CHORD_ERROR_INVALID_ARGUMENT,
         "share memory");
  expect(chord_tensor_fill(repeated.get(), 1), CHORD_ERROR_INVALID_ARGUMENT, "share memory");
  expect(chord_tensor_fill(skewed.get(), 1), CHORD_ERROR_INVALID_ARGUMENT, "share memory");
  expect(chord_tensor_copy(z.get(), repeated.get()), CHORD_ERROR_INVALID_ARGUMENT, "share memory");
  const float data[40] = {};
  expect(chord_tensor_from_host(repeated.get(), data, sizeof data), CHORD_ERROR_INVALID_ARGUMENT, "share memory");
}

TEST_CASE_FIXTURE(Fixture, "objects of different contexts do not mix") {
  Context other("host");
  Tensor foreign = Tensor::empty<float>(other, {8, 5});
  expect(chord_product(pattern.get(), w.get(), v.get(), foreign.get(), 0), CHORD_ERROR_CONTEXT_MISMATCH,
         "z and the pattern");
  expect(chord_tensor_copy(v.get(), foreign.get()), CHORD_ERROR_CONTEXT_MISMATCH, "different contexts");
}

TEST_CASE("a device that is not there is named, with those that are") {
  chord_context* out = nullptr;
  expect(chord_context_create("quantum:3", &out), CHORD_ERROR_NO_SUCH_DEVICE,
         "no device 'quantum:3' here; there are: host");
  expect(chord_context_create("cuda:99", &out), CHORD_ERROR_NO_SUCH_DEVICE, "no device 'cuda:99'");
  CHECK(out == nullptr);
}

TEST_CASE("CHORD_DEVICE decides what auto means") {
  setenv("CHORD_DEVICE", "host", 1);
  CHECK(std::string(Context("auto").device().selector) == "host");
  setenv("CHORD_DEVICE", "nonsense", 1);
  chord_context* out = nullptr;
  expect(chord_context_create(nullptr, &out), CHORD_ERROR_NO_SUCH_DEVICE,
         "the environment's CHORD_DEVICE: no device 'nonsense'");
  unsetenv("CHORD_DEVICE");
}

TEST_CASE_FIXTURE(Fixture,
                  "structs of other versions: too small is refused, larger must be zero beyond what is known") {
  chord_memory_info info{};
  expect(chord_context_get_memory(context.get(), &info), CHORD_ERROR_INVALID_ARGUMENT, "struct_size is 0");
  struct {
    chord_memory_info known;
    uint64_t future;
  } larger;
  std::memset(&larger, 0, sizeof larger);
  larger.known.struct_size = sizeof larger;
  CHECK(chord_context_get_memory(context.get(), &larger.known) == CHORD_SUCCESS);
  CHECK(larger.known.struct_size == sizeof larger);
  CHECK(larger.known.bytes_in_use > 0);
  larger.known.struct_size = std::size_t(1) << 40;
  expect(chord_context_get_memory(context.get(), &larger.known), CHORD_ERROR_INVALID_ARGUMENT,
         "struct_size is 1099511627776");
  larger.known.struct_size = sizeof larger;
  larger.future = 1;
  expect(chord_context_get_memory(context.get(), &larger.known), CHORD_ERROR_UNSUPPORTED, "does not know");
  chord_device_info device{};
  device.struct_size = sizeof device;
  expect(chord_device_get_info(1000, &device), CHORD_ERROR_INVALID_ARGUMENT, "index is 1000");
}
