// A job as its launcher started it, for programs: the interface of the module with all that knows MPI, which they load
// only when there is one.
#pragma once

#include <memory>
#include <string>

#include "mpi/peers.hpp"

namespace parallel {

class [[gnu::visibility("default")]] Job {
 public:
  virtual ~Job() = default;
  virtual Peers& peers() = 0;
  /// Among those on the same machine.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;
  /// Called by all, at the end.
  virtual void leave() = 0;
  /// Ends all of them, without a word of theirs.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// Which build a module is of.
inline constexpr const char* job_module_version_name = "chord_job_module_version";
using JobModuleVersion = const char* (*)();
/// `interrupted`: asked while one waits for others; once true, that ends soon with PeersLost. None, and why, where
/// there is no MPI.
inline constexpr const char* join_job_name = "chord_join_job";
using JoinJob = Job* (*)(bool (*interrupted)(), std::string& problem);

}  // namespace parallel
