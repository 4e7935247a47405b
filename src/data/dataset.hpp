// Labelled sequences: one interface for all tasks, which differ in where the sequences come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace chord {

enum class Split { train, validation, test, all };  ///< all: train, then validation

/// Told how much of something is done; throws Status::stopped where it is to end.
using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Which dataset somebody wants; zeros and empty strings leave the choice to the task.
struct DatasetRequest {
  std::string task;
  Split split = Split::train;
  std::string data;  ///< the folder of its files
  std::int64_t length = 0, count = 0;
  std::uint64_t seed = 0;    ///< of a generated task
  std::uint64_t sample = 0;  ///< of `count` sequences of files; 0: the first
  std::string encoding;      ///< JSON, as a model keeps it; empty: the files' own
  Progress progress;         ///< of decoding files; may be empty
};

struct DatasetInfo {
  std::int64_t count, length;
  std::int64_t features;    ///< reals per position; 0: tokens
  std::int64_t vocabulary;  ///< 0: reals
  std::int64_t classes;     ///< 1: the label is a real
};

class Dataset {
 public:
  explicit Dataset(const DatasetInfo& info, std::string encoding = "{}")
      : info_(info), encoding_(std::move(encoding)) {}
  virtual ~Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  const DatasetInfo& info() const { return info_; }
  /// What made sequences of the files beside the task's rules: a JSON object.
  const std::string& encoding() const { return encoding_; }
  bool has_tokens() const { return info_.features == 0; }  ///< int32; else float32
  bool has_classes() const { return info_.classes != 1; }  ///< int32; else float32

  static constexpr std::size_t number_bytes = 4;  ///< an int32 or a float32
  /// How many bytes the input of one sequence has.
  std::size_t input_bytes() const {
    return std::size_t(info_.length) * (has_tokens() ? 1 : info_.features) * number_bytes;
  }
  static constexpr std::size_t label_bytes = number_bytes;

  /// One sequence, by its index from 0 to count − 1; from any thread.
  virtual void read(std::int64_t index, void* input, void* label) const = 0;

 private:
  DatasetInfo info_;
  std::string encoding_;
};

/// The split of this name; throws where there is none, and says which there are.
Split split_of(const std::string& name);

std::shared_ptr<const Dataset> open_dataset(const DatasetRequest& request);

}  // namespace chord
