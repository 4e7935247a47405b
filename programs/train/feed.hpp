// Sequences on their way from a dataset to a model.
#pragma once

#include <chord/chord.hpp>
#include <string>
#include <vector>

#include "keys.hpp"

namespace train {

/// Which sequences of which task.
struct DataChoice {
  std::string task, split, data;
  int64_t length, count;  // 0: the task's own
  uint64_t seed;
  std::string encoding = {};  // as a model keeps it; empty: the files' own
  bool quiet = false;         // about files being decoded
  const char* counted_by = "--count";
};
/// Of files, `count` are drawn by the seed.
chord::Dataset open_dataset(const DataChoice& choice);

/// Throws unless the model can take these sequences.
void expect_fit(const chord_model_info& model, const chord_dataset_info& data, const std::string& task);

/// The values of a tensor of 32 or 64 bits.
std::vector<double> reals_of(const chord::Tensor& tensor);

/// A place on the device for a batch of sequences, of the types the model has.
class Feed {
 public:
  Feed(chord::Context& context, const chord_model_info& model, int64_t batch);

  /// A batch of no more sequences than there is place for; the tensors are valid until the next one.
  void load(const chord::Batch& batch);
  const chord::Tensor& inputs() const { return partial_ ? some_inputs_ : all_inputs_; }
  const chord::Tensor& labels() const { return partial_ ? some_labels_ : all_labels_; }
  /// What the model makes of the batch: [count, classes].
  std::vector<double> outputs_of(chord::Model& model);

 private:
  chord_model_info model_;
  int64_t batch_;
  chord::Tensor all_inputs_, all_labels_, all_outputs_, some_inputs_, some_labels_, some_outputs_;
  bool partial_ = false;
  std::vector<double> wide_;  // where a model of 64 bits takes data of 32
};

}  // namespace train
