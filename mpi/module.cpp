// The module of the programs that knows MPI.
#include <cstdlib>

#include "mpi/job.hpp"
#include "mpi/mpi_peers.hpp"

namespace parallel {
namespace {

class MpiJob : public Job {
 public:
  explicit MpiJob(bool (*interrupted)()) : peers_(MPI_COMM_WORLD, interrupted) {
    MPI_Comm local = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &local_rank_);
    MPI_Comm_size(local, &local_size_);
    MPI_Comm_free(&local);
  }

  Peers& peers() override { return peers_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }
  void leave() override { MPI_Finalize(); }
  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  MpiPeers peers_;
  int local_rank_ = 0, local_size_ = 1;
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
