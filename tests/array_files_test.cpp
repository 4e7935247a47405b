#include "files.hpp"
#include "support.hpp"

using namespace testing;
using files::bytes;

namespace {

Shape shape_of(const Tensor& tensor) {
  const chord_tensor_info info = tensor.info();
  return Shape(info.shape, info.shape + info.rank);
}

struct Fixture {
  Context context{"host"};
  files::Folder folder;
  std::string path = folder / "array.npy";

  Tensor read(const std::string& content) {
    files::save(path, content);
    return chord::read_npy(context, path);
  }
  chord_status refused(const std::string& content) {
    files::save(path, content);
    chord_tensor* out = nullptr;
    const chord_status status = chord_tensor_read_npy(context.get(), path.c_str(), &out);
    CHECK(out == nullptr);
    return status;
  }
};

const Shape shapes[] = {{}, {1}, {5}, {0}, {2, 3}, {3, 0, 2}, {1, 1, 1, 1}, {2, 3, 4, 5}, {2, 1, 2, 1, 2, 1, 2, 3}};

template <class T>
std::vector<T> numbers(const Shape& shape) {
  std::size_t count = 1;
  for (const int64_t extent : shape) count *= std::size_t(extent);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(T(i) * T(12345) - T(54321));
  return values;
}

template <class T>
void check_round_trip(Context& context, const std::string& path) {
  for (const Shape& shape : shapes) {
    const std::vector<T> values = numbers<T>(shape);
    chord::write_npy(Tensor::from<T>(context, shape, values), path);
    CHECK(std::filesystem::file_size(path) == 128 + values.size() * sizeof(T));
    const Tensor back = chord::read_npy(context, path);
    CHECK(shape_of(back) == shape);
    CHECK(back.to_host<T>() == values);
  }
}

}  // namespace

TEST_CASE("npy: every type and rank survives, on every device") {
  const files::Folder folder;
  on_every_device([&](Context& context) {
    check_round_trip<float>(context, folder / "f4");
    check_round_trip<double>(context, folder / "f8");
    check_round_trip<int32_t>(context, folder / "i4");
    check_round_trip<int64_t>(context, folder / "i8");
  });
}

TEST_CASE_FIXTURE(Fixture, "npy: written byte for byte as NumPy does") {
  chord::write_npy(Tensor::from<double>(context, {2, 1}, {1, 2}), path);
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }";
  CHECK(files::content_of(path) ==
        files::npy_with_header(header + std::string(117 - header.size(), ' ') + "\n", bytes<double>({1, 2})));
  chord::write_npy(Tensor::from<int32_t>(context, {3}, {7, 8, 9}), path);
  CHECK(files::content_of(path).find("'<i4', 'fortran_order': False, 'shape': (3,), }") != std::string::npos);
  chord::write_npy(Tensor::from<float>(context, {}, {7}), path);
  CHECK(files::content_of(path).find("'shape': (), }") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "npy: a view is written row by row") {
  const Tensor matrix = Tensor::from<int32_t>(context, {2, 3}, {1, 2, 3, 4, 5, 6});
  chord::write_npy(matrix.view({3, 2}, {1, 3}), path);
  const Tensor back = chord::read_npy(context, path);
  CHECK(shape_of(back) == Shape{3, 2});
  CHECK(back.to_host<int32_t>() == std::vector<int32_t>{1, 4, 2, 5, 3, 6});
  const int64_t shape[] = {int64_t(1) << 40}, strides[] = {0};
  chord_tensor* view = nullptr;
  chord::check(chord_tensor_view(matrix.get(), 1, shape, strides, 0, &view));
  const Tensor repetition(view);
  expect(chord_tensor_write_npy(view, path.c_str()), CHORD_ERROR_OUT_OF_MEMORY, "available");
}

TEST_CASE_FIXTURE(Fixture, "npy: both byte orders, both memory orders, all versions") {
  const std::vector<int64_t> values = {1, -2, int64_t(1) << 60, 4, 5, 6};
  const std::string data = bytes(values);
  for (const int version : {1, 2, 3})
    CHECK(read(files::npy("<i8", "(6,)", data, version)).to_host<int64_t>() == values);
  CHECK(read(files::npy(">i8", "(6,)", files::reversed(data, 8))).to_host<int64_t>() == values);
  CHECK(read(files::npy(">f4", "(2,)", files::reversed(bytes<float>({1.5f, -2}), 4))).to_host<float>() ==
        std::vector<float>{1.5f, -2});
  CHECK(read(files::npy("<i8", "(6,)", data, 1, "True")).to_host<int64_t>() == values);
  const Tensor matrix = read(files::npy("<i8", "(2, 3)", data, 1, "True"));
  CHECK(matrix.to_host<int64_t>() ==
        std::vector<int64_t>{values[0], values[2], values[4], values[1], values[3], values[5]});
  CHECK(matrix.info().strides[0] == 3);
  CHECK(read(files::npy("<f8", "()", bytes<double>({3}), 1, "True")).to_host<double>() == std::vector<double>{3});
  CHECK(shape_of(read(files::npy("<f8", "(3, 0, 2)", "", 1, "True"))) == Shape{3, 0, 2});

  const Shape shape = {2, 3, 4, 1, 2};  // first index fastest
  std::vector<int32_t> columns(48), expected;
  for (int i = 0; i < 48; ++i) columns[i] = i;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 4; ++c)
        for (int e = 0; e < 2; ++e) expected.push_back(a + 2 * (b + 3 * (c + 4 * e)));
  CHECK(read(files::npy("<i4", "(2, 3, 4, 1, 2)", bytes(columns), 1, "True")).to_host<int32_t>() == expected);
}

