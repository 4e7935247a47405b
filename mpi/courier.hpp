// Rows of tensors between ranks: straight from and to memory that MPI can touch, which is the host's, and that of
// NVIDIA's GPUs where it knows CUDA; through a copy otherwise.
#pragma once

#include <chord/chord.hpp>
#include <cstring>
#include <list>
#include <vector>

#include "mpi/address.hpp"
#include "mpi/peers.hpp"

namespace parallel {

class Courier {
 public:
  Courier(Peers& peers, chord_context* context) : peers_(peers), context_(context) {
    chord_device_info device = CHORD_DEVICE_INFO_INIT;
    chord::check(chord_context_get_device(context, &device));
    const bool cuda = std::strcmp(device.backend, "cuda") == 0;
    host_ = device.host_readable != 0;
    direct_ = host_ || (cuda && peers.takes_cuda_memory());
  }

  /// Contiguous ones, which stay as they are until the next flush.
  void send(int to, const chord::Tensor& rows) {
    const std::size_t bytes = rows.info().bytes;
    peers_.send(to, direct_ ? waited(rows) : copied(rows, bytes), bytes);
  }
  void receive(int from, const chord::Tensor& rows) {
    const std::size_t bytes = rows.info().bytes;
    if (direct_) return peers_.receive(from, waited(rows), bytes);
    std::vector<char> values(bytes);
    peers_.receive(from, values.data(), bytes);
    chord::check(chord_tensor_from_host(rows.get(), values.data(), bytes));
  }
  void flush() {
    peers_.flush();
    copies_.clear();
  }

 private:
  void* waited(const chord::Tensor& rows) {
    chord::check(chord_context_wait(context_));
    return host_ ? rows.data() : device_address(rows);
  }
  const void* copied(const chord::Tensor& rows, std::size_t bytes) {
    copies_.emplace_back(bytes);
    chord::check(chord_tensor_to_host(rows.get(), copies_.back().data(), bytes));
    return copies_.back().data();
  }

  Peers& peers_;
  chord_context* context_;
  bool host_ = false, direct_ = false;
  std::list<std::vector<char>> copies_;
};

}  // namespace parallel
