// A model: its parameters in one buffer, what training needs beside them, and the steps over batches.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/repeated_work.hpp"
#include "nn/losses.hpp"
#include "nn/step_state.hpp"
#include "nn/workspace.hpp"
#include "operations/pattern.hpp"

namespace chord {

template <class T>
struct PassData;

/// What part of a whole batch some sequences are, and what becomes of their gradients.
struct Share {
  std::int64_t first = 0;   ///< the place of the first of them
  std::int64_t whole = 0;   ///< sequences of the whole batch; 0: these
  bool dropout = false;     ///< a training step has it anyway
  bool accumulate = false;  ///< gradients are added to those that are there
  bool operator==(const Share&) const = default;
};

struct StepOptions {
  AdamSettings adam;
  Share share = {};
  std::int64_t micro_batch = 0;  ///< sequences at a time; 0: what suits the device
  Memory memory = Memory::automatic;
  std::optional<Tensor> lengths = {};  ///< of the sequences, int32; none: all have the model's
};

/// One of the layers that a model is made of.
struct LayerPlace {
  /// The values of CHORD_LAYER_… in chord.h.
  enum class Kind : std::int32_t { embedding = 0, values = 1, factor = 2, head = 3, outputs = 4 };

  Kind kind;
  std::int64_t block = 0, factor = 0;
};

struct MemoryPlan {
  std::int64_t parameter_bytes = 0, activation_bytes = 0;
  Memory memory = Memory::normal;
  std::int64_t peak_bytes() const { return parameter_bytes + activation_bytes; }
};

class Model {
 public:
  /// With these parameters, in the list's order; the seed is that of dropout.
  Model(const std::shared_ptr<Context>& context, const ModelDescription& description,
        const std::vector<double>& parameters, std::uint64_t seed);
  ~Model();
  /// With parameters drawn by the seed.
  static std::shared_ptr<Model> create(const std::shared_ptr<Context>& context, const ModelDescription& description,
                                       std::uint64_t seed);

  const std::shared_ptr<Context>& context() const { return pattern_->context(); }
  const ModelDescription& description() const { return description_; }
  const std::string& json() const { return json_; }
  const ParameterList& parameters() const { return list_; }
  std::int64_t step() const { return state_->count(); }
  std::uint64_t seed() const { return seed_; }
  const std::string& note() const { return note_; }

  MemoryPlan plan(std::int64_t batch, bool training, const StepOptions& options) const;

