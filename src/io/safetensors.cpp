#include "io/safetensors.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "common/file.hpp"
#include "common/memory.hpp"
#include "common/size.hpp"
#include "io/excerpt.hpp"
#include "io/json.hpp"
#include "io/numbers.hpp"

namespace chord {
namespace {

constexpr std::size_t prefix_bytes = 8;              // the header's length
constexpr std::size_t longest_header = 100'000'000;  // the format's own limit
constexpr const char* metadata_key = "__metadata__";

struct Dtype {
  std::string_view name;
  std::int64_t bits;
  std::optional<NumberType> number;  ///< where its values can be float64
};

constexpr Dtype dtypes[] = {
    {"BOOL", 8, NumberType::boolean},
    {"F4", 4, {}},
    {"F6_E2M3", 6, {}},
    {"F6_E3M2", 6, {}},
    {"U8", 8, NumberType::uint8},
    {"I8", 8, NumberType::int8},
    {"F8_E5M2", 8, {}},
    {"F8_E4M3", 8, {}},
    {"F8_E8M0", 8, {}},
    {"I16", 16, NumberType::int16},
    {"U16", 16, NumberType::uint16},
    {"F16", 16, NumberType::float16},
    {"BF16", 16, NumberType::bfloat16},
    {"I32", 32, NumberType::int32},
    {"U32", 32, NumberType::uint32},
    {"F32", 32, NumberType::float32},
    {"C64", 64, {}},
    {"F64", 64, NumberType::float64},
    {"I64", 64, NumberType::int64},
    {"U64", 64, NumberType::uint64},
};

const Dtype& dtype_of(const std::string& name) {
  for (const Dtype& each : dtypes)
    if (each.name == name) return each;
  fail(Status::invalid_type, "the dtype is ", excerpt(name), "; expected F32, F64, I64 or another of the format's");
}

std::int64_t elements_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) fail(Status::invalid_shape, "an extent is ", extent, "; expected 0 or more");
    count = checked_multiply(count, extent);
  }
  return count;
}

void expect_size(const StoredTensor& tensor) {
  const std::int64_t bits = checked_multiply(elements_of(tensor.shape), dtype_of(tensor.dtype).bits);
  if (bits % 8 != 0 || std::int64_t(tensor.data.size()) != bits / 8)
    fail(Status::invalid_argument, "has ", tensor.data.size(), " bytes; expected ", bits, " bits for ",
         describe(tensor));
}

Json parse_header(std::string_view header) {
  expect_memory(parsed_json_bytes(header.size()));
  if (header.substr(0, 1) != "{")
    fail(Status::invalid_file, "the header begins with ", excerpt(header.substr(0, 1)), "; expected {");
  constexpr int deepest = 3;  // {"name": {"shape": []}}
  return parse_json(header, "the header", deepest);
}

template <class Kind>
const Kind& member(const Json& tensor, const char* key, const char* kind) {
  const Json* const found = tensor.find(key);
  const Kind* const value = found ? found->as<Kind>() : nullptr;
  if (!value) fail(Status::invalid_file, "expected ", key, " as a JSON ", kind);
  return *value;
}

std::vector<std::int64_t> integers(const Json& tensor, const char* key) {
  std::vector<std::int64_t> result;
  for (const Json& each : member<Json::Array>(tensor, key, "array")) {
    const auto* const number = each.as<std::int64_t>();
    if (!number || *number < 0) fail(Status::invalid_file, "expected integers from 0 to 2^63 - 1 in ", key);
    result.push_back(*number);
  }
  return result;
}

