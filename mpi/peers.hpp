// Processes that work together, numbered from 0, and how they talk: what is below knows no MPI, and one process alone
// needs none.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace parallel {

/// Others did not answer any more.
struct [[gnu::visibility("default")]] PeersLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One of them has failed, and all know: they may go on with something else.
struct [[gnu::visibility("default")]] PeerFailed : PeersLost {
  using PeersLost::PeersLost;
};

/// All functions but `send`, `receive`, `call` and `hears_call` are called by all of them, in the same order.
class [[gnu::visibility("default")]] Peers {
 public:
  virtual ~Peers() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Whether `send` and `receive` take memory of NVIDIA's GPUs.
  virtual bool takes_cuda_memory() const { return false; }

  /// Waits for nothing: the memory must stay as it is until the next flush().
  virtual void send(int to, const void* data, std::size_t bytes) = 0;
  virtual void flush() = 0;
  /// Messages of one sender come in the order in which they were sent.
  virtual void receive(int from, void* data, std::size_t bytes) = 0;
  /// What rank 0 has, to all.
  virtual void broadcast(void* data, std::size_t bytes) = 0;
  /// What each has, to all, in the order of the ranks.
  virtual void gather(const void* own, std::size_t bytes, void* all) = 0;
  /// The sum of what all have, to all, added in any order: its last bits depend on their number.
  virtual void add_up(float* values, std::size_t count) = 0;
  virtual void add_up(double* values, std::size_t count) = 0;

  /// Calls all others, who hear it while they work by themselves.
  virtual void call() = 0;
  /// Whether another has called.
  virtual bool hears_call() = 0;
  /// What was called until now is over.
  virtual void end_calls() = 0;
};

/// One process, which has nobody to talk to.
class Alone : public Peers {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void send(int, const void*, std::size_t) override {}
  void flush() override {}
  void receive(int, void*, std::size_t) override {}
  void broadcast(void*, std::size_t) override {}
  void gather(const void* own, std::size_t bytes, void* all) override { std::memcpy(all, own, bytes); }
  void add_up(float*, std::size_t) override {}
  void add_up(double*, std::size_t) override {}
  void call() override {}
  bool hears_call() override { return false; }
  void end_calls() override {}
};

}  // namespace parallel
