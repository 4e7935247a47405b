// Files as records: what decoding makes of them, whatever the task.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

namespace chord {

/// How many records belong to the training, the validation and the test set; they follow one another in this order.
using RecordCounts = std::array<std::int64_t, 3>;

inline std::int64_t total(const RecordCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t(0));
}

/// A record is a label and its tokens, a byte each.
class RecordSource {
 public:
  virtual ~RecordSource() = default;

  const RecordCounts& counts() const { return counts_; }

  /// Decodes one into `label` and `tokens`, from any thread. Throws where the files are not what they should be.
  virtual void read(std::int64_t index, std::uint8_t& label, std::uint8_t* tokens) const = 0;

 protected:
  RecordCounts counts_{};  ///< to be set by the constructor
};

}  // namespace chord
