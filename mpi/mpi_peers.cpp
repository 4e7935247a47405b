#include "mpi/mpi_peers.hpp"

#include <sched.h>
#include <unistd.h>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

namespace parallel {
namespace {

// MPI counts by int; what is longer goes in several messages.
constexpr std::size_t most_bytes = std::size_t(1) << 30;

constexpr int data_tag = 0, call_tag = 1;

/// Calls work(offset, count) for all of it.
template <class Work>
void in_parts(std::size_t bytes, const Work& work) {
  for (std::size_t offset = 0; offset < bytes; offset += most_bytes)
    work(offset, int(std::min(most_bytes, bytes - offset)));
}

void check(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw PeersLost(std::string(text, std::size_t(length)));
}

}  // namespace

MpiPeers::MpiPeers(MPI_Comm group, std::function<bool()> interrupted) : interrupted_(std::move(interrupted)) {
  check(MPI_Comm_dup(group, &group_));
  check(MPI_Comm_set_errhandler(group_, MPI_ERRORS_RETURN));
  check(MPI_Comm_rank(group_, &rank_));
  check(MPI_Comm_size(group_, &size_));
  find_neighbours();
}

MpiPeers::~MpiPeers() {
  int over = 0;
  MPI_Finalized(&over);
  if (!over) MPI_Comm_free(&group_);
}

/// An MPI may have been built for GPUs, and find none when it runs: it is asked then.
bool MpiPeers::takes_cuda_memory() const {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

void MpiPeers::find_neighbours() {
  MPI_Comm local = MPI_COMM_NULL;
  check(MPI_Comm_split_type(group_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local));
  check(MPI_Comm_rank(local, &local_rank_));
  check(MPI_Comm_size(local, &local_size_));
  check(MPI_Comm_free(&local));
  crowded_ = local_size_ > sysconf(_SC_NPROCESSORS_ONLN);
}

/// MPI's own waits cannot be given up, and take a whole core.
void MpiPeers::wait(MPI_Request request) {
  using namespace std::chrono;
  constexpr auto awake = milliseconds(2);
  constexpr auto asleep = microseconds(100);
  // What others do not answer to for so long after a signal will not be answered: launchers kill soon after it.
  constexpr auto patience = milliseconds(300);
  const auto begin = steady_clock::now();
  std::optional<steady_clock::time_point> asked;
  for (int done = 0;;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done) return;
    const auto now = steady_clock::now();
    if (!asked && interrupted_ && interrupted_()) asked = now;
    if (asked && now - *asked > patience) throw PeersLost("other ranks do not answer");
    if (now - begin > awake)
      std::this_thread::sleep_for(asleep);
    else if (crowded_)
      sched_yield();
  }
}

void MpiPeers::send(int to, const void* data, std::size_t bytes) {
  in_parts(bytes, [&](std::size_t offset, int count) {
    sending_.push_back(MPI_REQUEST_NULL);
    check(MPI_Isend(static_cast<const char*>(data) + offset, count, MPI_BYTE, to, data_tag, group_, &sending_.back()));
  });
}

void MpiPeers::flush() {
  for (const MPI_Request request : sending_) wait(request);
  sending_.clear();
}

void MpiPeers::receive(int from, void* data, std::size_t bytes) {
  in_parts(bytes, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv(static_cast<char*>(data) + offset, count, MPI_BYTE, from, data_tag, group_, &request));
    wait(request);
  });
}

void MpiPeers::broadcast(void* data, std::size_t bytes) {
  in_parts(bytes, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(static_cast<char*>(data) + offset, count, MPI_BYTE, 0, group_, &request));
    wait(request);
  });
}

void MpiPeers::gather(const void* own, std::size_t bytes, void* all) {
  if (bytes > most_bytes) throw std::length_error("more than 1 GiB of each rank cannot be gathered");
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallgather(own, int(bytes), MPI_BYTE, all, int(bytes), MPI_BYTE, group_, &request));
  wait(request);
}

void MpiPeers::add_up(void* values, std::size_t count, std::size_t size, MPI_Datatype type) {
  in_parts(count * size, [&](std::size_t offset, int bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(MPI_IN_PLACE, static_cast<char*>(values) + offset, bytes / int(size), type, MPI_SUM, group_,
                         &request));
    wait(request);
  });
}

/// Once, until end_calls().
void MpiPeers::call() {
  if (!calling_.empty()) return;
  for (int to = 0; to < size_; ++to) {
    if (to == rank_) continue;
    calling_.push_back(MPI_REQUEST_NULL);
    check(MPI_Isend(nullptr, 0, MPI_BYTE, to, call_tag, group_, &calling_.back()));
  }
}

bool MpiPeers::hears_call() {
  int there = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, call_tag, group_, &there, MPI_STATUS_IGNORE));
  return there != 0;
}

void MpiPeers::end_calls() {
  const char own = calling_.empty() ? 0 : 1;
  std::vector<char> called(static_cast<std::size_t>(size_));
  gather(&own, 1, called.data());
  for (int from = 0; from < size_; ++from) {
    if (from == rank_ || !called[std::size_t(from)]) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv(nullptr, 0, MPI_BYTE, from, call_tag, group_, &request));
    wait(request);
  }
  for (const MPI_Request request : calling_) wait(request);
  calling_.clear();
}

}  // namespace parallel
