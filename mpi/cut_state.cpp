#include "mpi/cut_state.hpp"

#include "mpi/rows.hpp"

namespace parallel {
namespace {

/// Parameters and moments of a model, each as one tensor.
std::vector<chord::Tensor> state_of(chord_model* model) {
  chord_tensor *parameters = nullptr, *first = nullptr, *second = nullptr;
  chord::check(chord_model_get_parameters(model, &parameters));
  std::vector<chord::Tensor> state;
  state.emplace_back(parameters);
  chord::check(chord_model_get_moments(model, &first, &second));
  state.emplace_back(first);
  state.emplace_back(second);
  return state;
}

/// Kind by kind and block by block, so that there is one block's on the way at a time.
template <class T>
class Move {
 public:
  Move(Peers& peers, const CutParameters& parameters, const Pieces& blocks, const std::vector<chord::Model*>& own,
       chord_model* whole)
      : peers_(peers),
        parameters_(parameters),
        blocks_(blocks),
        own_(own),
        leads_(peers.rank() == 0),
        part_(own.front()->parameters().info().bytes / sizeof(T)) {
    if (leads_) whole_ = state_of(whole);
  }

  void cut() {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const std::vector<T> all = leads_ ? whole_[kind].template to_host<T>() : std::vector<T>();
      for (std::int64_t block = 0; block < blocks_.count; ++block) {
        const int owner = blocks_.owner(block);
        if (leads_) parameters_.cut(all, block, part_);
        if (leads_ && owner != 0) peers_.send(owner, part_.data(), bytes());
        if (!leads_ && is_own(block)) peers_.receive(0, part_.data(), bytes());
        if (is_own(block)) state_of(own(block).get())[kind].from_host(part_);
        peers_.flush();
      }
    }
  }

  void join() {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      std::vector<T> all = leads_ ? whole_[kind].template to_host<T>() : std::vector<T>();
      for (std::int64_t block = 0; block < blocks_.count; ++block) {
        const int owner = blocks_.owner(block);
        if (is_own(block)) part_ = state_of(own(block).get())[kind].template to_host<T>();
        if (!leads_ && is_own(block)) peers_.send(0, part_.data(), bytes());
        if (leads_ && owner != 0) peers_.receive(owner, part_.data(), bytes());
        if (leads_) parameters_.join(part_, block, all);
        peers_.flush();
      }
      if (leads_) whole_[kind].from_host(all);
    }
  }

 private:
  static constexpr std::size_t kinds = 3;

  std::size_t bytes() const { return part_.size() * sizeof(T); }
  bool is_own(std::int64_t block) const { return blocks_.owner(block) == peers_.rank(); }
  chord::Model& own(std::int64_t block) const { return *own_[std::size_t(block - blocks_.first_of(peers_.rank()))]; }

  Peers& peers_;
  const CutParameters& parameters_;
  const Pieces& blocks_;
  const std::vector<chord::Model*>& own_;
  const bool leads_;
  std::vector<T> part_;
  std::vector<chord::Tensor> whole_;
};

bool is_double(const chord::Model& model) { return model.parameters().info().type == CHORD_FLOAT64; }

}  // namespace

void cut_state(Peers& peers, const CutParameters& parameters, const Pieces& blocks,
               const std::vector<chord::Model*>& own, chord_model* whole) {
  if (is_double(*own.front()))
    Move<double>(peers, parameters, blocks, own, whole).cut();
  else
    Move<float>(peers, parameters, blocks, own, whole).cut();
  chord_model_info info = CHORD_MODEL_INFO_INIT;
  if (peers.rank() == 0) chord::check(chord_model_get_info(whole, &info));
  peers.broadcast(&info.step, sizeof info.step);
  for (chord::Model* model : own) model->set_step(info.step);
}

void join_state(Peers& peers, const CutParameters& parameters, const Pieces& blocks,
                const std::vector<chord::Model*>& own, chord_model* whole) {
  if (is_double(*own.front()))
    Move<double>(peers, parameters, blocks, own, whole).join();
  else
    Move<float>(peers, parameters, blocks, own, whole).join();
  if (peers.rank() == 0) chord::check(chord_model_set_step(whole, own.front()->info().step));
}

}  // namespace parallel
