// The processes that a launcher (mpirun, srun) started together, of which this is one; or this one alone.
#pragma once

#include <chord/chord.hpp>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "mpi/job.hpp"
#include "mpi/peers.hpp"
#include "mpi/texts.hpp"
#include "program.hpp"

namespace program {

class Team {
 public:
  /// Loads what knows MPI, where there is a launcher. Throws where it cannot be loaded.
  Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Whether there was a launcher.
  bool launched() const { return launched_; }
  parallel::Peers& peers() const { return job_ ? job_->peers() : alone_; }
  int rank() const { return peers().rank(); }
  int size() const { return peers().size(); }
  /// Rank 0: it alone writes files, and speaks.
  bool leads() const { return rank() == 0; }
  int local_rank() const { return job_ ? job_->local_rank() : 0; }
  int local_size() const { return job_ ? job_->local_size() : 1; }

  /// A whole program: the work's exit code, after all ranks have ended. One that fails ends the others.
  template <class Work>
  int run(const Work& work) {
    try {
      const int code = work();
      leave();
      return code;
    } catch (const std::exception& error) {
      return end(error);
    }
  }

  /// Work of each rank on its own. Where it fails somewhere, all end, and the leader says why.
  template <class Work>
  void together(const Work& work) {
    std::exception_ptr failure;
    try {
      work();
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    expect_success(failure);
  }
  /// The leader's text, to all.
  std::string share(const std::string& text) const { return parallel::share_text(peers(), text); }
  /// Of all ranks, in their order.
  std::vector<std::string> gather(const std::string& text) const { return parallel::gather_texts(peers(), text); }
  /// Throws, at all ranks, where one has another text than the leader. `what`: "device", for the message.
  void expect_same(const std::string& what, const std::string& text);

  /// The signal that ends the work: ranks notice theirs at different times and agree on one.
  int interrupted() const { return size() > 1 ? agreed_ : program::interrupted(); }
  void agree_on(int signal) { agreed_ = signal; }
  /// All ask each other, where nothing else that they exchange tells them. `own`: the signal that this one has, or 0.
  void agree_on_signals(int own);

  /// Once a signal ends the job, and be it since another rank has died, this is said, by the leader or, if it is gone,
  /// by the next.
  void say_when_ended(const std::string& text);

 private:
  void leave();
  int end(const std::exception& error);
  void expect_success(const std::exception_ptr& failure);

  mutable parallel::Alone alone_;
  bool launched_;
  parallel::Job* job_ = nullptr;  // the module's, to the end of the process; a launcher of one may have none
  int agreed_ = 0;
  bool ending_ = false;  // all of them do
};

/// Where ranks share a machine, each has a GPU of its own, if they are enough: the one that is selected, those behind
/// it for the others.
std::string own_device(const std::string& selector, int precision, const Team& team);

/// How many threads a rank should have that shares a machine with others; 0: the library knows.
int own_threads(const Team& team);

}  // namespace program
