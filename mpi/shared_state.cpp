#include "mpi/shared_state.hpp"

#include <chord/chord.hpp>
#include <vector>

namespace parallel {
namespace {

void share(Peers& peers, const chord::Tensor& tensor) {
  std::vector<char> values(tensor.info().bytes);
  if (peers.rank() == 0) chord::check(chord_tensor_to_host(tensor.get(), values.data(), values.size()));
  peers.broadcast(values.data(), values.size());
  if (peers.rank() != 0) chord::check(chord_tensor_from_host(tensor.get(), values.data(), values.size()));
}

}  // namespace

void share_parameters(Peers& peers, chord_model* model) {
  chord_tensor* parameters = nullptr;
  chord::check(chord_model_get_parameters(model, &parameters));
  share(peers, chord::Tensor(parameters));
}

void share_state(Peers& peers, chord_model* model) {
  share_parameters(peers, model);
  chord_tensor *first = nullptr, *second = nullptr;
  chord::check(chord_model_get_moments(model, &first, &second));
  const chord::Tensor moments[] = {chord::Tensor(first), chord::Tensor(second)};
  for (const chord::Tensor& moment : moments) share(peers, moment);
  chord_model_info info = CHORD_MODEL_INFO_INIT;
  chord::check(chord_model_get_info(model, &info));
  peers.broadcast(&info.step, sizeof info.step);
  chord::check(chord_model_set_step(model, info.step));
}

}  // namespace parallel