  void forward(const Tensor& inputs, const Tensor& outputs, const StepOptions& options);
  StepResult evaluate(const Tensor& inputs, const Tensor& labels, const StepOptions& options = {});
  StepResult gradients(const Tensor& inputs, const Tensor& labels, const StepOptions& options);
  /// Of ⟨doutputs, outputs⟩; with respect to the inputs, too, where there is a place for it.
  void backward(const Tensor& inputs, const Tensor& doutputs, const Tensor* dinputs, const StepOptions& options);
  /// A layer alone, and its gradients: of its parameters and, where there is a place for it, of its input, which may be
  /// added to what is there.
  void layer_forward(const LayerPlace& place, const Tensor& in, const Tensor& out, const StepOptions& options);
  void layer_backward(const LayerPlace& place, const Tensor& in, const Tensor& dout, const Tensor* din,
                      bool accumulate_din, const StepOptions& options);
  /// Of outputs, with its gradient where there is a place for it.
  StepResult loss(const Tensor& outputs, const Tensor& labels, const Tensor* doutputs, const StepOptions& options);
  /// A step of the optimiser with the gradients that are there.
  void apply_gradients(const AdamSettings& settings);
  StepResult train_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options);
  /// The same without waiting; its loss is kept for take_losses.
  void queue_train_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options);
  /// Of the oldest steps queued whose losses were not taken yet, at most so many; waits for them.
  KeptLosses::Taken take_losses(std::int64_t most);
  void attention(const Tensor& inputs, std::int64_t block, const std::vector<std::int64_t>& indices, const Tensor& out,
                 const StepOptions& options);

  /// Looks at the memory of a parameter and of its gradient, which is there after the first backward pass.
  Tensor parameter(const std::string& name) const;
  Tensor gradient(const std::string& name) const;
  /// All of them, in the list's order; zeros before they are first computed.
  const Tensor& all_parameters() const { return values_; }
  Tensor all_gradients();
  std::pair<Tensor, Tensor> moments();
  void set_step(std::int64_t step);

  void save(const std::string& path, bool with_optimizer, const std::string& note) const;
  void save_gradients(const std::string& path) const;
  /// Without a description, the file's own.
  static std::shared_ptr<Model> load(const std::shared_ptr<Context>& context, const std::string& path,
                                     const std::optional<ModelDescription>& description);

 private:
  struct Batch;
  struct TrainingStep;
  template <class T>
  class LayerStep;
  enum class Mode { evaluation, gradients, training };  ///< training: with dropout

  Batch batch(const Tensor& inputs, const Tensor* labels, const std::optional<Tensor>& lengths) const;
  Tensor without_padding(const Tensor& inputs, const Tensor& lengths) const;
  std::int64_t input_bytes(std::int64_t batch) const;
  template <class T>
  PassData<T> pass_data(const Batch& batch, std::int64_t first, std::int64_t count, const Share& share) const;
  /// What is done with a batch.
  struct Passes {
    BatchCut cut;
    Mode mode;
    Memory memory;
    bool clips;  ///< the gradients of a training step
    Share share;
    bool lengths;  ///< sequences have some of their own
    bool operator==(const Passes&) const = default;
  };
  BatchCut cut_of(std::int64_t batch, bool training, const StepOptions& options) const;
  Passes passes_of(const Batch& batch, const StepOptions& options, Mode mode) const;
  /// Queues it all; the parts of the loss go to `parts`.
  template <class T>
  void run(const Batch& batch, const Passes& passes, const Tensor& parts);
  StepResult without_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options, Mode mode);
  template <class T>
  std::optional<StepResult> with_step(const Batch& batch, const StepOptions& options, bool wait);
  std::optional<StepResult> training_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options,
                                          bool wait);
  TrainingStep& known_step(const Batch& batch, const StepOptions& options);
  Tensor parts_of(const BatchCut& cut) const;
  template <class T>
  std::vector<T> fetch(const Tensor& parts) const;
  template <class T>
  void update(bool clips);
  std::size_t squares_bytes() const;
  template <class Work>
  void in_kept_memory(const Work& work);
  bool records() const;
  void need_gradients(const Batch& batch, const Share& share);
  void need_moments();
  std::shared_ptr<const Workspace> workspace(const PassShape& shape) const;
  Memory resolve_memory(std::int64_t sequences, bool training, Memory wanted) const;
  Tensor zeros() const;
  void expect_layer(const LayerPlace& place, const Tensor& in) const;
  Extents layer_input(const LayerPlace& place, std::int64_t sequences) const;
  Extents layer_output(const LayerPlace& place, std::int64_t sequences) const;
  const Tensor& computed_gradients() const;
  Tensor view_of(const Tensor& buffer, const std::string& name) const;

  ModelDescription description_;
  std::string json_;
  ParameterList list_;
  std::shared_ptr<const Pattern> pattern_;
  Tensor values_;
  std::optional<Tensor> gradients_, first_moment_, second_moment_;  // each from when it is first needed
  std::shared_ptr<StepState> state_;
  KeptLosses losses_;
  std::shared_ptr<Arena> arena_;                            // where the queue can record: the memory of all passes
  std::vector<std::unique_ptr<TrainingStep>> known_steps_;  // those met lately
  std::uint64_t seed_;
  std::string note_;
  mutable std::mutex mutex_;  // a step reads and changes several of these
  mutable std::mutex workspace_mutex_;
  mutable std::vector<std::shared_ptr<const Workspace>> workspaces_;
};

}  // namespace chord
