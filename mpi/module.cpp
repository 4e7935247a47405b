// The module of the programs that knows MPI.
#include <cstdlib>

#include "mpi/job.hpp"
#include "mpi/mpi_peers.hpp"

namespace parallel {
namespace {

class MpiJob : public Job {
 public:
  explicit MpiJob(bool (*interrupted)()) : peers_(MPI_COMM_WORLD, interrupted) {}

  Peers& peers() override { return peers_; }
  int local_rank() const override { return peers_.local_rank(); }
  int local_size() const override { return peers_.local_size(); }
  void leave() override { MPI_Finalize(); }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  MpiPeers peers_;
};

}  // namespace
}  // namespace parallel

extern "C" [[gnu::visibility("default")]] const char* chord_job_module_version() { return CHORD_MODULE_VERSION; }

extern "C" [[gnu::visibility("default")]] parallel::Job* chord_join_job(bool (*interrupted)(), std::string& problem) {
  try {
    int thread_support = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &thread_support) != MPI_SUCCESS) {
      problem = "MPI cannot be started";
      return nullptr;
    }
    return new parallel::MpiJob(interrupted);
  } catch (const std::exception& error) {
    problem = error.what();
    return nullptr;
  }
}
