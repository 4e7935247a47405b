// Peers of an MPI communicator.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "mpi/peers.hpp"

namespace parallel {

class MpiPeers : public Peers {
 public:
  /// With a communicator of its own, made of this one by all its ranks. `interrupted`: asked while it waits;
  /// once that is true, it waits a little longer and ends with PeersLost.
  explicit MpiPeers(MPI_Comm group, std::function<bool()> interrupted = nullptr);
  ~MpiPeers() override;
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  /// Among the ranks of this machine.
  int local_rank() const { return local_rank_; }
  int local_size() const { return local_size_; }
  bool takes_cuda_memory() const override;
  void send(int to, const void* data, std::size_t bytes) override;
  void flush() override;
  void receive(int from, void* data, std::size_t bytes) override;
  void broadcast(void* data, std::size_t bytes) override;
  void gather(const void* own, std::size_t bytes, void* all) override;
  void add_up(float* values, std::size_t count) override { add_up(values, count, sizeof *values, MPI_FLOAT); }
  void add_up(double* values, std::size_t count) override { add_up(values, count, sizeof *values, MPI_DOUBLE); }
  void call() override;
  bool hears_call() override;
  void end_calls() override;

 private:
  void add_up(void* values, std::size_t count, std::size_t size, MPI_Datatype type);
  void wait(MPI_Request request);
  void find_neighbours();

  MPI_Comm group_ = MPI_COMM_NULL;
  std::function<bool()> interrupted_;
  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
  /// More ranks than processors on this machine: one that waits makes way for another. Otherwise who yields to whatever
  /// else runs may be gone for milliseconds.
  bool crowded_ = false;
  std::vector<MPI_Request> sending_, calling_;
};

}  // namespace parallel
