// A model whose sequences are cut along their length into equal blocks, which ranks share: each block has a model of
// its own length, for its networks and its part of what belongs to positions. A block is computed in the same way
// whichever rank has it, and all sums over blocks have one order: the bits are the same for any number of ranks.
//
// Sequences are taken one by one, and factors are made when they are applied and again on the way back, so that memory
// is that of one sequence's values: what a rank has is what its blocks have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi/cut_factor.hpp"
#include "mpi/cut_gradients.hpp"
#include "mpi/cut_parameters.hpp"
#include "mpi/tree_sum.hpp"

namespace parallel {

class CutModel {
 public:
  /// Of a model with this description, which problem_with has nothing against. Parameters come from set_state.
  CutModel(Peers& peers, chord_context* context, const ModelText& whole, std::uint64_t seed, std::int64_t blocks);

  /// Why sequences of such a model cannot be cut so; empty where they can.
  static std::string problem_with(const ModelText& whole, std::int64_t blocks, int ranks);

  /// The rows of every sequence that this rank has.
  Range share() const { return blocks_.share(peers_.rank()); }

  /// Parameters, moments and step from and to rank 0's whole model, which is null elsewhere.
  void set_state(chord_model* whole);
  void get_state(chord_model* whole);

  /// The gradients of a batch's mean loss, with dropout; or its loss alone, without. Inputs are the rank's rows of all
  /// sequences; labels are looked at by rank 0. What is wrong at one rank fails at all: with PeersLost elsewhere.
  chord_step_result gradients(const chord_tensor* inputs, const chord_tensor* labels);
  chord_step_result evaluate(const chord_tensor* inputs, const chord_tensor* labels);
  /// What it answers to each sequence: [sequences, classes], at all ranks.
  std::vector<double> outputs(const chord_tensor* inputs);
  /// Takes the memory of a pass, which the first would take otherwise.
  void reserve(bool training);
  void apply_gradients(const chord_train_options& options);

 private:
  struct Block {
    std::int64_t index;
    chord::Model model;
    chord::Tensor embedded, embedded_gradient, first_values, first_values_gradient, adjoint;
    std::vector<chord::Tensor> tape;  // what the factors put out
  };
  /// A sequence of a batch under way.
  struct Sequence {
    const chord_tensor *inputs, *labels;
    std::int64_t number, count;
    bool training;
  };

  void make_memory(bool training);
  chord::Tensor padded() const;
  chord_step_result run(const chord_tensor* inputs, const chord_tensor* labels, bool training);
  std::int64_t begin(const chord_tensor* inputs, const chord_tensor* labels, bool labelled);
  std::int64_t expect_inputs(const chord_tensor* inputs) const;
  chord_train_options options_of(const Sequence& sequence, const Block& block) const;
  chord::Tensor inputs_of(const Sequence& sequence, const Block& block) const;
  chord::Tensor as_sequence(const chord::Tensor& rows) const;

  void embed(const Sequence& sequence);
  CutFactor::Values values(std::int64_t factor, bool training) const;
  void make_factor(Block& block, std::int64_t factor);
  void forward(const Sequence& sequence);
  void pool(const Sequence& sequence);
  void find_outputs(const Sequence& sequence);
  void judge(const Sequence& sequence, chord_step_result& sum);
  void backward_head(const Sequence& sequence);
  void backward(const Sequence& sequence);
  std::vector<chord::Model*> own_models();

  Peers& peers_;
  chord_context* context_;
  const ModelText whole_;
  const Pieces blocks_;
  const std::int64_t rows_, channels_, links_, factors_;
  const bool residual_, flatten_;
  const chord_type type_;
  std::vector<Block> own_;
  std::unique_ptr<CutParameters> parameters_;
  CutFactor factor_;
  std::unique_ptr<CutGradients> gradients_;
  std::unique_ptr<TreeSum> pooled_sum_;
  chord::Tensor weights_, weights_gradient_;                             // of a factor at a time
  chord::Tensor pooled_, pooled_gradient_, outputs_, outputs_gradient_;  // of the head
  bool has_memory_ = false, has_training_memory_ = false;
};

}  // namespace parallel