TEST_CASE_FIXTURE(Fixture, "npy: files that are missing or wrong") {
  chord_tensor* out = nullptr;
  const std::string data = bytes<float>({1, 2, 3, 4});
  expect(chord_tensor_read_npy(context.get(), "/nowhere/at all", &out), CHORD_ERROR_IO_FAILURE,
         "/nowhere/at all: cannot open: No such file");
  expect(refused(""), CHORD_ERROR_INVALID_FILE, path + ": the npy file ends within its first 8 bytes");
  expect(refused("a text"), CHORD_ERROR_INVALID_FILE, path + ": is no npy file: it begins with 'a text'");
  expect(refused("a longer text, which is no array"), CHORD_ERROR_INVALID_FILE, "npy");
  expect(refused(files::npy("<f2", "(8,)", data)), CHORD_ERROR_INVALID_FILE, "expected f4, f8, i4 or i8");
  expect(refused(files::npy("|u1", "(16,)", data)), CHORD_ERROR_INVALID_FILE, "expected f4, f8, i4 or i8");
  expect(refused(files::npy("<c8", "(2,)", data)), CHORD_ERROR_INVALID_FILE, "the type is '<c8' (complex numbers)");
  expect(refused(files::npy("<f4", "(5,)", data)), CHORD_ERROR_INVALID_FILE,
         "16 bytes of data; expected 20 for shape '(5,)'");
  expect(refused(files::npy("<f4", "(3,)", data)), CHORD_ERROR_INVALID_FILE, "expected 12");
  expect(refused(files::npy("<f4", "()", data)), CHORD_ERROR_INVALID_FILE, "expected 4 for shape '()'");
  expect(refused(files::npy("<f4", "(0, 4)", data)), CHORD_ERROR_INVALID_FILE, "expected 0");
  expect(refused(files::npy("<f4", "(25000000000,)", data)), CHORD_ERROR_INVALID_FILE, "expected 100000000000");
  expect(refused(files::npy("<f4", "(9223372036854775807,)", data)), CHORD_ERROR_INVALID_FILE, "overflows");
  expect(refused(files::npy("<f4", "(4294967296, 4294967296)", data)), CHORD_ERROR_INVALID_FILE, "overflows");
  expect(refused(files::npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 4)", data)), CHORD_ERROR_INVALID_FILE,
         path + ": a tensor has 0 to 8 dimensions, not 9");
  std::string ones = "(4";
  for (int i = 0; i < 10000; ++i) ones += ", 1";
  expect(refused(files::npy("<f4", ones + ")", data)), CHORD_ERROR_INVALID_FILE, "0 to 8 dimensions");
}

TEST_CASE_FIXTURE(Fixture, "npy: an empty array may claim other extents, as long as they can be counted") {
  CHECK(shape_of(read(files::npy("<f4", "(1000000000000, 0)", ""))) == Shape{1000000000000, 0});
  expect(refused(files::npy("<f4", "(4294967296, 4294967296, 0)", "")), CHORD_ERROR_INVALID_FILE, "overflows");
}

