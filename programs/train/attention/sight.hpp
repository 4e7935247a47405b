// A sequence as a model sees it: its answer, and the rows of the product that show where it looked.
#pragma once

#include <chord/chord.hpp>

#include "../answer.hpp"
#include "../feed.hpp"
#include "rows.hpp"

namespace train {

struct Sight {
  std::string task;
  Sequence sequence;
  std::vector<std::string> symbols;  ///< what each token is, where tokens have a name
  int64_t used;                      ///< positions before the padding
  RowChoice choice;
  std::vector<double> values;  ///< [rows, length]
  Answer answer;               ///< what is expected is of no meaning where the sequence has no label

  std::vector<double> row(std::size_t number) const;
  /// Of all rows.
  std::vector<double> sum() const;
  std::string symbol(int64_t position) const;
};

class Observer {
 public:
  /// `encoding`: as the dataset or the model has it.
  Observer(chord::Context& context, chord::Model& model, const std::string& task, const std::string& encoding);

  /// Throws for a block that the model does not have.
  Sight look(const Sequence& sequence, int64_t block);

 private:
  chord::Context& context_;
  chord::Model& model_;
  std::string task_;
  std::vector<std::string> symbols_;
  int32_t padding_;
  Judge judge_;
  Feed feed_;
};

}  // namespace train