StoredTensor parse_tensor(const std::string& name, const Json& entry, std::string_view buffer) {
  const auto* const members = entry.as<Json::Object>();
  if (!members) fail(Status::invalid_file, "is a JSON ", entry.kind_name(), "; expected an object");
  if (members->size() != 3) fail(Status::invalid_file, "expected dtype, shape and data_offsets, and nothing else");
  StoredTensor tensor;
  tensor.name = name;
  tensor.dtype = member<std::string>(entry, "dtype", "string");
  tensor.shape = integers(entry, "shape");
  const std::vector<std::int64_t> offsets = integers(entry, "data_offsets");
  if (offsets.size() != 2) fail(Status::invalid_file, offsets.size(), " data_offsets; expected begin and end");
  const std::int64_t begin = offsets[0], end = offsets[1], size = std::int64_t(buffer.size());
  if (begin > end || end > size)
    fail(Status::invalid_file, "data_offsets are ", begin, " to ", end, "; expected a range within the ", size,
         " bytes of data");
  tensor.data = buffer.substr(std::size_t(begin), std::size_t(end - begin));
  expect_size(tensor);
  return tensor;
}

Metadata parse_metadata(const Json& entry) {
  const auto* const members = entry.as<Json::Object>();
  if (!members) fail(Status::invalid_file, metadata_key, " is a JSON ", entry.kind_name(), "; expected an object");
  Metadata metadata;
  for (const auto& [key, value] : *members) {
    const auto* const found = value.as<std::string>();
    if (!found)
      fail(Status::invalid_file, metadata_key, ": ", excerpt(key), " is a JSON ", value.kind_name(),
           "; expected a string");
    metadata.emplace(key, *found);
  }
  return metadata;
}

/// Each byte of the buffer belongs to one tensor.
void expect_contiguous(const std::vector<StoredTensor>& tensors, std::string_view buffer) {
  const char* end = buffer.data();
  for (const StoredTensor& each : tensors) {
    if (each.data.data() != end)
      fail(Status::invalid_file, "tensor ", excerpt(each.name), " begins at byte ", each.data.data() - buffer.data(),
           " of the data; expected ", end - buffer.data(), ", without overlaps and holes");
    end += each.data.size();
  }
  if (end != buffer.data() + buffer.size())
    fail(Status::invalid_file, "the tensors end at byte ", end - buffer.data(), " of the data; expected ",
         buffer.size());
}

template <class Body>
auto in_tensor(const std::string& name, Body body) {
  try {
    return body();
  } catch (const Error& error) {
    fail(error.status(), "tensor ", excerpt(name), ": ", error.what());
  }
}

}  // namespace

std::string describe(const StoredTensor& tensor) {
  std::string result = text(excerpt(tensor.name), " ", tensor.dtype, " [");
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(tensor.shape.size(), most); ++i)
    result += text(i > 0 ? ", " : "", tensor.shape[i]);
  return result + (tensor.shape.size() > most ? ", …]" : "]");
}

std::string describe(const std::vector<StoredTensor>& tensors) {
  constexpr std::size_t most = 20;
  if (tensors.empty()) return "none";
  std::string result;
  for (std::size_t i = 0; i < std::min(tensors.size(), most); ++i) result += (i > 0 ? ", " : "") + describe(tensors[i]);
  return tensors.size() > most ? text(result, " and ", tensors.size() - most, " more") : result;
}

std::vector<double> to_float64(const StoredTensor& tensor) {
  const Dtype& dtype = dtype_of(tensor.dtype);
  if (!dtype.number)
    fail(Status::invalid_type, "tensor ", describe(tensor), "; expected BOOL, integers, F16, BF16, F32 or F64");
  const std::int64_t count = elements_of(tensor.shape);
  expect_memory(std::size_t(checked_multiply(count, sizeof(double))));
  std::vector<double> values(static_cast<std::size_t>(count));
  to_float64(*dtype.number, ByteOrder::little, tensor.data.data(), count, values.data());
  return values;
}

Safetensors Safetensors::read(const std::string& path) {
  std::string content = read_file(path);
  return in_file(path, [&] { return Safetensors(std::move(content)); });
}