TEST_CASE_FIXTURE(Fixture, "npy: arguments are checked, and a file that cannot be written stays") {
  const Tensor tensor = Tensor::from<float>(context, {2}, {1, 2});
  chord_tensor* out = nullptr;
  expect(chord_tensor_read_npy(nullptr, "x", &out), CHORD_ERROR_INVALID_HANDLE, "expected a context");
  expect(chord_tensor_read_npy(context.get(), nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "path is NULL");
  expect(chord_tensor_read_npy(context.get(), "x", nullptr), CHORD_ERROR_INVALID_ARGUMENT, "tensor is NULL");
  expect(chord_tensor_write_npy(nullptr, "x"), CHORD_ERROR_INVALID_HANDLE, "expected a tensor");
  expect(chord_tensor_write_npy(tensor.get(), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "path is NULL");
  expect(chord_tensor_write_npy(tensor.get(), "/nowhere/x"), CHORD_ERROR_IO_FAILURE, "/nowhere/x");
  expect(chord_tensor_write_npy(tensor.get(), folder.path().c_str()), CHORD_ERROR_IO_FAILURE, "is a directory");
  CHECK(out == nullptr);
  CHECK(folder.entries() == 0);
}

TEST_CASE_FIXTURE(Fixture, "npy: a file that ends early or has a wrong byte does no harm") {
  const std::string good[] = {files::npy("<f8", "(2, 3)", bytes<double>({1, 2, 3, 4, 5, 6})),
                              files::npy(">i4", "(2, 1, 2)", bytes<int32_t>({1, 2, 3, 4}), 2, "True")};
  int tensors = 0, errors = 0;
  for (const std::string& content : good) {
    for (std::size_t length = 0; length < content.size(); ++length)
      CHECK(refused(content.substr(0, length)) == CHORD_ERROR_INVALID_FILE);
    for (std::size_t at = 0; at < content.size(); ++at)
      for (const int change : {0x01, 0x02, 0x10, 0x20, 0x80, 0xff}) {
        std::string changed = content;
        changed[at] = char(changed[at] ^ change);
        files::save(path, changed);
        chord_tensor* out = nullptr;
        const chord_status status = chord_tensor_read_npy(context.get(), path.c_str(), &out);
        CHECK((status == CHORD_SUCCESS || status == CHORD_ERROR_INVALID_FILE));
        ++(out ? tensors : errors);
        if (out) CHECK(chord_tensor_destroy(out) == CHORD_SUCCESS);
      }
  }
  CHECK(errors > 0);
  CHECK(tensors > 0);  // a changed number is a number
}

TEST_CASE_FIXTURE(Fixture, "npy: written piece by piece, the file is that of a tensor") {
  const std::vector<int32_t> values = numbers<int32_t>({4, 3});
  chord::write_npy(Tensor::from<int32_t>(context, {4, 3}, values), path);
  const std::string whole = files::content_of(path), pieces = folder / "pieces.npy";
  files::save(pieces, "old");
  {
    chord::NpyWriter writer(pieces, CHORD_INT32, {4, 3});
    writer.write(values.data(), 20);
    expect(chord_npy_writer_commit(writer.get()), CHORD_ERROR_INVALID_ARGUMENT,
           "28 bytes of the array are not written");
    expect(chord_npy_writer_write(writer.get(), values.data(), 29), CHORD_ERROR_INVALID_ARGUMENT, "29 bytes are more");
    CHECK(files::content_of(pieces) == "old");
    writer.write(values.data() + 5, 28);
    writer.commit();
  }
  CHECK(files::content_of(pieces) == whole);
  {
    chord::NpyWriter(pieces, CHORD_FLOAT32, {1}).write(values.data(), 4);
  }
  CHECK(files::content_of(pieces) == whole);
  CHECK(folder.entries() == 2);
}

TEST_CASE_FIXTURE(Fixture, "npy: a writer's arguments are checked") {
  chord_npy_writer* writer = nullptr;
  const int64_t extents[] = {2, -1};
  expect(chord_npy_writer_create(nullptr, CHORD_INT32, 1, extents, &writer), CHORD_ERROR_INVALID_ARGUMENT, "path");
  expect(chord_npy_writer_create(path.c_str(), 9, 1, extents, &writer), CHORD_ERROR_INVALID_TYPE, "type is 9");
  CHECK(chord_npy_writer_create(path.c_str(), CHORD_INT32, 2, extents, &writer) != CHORD_SUCCESS);
  expect(chord_npy_writer_create((folder / "no/such").c_str(), CHORD_INT32, 1, extents, &writer),
         CHORD_ERROR_IO_FAILURE, "no/such");
  expect(chord_npy_writer_write(nullptr, extents, 4), CHORD_ERROR_INVALID_HANDLE, "writer");
  CHECK(writer == nullptr);
  CHECK(folder.entries() == 0);
}

TEST_CASE_FIXTURE(Fixture, "a file is written as a whole or not at all") {
  const std::string content("a\0b", 3);
  chord::write_file(path, content);
  CHECK(files::content_of(path) == content);
  expect(chord_write_file(folder.path().c_str(), "x", 1), CHORD_ERROR_IO_FAILURE, "is a directory");
  expect(chord_write_file((folder / "no/such").c_str(), "x", 1), CHORD_ERROR_IO_FAILURE, "No such file");
  expect(chord_write_file(path.c_str(), nullptr, 1), CHORD_ERROR_INVALID_ARGUMENT, "data is NULL");
  expect(chord_write_file(nullptr, "x", 1), CHORD_ERROR_INVALID_ARGUMENT, "path is NULL");
  CHECK(files::content_of(path) == content);
  CHECK(chord_write_file(path.c_str(), nullptr, 0) == CHORD_SUCCESS);
  CHECK(files::content_of(path).empty());
  CHECK(folder.entries() == 1);
}
