#include "io/safetensors.hpp"

#include <doctest/doctest.h>

#include "common/error.hpp"
#include "files.hpp"

using chord::Safetensors;
using chord::Status;
using chord::StoredTensor;
using chord::write_safetensors;
using files::bytes;
using files::Folder;

namespace {

template <class Body>
void expect_error(Status status, const std::string& part, Body body) {
  try {
    body();
    FAIL("no error; expected: " << part);
  } catch (const chord::Error& error) {
    CHECK(error.status() == status);
    const std::string message = error.what();
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
  }
}

}  // namespace

TEST_CASE("what is written can be read") {
  const Folder folder;
  const std::string path = folder / "model";
  const std::string floats = bytes<float>({1.5f, -2, 3}), doubles = bytes<double>({0.1, 1e300}),
                    integers = bytes<std::int32_t>({-7}), longs = bytes<std::int64_t>({1, 2, 3, 4});
  const chord::Metadata metadata = {{"name", "é\"\n"}, {"empty", ""}};
  write_safetensors(path,
                    {{"floats", "F32", {3, 1}, floats},
                     {"doubles", "F64", {2}, doubles},
                     {"one", "I32", {}, integers},
                     {"none", "F32", {0, 4}, {}},
                     {"longs", "I64", {2, 1, 2}, longs}},
                    metadata);
  const Safetensors file = Safetensors::read(path);
  CHECK(file.metadata() == metadata);
  REQUIRE(file.tensors().size() == 5);
  CHECK(file.tensor("floats").data == floats);
  CHECK(file.tensor("floats").dtype == "F32");
  CHECK(file.tensor("floats").shape == std::vector<std::int64_t>{3, 1});
  CHECK(file.tensor("doubles").data == doubles);
  CHECK(file.tensor("one").shape.empty());
  CHECK(file.tensor("none").data.empty());
  CHECK(to_float64(file.tensor("floats")) == std::vector<double>{1.5, -2, 3});
  CHECK(to_float64(file.tensor("doubles")) == std::vector<double>{0.1, 1e300});
  CHECK(to_float64(file.tensor("one")) == std::vector<double>{-7});
  CHECK(to_float64(file.tensor("longs")) == std::vector<double>{1, 2, 3, 4});

  const std::string content = files::content_of(path);
  const std::size_t header = content.find("\"floats\""), data = content.size() - 12 - 16 - 4 - 32;
  CHECK(header < content.find("\"doubles\""));
  CHECK(content.find("\"doubles\"") < content.find("\"longs\""));
  CHECK(data % 8 == 0);
  CHECK(content.substr(data, 16) == doubles);  // the widest first
}

TEST_CASE("a file without tensors") {
  const Folder folder;
  write_safetensors(folder / "file", {});
  CHECK(Safetensors::read(folder / "file").tensors().empty());
  expect_error(Status::invalid_file, "there is no tensor 'a'; there are: none",
               [&] { Safetensors::read(folder / "file").tensor("a"); });
}

TEST_CASE("copies look at the same bytes") {
  auto first = std::make_unique<Safetensors>(
      files::safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x"));
  const Safetensors second = *first;
  first.reset();
  CHECK(second.tensor("a").data == "x");
}

TEST_CASE("values of all types that are numbers, and no others") {
  const auto values = [](const std::string& dtype, const std::string& data) {
    return to_float64(StoredTensor{"a", dtype, {2}, data});
  };
  using Values = std::vector<double>;
  CHECK(values("BOOL", bytes<std::uint8_t>({0, 1})) == Values{0, 1});
  CHECK(values("U8", bytes<std::uint8_t>({0, 255})) == Values{0, 255});
  CHECK(values("I8", bytes<std::int8_t>({-1, 1})) == Values{-1, 1});
  CHECK(values("I16", bytes<std::int16_t>({-2, 300})) == Values{-2, 300});
  CHECK(values("U16", bytes<std::uint16_t>({2, 65535})) == Values{2, 65535});
  CHECK(values("U32", bytes<std::uint32_t>({2, 4294967295})) == Values{2, 4294967295});
  CHECK(values("U64", bytes<std::uint64_t>({2, 3})) == Values{2, 3});
  CHECK(values("F16", bytes<std::uint16_t>({0x3c00, 0x8001})) == Values{1, -5.9604644775390625e-08});
  CHECK(values("BF16", bytes<std::uint16_t>({0x3f80, 0xc040})) == Values{1, -3});
  expect_error(Status::invalid_type, "'a' F8_E4M3 [2]; expected BOOL", [&] { values("F8_E4M3", "xy"); });
}

TEST_CASE("a missing tensor is told with those that are there") {
  const Safetensors file(files::safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x"));
  expect_error(Status::invalid_file, "there is no tensor 'b'; there are: 'a' U8 [1]", [&] { file.tensor("b"); });
}

TEST_CASE("what makes no sense is not written, and the old file stays") {
  const Folder folder;
  const std::string path = folder / "file", data = bytes<float>({1, 2});
  files::save(path, "old");
  const StoredTensor good{"a", "F32", {2}, data};
  expect_error(Status::invalid_argument, "names that differ", [&] { write_safetensors(path, {good, good}); });
  expect_error(Status::invalid_argument, "none __metadata__",
               [&] { write_safetensors(path, {{"__metadata__", "F32", {2}, data}}); });
  expect_error(Status::invalid_type, "can be written", [&] { write_safetensors(path, {{"a", "F16", {4}, data}}); });
  expect_error(Status::invalid_argument, "has 8 bytes", [&] { write_safetensors(path, {{"a", "F32", {3}, data}}); });
  expect_error(Status::invalid_argument, "UTF-8", [&] { write_safetensors(path, {{"\xff", "F32", {2}, data}}); });
  CHECK(files::content_of(path) == "old");
  CHECK(folder.entries() == 1);
}