Safetensors::Safetensors(std::string content) : content_(std::make_shared<const std::string>(std::move(content))) {
  std::string_view rest = *content_;
  if (rest.size() < prefix_bytes) fail(Status::invalid_file, "the safetensors file ends within its first 8 bytes");
  const auto length = load<std::uint64_t>(rest.data(), ByteOrder::little);
  rest.remove_prefix(prefix_bytes);
  if (length > std::min(rest.size(), longest_header))
    fail(Status::invalid_file, "the safetensors header has ", length, " bytes; expected at most ",
         std::min(rest.size(), longest_header), ": the file is cut off, or is no safetensors file");
  const Json header = parse_header(rest.substr(0, length));
  const std::string_view buffer = rest.substr(length);
  for (const auto& [key, entry] : std::get<Json::Object>(header.value)) {
    if (key == metadata_key)
      metadata_ = parse_metadata(entry);
    else
      tensors_.push_back(
          in_tensor(key, [&, &name = key, &value = entry] { return parse_tensor(name, value, buffer); }));
  }
  std::stable_sort(tensors_.begin(), tensors_.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.data.data(), a.data.size()) < std::pair(b.data.data(), b.data.size());
  });
  expect_contiguous(tensors_, buffer);
  by_name_.resize(tensors_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t(0));
  std::sort(by_name_.begin(), by_name_.end(),
            [&](std::size_t a, std::size_t b) { return tensors_[a].name < tensors_[b].name; });
}

const StoredTensor* Safetensors::find(std::string_view name) const {
  const auto found =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](std::size_t place, std::string_view wanted) { return tensors_[place].name < wanted; });
  return found != by_name_.end() && tensors_[*found].name == name ? &tensors_[*found] : nullptr;
}

const StoredTensor& Safetensors::tensor(std::string_view name) const {
  if (const StoredTensor* const found = find(name)) return *found;
  fail(Status::invalid_file, "there is no tensor ", excerpt(name), "; there are: ", describe(tensors_));
}

namespace {

void expect_writable(const std::vector<StoredTensor>& tensors) {
  std::set<std::string> names;
  for (const StoredTensor& each : tensors) {
    const auto written = {"F32", "F64", "I32", "I64"};
    if (std::find(written.begin(), written.end(), each.dtype) == written.end())
      fail(Status::invalid_type, "tensor ", describe(each), "; F32, F64, I32 and I64 can be written");
    if (each.name == metadata_key || !names.insert(each.name).second)
      fail(Status::invalid_argument, "tensor ", describe(each), "; expected names that differ, and none ",
           metadata_key);
    in_tensor(each.name, [&] { expect_size(each); });
  }
}

/// With its length before it, and blanks behind it, so that the data begin at a multiple of eight bytes.
std::string framed(std::string header) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string length;
  for (std::size_t i = 0; i < prefix_bytes; ++i) length += static_cast<char>(header.size() >> (8 * i) & 255);
  return length + header;
}

std::string json_of(const StoredTensor& tensor, std::size_t begin) {
  return json_object({{"dtype", json_string(tensor.dtype)},
                      {"shape", json_integers(tensor.shape)},
                      {"data_offsets", json_integers(std::initializer_list{begin, begin + tensor.data.size()})}});
}

std::string json_of(const Metadata& metadata) {
  std::vector<std::pair<std::string_view, std::string>> members;
  for (const auto& [key, value] : metadata) members.emplace_back(key, json_string(value));
  return json_object(members);
}

}  // namespace

void write_safetensors(const std::string& path, const std::vector<StoredTensor>& tensors, const Metadata& metadata) {
  expect_writable(tensors);
  std::vector<const StoredTensor*> by_width;
  for (const StoredTensor& each : tensors) by_width.push_back(&each);
  std::stable_sort(by_width.begin(), by_width.end(), [](const StoredTensor* a, const StoredTensor* b) {
    return dtype_of(a->dtype).bits > dtype_of(b->dtype).bits;
  });
  std::map<std::string, std::size_t> begins;
  std::size_t end = 0;
  for (const StoredTensor* each : by_width) {
    begins[each->name] = end;
    end += each->data.size();
  }

  std::vector<std::pair<std::string_view, std::string>> header;
  if (!metadata.empty()) header.emplace_back(metadata_key, json_of(metadata));
  for (const StoredTensor& each : tensors) header.emplace_back(each.name, json_of(each, begins[each.name]));
  const std::string beginning = framed(json_object(header));
  std::vector<std::string_view> parts = {beginning};
  for (const StoredTensor* each : by_width) parts.push_back(each->data);
  write_atomically(path, parts);
}

}  // namespace chord
