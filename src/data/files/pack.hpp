// Decoded records in one file, to be mapped. Its layout:
//   8 bytes      "CHORDPAK"
//   records      each a label and `length` tokens, a byte each
//   JSON         what PackHead says
//   8 bytes      the size of the JSON, then 4 bytes its CRC-32, both little-endian
// The JSON comes last because it tells what was found while decoding; it has a CRC-32 for every block of records.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "data/files/records.hpp"

namespace chord {

struct PackHead {
  std::string identity;     ///< what it was made of: a pack of another identity is of no use
  std::int64_t length = 0;  ///< tokens of a record
  RecordCounts counts{};
  std::vector<int> values;  ///< the tokens that occur, sorted
  std::vector<std::uint32_t> checksums;

  std::int64_t record_bytes() const { return 1 + length; }
  std::int64_t block_records() const;  ///< records of a block; the last may have fewer
};

class Pack {
 public:
  /// `storage` keeps the records alive.
  Pack(PackHead head, std::shared_ptr<const void> storage, const char* records)
      : head_(std::move(head)), storage_(std::move(storage)), records_(records) {}

  const PackHead& head() const { return head_; }
  /// A label and its tokens.
  const std::uint8_t* record(std::int64_t index) const {
    return reinterpret_cast<const std::uint8_t*>(records_) + index * head_.record_bytes();
  }

 private:
  PackHead head_;
  std::shared_ptr<const void> storage_;
  const char* records_;
};

/// Takes the parts of a pack, one after the other.
using PackWriter = std::function<void(std::string_view)>;

/// Decodes all records, by all threads, a block in memory at a time. `identity` and `length`: see PackHead.
PackHead write_pack(const RecordSource& source, const std::string& identity, std::int64_t length,
                    const PackWriter& write, const Progress& progress);

/// Maps a file. Throws where it cannot be read, is damaged, or has another identity.
Pack map_pack(const std::string& path, const std::string& identity);

/// The parts that were written, in memory.
Pack pack_in_memory(PackHead head, std::string parts);

}  // namespace chord
