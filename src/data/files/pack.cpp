#include "data/files/pack.hpp"

#include <zlib.h>

#include <algorithm>
#include <bitset>
#include <limits>
#include <numeric>

#include "common/file.hpp"
#include "common/memory.hpp"
#include "common/size.hpp"
#include "data/files/parallel.hpp"
#include "io/json.hpp"
#include "io/numbers.hpp"

namespace chord {
namespace {

constexpr std::string_view magic = "CHORDPAK";
constexpr std::size_t tail_bytes = 12;
constexpr std::int64_t block_bytes = std::int64_t(4) << 20;

std::uint32_t crc_of(std::string_view bytes) {
  return std::uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <class Unsigned>
void append_little(std::string& bytes, Unsigned number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes += char(number >> (8 * i) & 0xff);
}

std::string json_of(const PackHead& head) {
  return json_object({{"identity", json_string(head.identity)},
                      {"length", text(head.length)},
                      {"counts", json_integers(head.counts)},
                      {"values", json_integers(head.values)},
                      {"checksums", json_integers(head.checksums)}});
}

[[noreturn]] void fail_version() { fail(Status::invalid_file, "the head is of another version"); }

template <class Integer>
Integer integer_of(const Json& json) {
  const auto* const number = json.as<std::int64_t>();
  if (!number || *number < 0 || *number > std::int64_t(std::numeric_limits<Integer>::max())) fail_version();
  return Integer(*number);
}

template <class Integer>
std::vector<Integer> integers_of(const Json& json) {
  const auto* const array = json.as<Json::Array>();
  if (!array) fail_version();
  std::vector<Integer> numbers;
  for (const Json& each : *array) numbers.push_back(integer_of<Integer>(each));
  return numbers;
}

PackHead head_of(const Json& json) {
  const Json *identity = json.find("identity"), *length = json.find("length"), *counts = json.find("counts"),
             *values = json.find("values"), *checksums = json.find("checksums");
  if (!identity || !identity->as<std::string>() || !length || !counts || !values || !checksums) fail_version();
  PackHead head;
  head.identity = *identity->as<std::string>();
  head.length = integer_of<std::int32_t>(*length);
  const std::vector<std::int64_t> of_parts = integers_of<std::int64_t>(*counts);
  if (of_parts.size() != head.counts.size()) fail_version();
  std::copy(of_parts.begin(), of_parts.end(), head.counts.begin());
  std::accumulate(of_parts.begin(), of_parts.end(), std::int64_t(0), checked_add);
  head.values = integers_of<int>(*values);
  head.checksums = integers_of<std::uint32_t>(*checksums);
  return head;
}

/// A label is no token: it is not among the values.
using Values = std::bitset<256>;

Values values_of(std::string_view block, std::size_t record_bytes) {
  Values found;
  for (std::size_t start = 0; start < block.size(); start += record_bytes)
    for (const char each : block.substr(start + 1, record_bytes - 1)) found.set(static_cast<unsigned char>(each));
  return found;
}

void decode_block(const RecordSource& source, std::int64_t first, std::size_t record_bytes, std::string& block) {
  constexpr std::size_t at_a_time = 16;  // enough for a thread to be worth asking
  const std::size_t count = block.size() / record_bytes;
  for_each_in_parallel((count + at_a_time - 1) / at_a_time, [&](std::size_t piece) {
    const std::size_t end = std::min(count, (piece + 1) * at_a_time);
    for (std::size_t i = piece * at_a_time; i < end; ++i) {
      auto* const record = reinterpret_cast<std::uint8_t*>(block.data() + i * record_bytes);
      source.read(first + std::int64_t(i), record[0], record + 1);
    }
  });
}

/// The head of a file, which has to fit its size.
PackHead read_head(const OpenFile& file) {
  if (file.size() < magic.size() + tail_bytes) fail(Status::invalid_file, "is too short");
  char start[magic.size()], tail[tail_bytes];
  file.read(0, magic.size(), start);
  if (std::string_view(start, magic.size()) != magic) fail(Status::invalid_file, "is no pack");
  file.read(file.size() - tail_bytes, tail_bytes, tail);
  const auto size = load<std::uint64_t>(tail, ByteOrder::little);
  const std::size_t rest = file.size() - magic.size() - tail_bytes;
  if (size > rest) fail(Status::invalid_file, "the head does not fit");
  expect_memory(parsed_json_bytes(size));
  std::string bytes(size, '\0');
  file.read(file.size() - tail_bytes - size, size, bytes.data());
  if (crc_of(bytes) != load<std::uint32_t>(tail + 8, ByteOrder::little))
    fail(Status::invalid_file, "the head is damaged");
  const PackHead head = head_of(parse_json(bytes, "the head", 2));
  if (checked_multiply(total(head.counts), head.record_bytes()) != std::int64_t(rest - size))
    fail(Status::invalid_file, "the records do not fit");
  return head;
}

/// Reads the blocks beside the mapping, so that they do not count as this process's memory.
void check_blocks(const OpenFile& file, const PackHead& head) {
  const std::int64_t size = head.block_records() * head.record_bytes(), all = total(head.counts) * head.record_bytes();
  if (std::int64_t(head.checksums.size()) != (all + size - 1) / size)
    fail(Status::invalid_file, "the checksums do not fit");
  for_each_in_parallel(head.checksums.size(), [&](std::size_t block) {
    const std::int64_t first = std::int64_t(block) * size;
    std::string bytes(std::size_t(std::min(size, all - first)), '\0');
    file.read(magic.size() + std::size_t(first), bytes.size(), bytes.data());
    if (crc_of(bytes) != head.checksums[block]) fail(Status::invalid_file, "block ", block, " is damaged");
  });
}

}  // namespace

std::int64_t PackHead::block_records() const { return std::max<std::int64_t>(1, block_bytes / record_bytes()); }

PackHead write_pack(const RecordSource& source, const std::string& identity, std::int64_t length,
                    const PackWriter& write, const Progress& progress) {
  PackHead head;
  head.identity = identity;
  head.length = length;
  head.counts = source.counts();
  const std::int64_t count = total(head.counts);
  const auto record_bytes = std::size_t(head.record_bytes());
  Values values;
  write(magic);
  for (std::int64_t first = 0; first < count; first += head.block_records()) {
    if (progress) progress(first, count);
    std::string block(std::size_t(std::min(head.block_records(), count - first)) * record_bytes, '\0');
    decode_block(source, first, record_bytes, block);
    values |= values_of(block, record_bytes);
    head.checksums.push_back(crc_of(block));
    write(block);
  }
  if (progress) progress(count, count);
  for (int value = 0; value < int(values.size()); ++value)
    if (values.test(std::size_t(value))) head.values.push_back(value);
  const std::string json = json_of(head);
  std::string tail;
  append_little<std::uint64_t>(tail, json.size());
  append_little(tail, crc_of(json));
  write(json);
  write(tail);
  return head;
}

Pack map_pack(const std::string& path, const std::string& identity) {
  const auto file = std::make_shared<OpenFile>(path);
  return in_file(path, [&] {
    PackHead head = read_head(*file);
    if (head.identity != identity) fail(Status::invalid_file, "was made of other files");
    check_blocks(*file, head);
    return Pack(std::move(head), file, file->map() + magic.size());
  });
}

Pack pack_in_memory(PackHead head, std::string parts) {
  const auto storage = std::make_shared<const std::string>(std::move(parts));
  return Pack(std::move(head), storage, storage->data() + magic.size());
}

}  // namespace chord
