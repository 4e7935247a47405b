#include "team.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "device.hpp"
#include "message.hpp"

namespace program {
namespace {

constexpr const char* module_name = "libchord_job.so";

/// The leader has said why.
struct EndedTogether : std::exception {};

bool under_launcher() {
  const auto there = [](const char* name) { return std::getenv(name) != nullptr; };
  return there("OMPI_COMM_WORLD_RANK") || there("PMIX_RANK") || there("PMI_RANK");
}

/// A launcher of one process needs no MPI.
bool starts_one() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})
    if (const char* size = std::getenv(name)) return std::string(size) == "1";
  return false;
}

parallel::Job* join_job() {
  void* const module = dlopen(module_name, RTLD_NOW | RTLD_GLOBAL);  // MPI's own plugins look for its symbols
  if (!module) {
    const std::string reason = dlerror();
    if (starts_one()) return nullptr;
    throw std::runtime_error("started together with others, but there is no MPI to work with them: " + reason +
                             "; build where MPI is installed (Debian: libopenmpi-dev), or start it alone");
  }
  const auto version_of =
      reinterpret_cast<parallel::JobModuleVersion>(dlsym(module, parallel::job_module_version_name));
  const auto join = reinterpret_cast<parallel::JoinJob>(dlsym(module, parallel::join_job_name));
  if (!version_of || !join || version_of() != version())
    throw std::runtime_error(std::string(module_name) + " is not of the same build as this program");
  std::string problem;
  parallel::Job* const job = join([] { return interrupted() != 0; }, problem);
  if (!job) throw std::runtime_error(problem);
  return job;
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

Team::Team() : launched_(under_launcher()) {
  if (launched_) job_ = join_job();
}

void Team::leave() {
  if (job_) job_->leave();
}

int Team::end(const std::exception& error) {
  if (!job_) return fail(error);
  int code = failed;
  if (dynamic_cast<const parallel::PeersLost*>(&error)) {
    code = 128 + (program::interrupted() ? program::interrupted() : SIGTERM);
    if (program::interrupted()) std::_Exit(code);  // the launcher is about to end all of them anyway
    fail(error);
    job_->abort(code);
  }
  if (!dynamic_cast<const EndedTogether*>(&error))
    code =
        leads() ? fail(error) : fail(std::runtime_error("rank " + std::to_string(rank()) + ": " + message_of(error)));
  if (!ending_) job_->abort(code);
  leave();
  return code;
}

void Team::expect_success(const std::exception_ptr& failure) {
  std::string problem;
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    if (!job_) throw;
    problem = "rank " + std::to_string(rank()) + ": " + message_of(error);
  }
  if (!job_) return;
  const std::vector<std::string> problems = gather(problem);
  const auto first = std::find_if(problems.begin(), problems.end(), [](const auto& each) { return !each.empty(); });
  if (first == problems.end()) return;
  ending_ = true;
  if (!leads()) throw EndedTogether();
  if (failure) std::rethrow_exception(failure);
  throw std::runtime_error(*first);
}

void Team::expect_same(const std::string& what, const std::string& text) {
  const std::vector<std::string> texts = gather(text);
  together([&] {
    if (text != texts[0])
      throw std::runtime_error("has another " + what + " than rank 0: " + text + ", not " + texts[0]);
  });
}

void Team::agree_on_signals(int own) {
  std::vector<int> all(static_cast<std::size_t>(size()));
  peers().gather(&own, sizeof own, all.data());
  agree_on(*std::max_element(all.begin(), all.end()));
}

void Team::say_when_ended(const std::string& text) {
  const std::string own_host = host_name();
  const std::vector<std::string> hosts = gather(own_host), processes = gather(std::to_string(getpid()));
  if (rank() == 0) say_when_interrupted(text, 0);
  if (rank() == 1) say_when_interrupted(text, hosts[0] == own_host ? std::stoi(processes[0]) : 0);
}

std::string own_device(const std::string& selector, int precision, const Team& team) {
  if (team.local_size() == 1) return selector;
  const auto selected = open_device(selector, precision).device();
  if (selected.kind != CHORD_DEVICE_GPU) return selector;
  const auto backend_of = [](const std::string& device) { return device.substr(0, device.find(':')); };
  std::vector<std::string> alike;
  for (const auto& device : chord::devices())
    if (backend_of(device.selector) == backend_of(selected.selector)) alike.push_back(device.selector);
  const auto place = std::find(alike.begin(), alike.end(), std::string(selected.selector)) - alike.begin();
  return alike[(std::size_t(place) + std::size_t(team.local_rank())) % alike.size()];
}

int own_threads(const Team& team) {
  if (team.local_size() == 1 || std::getenv("OMP_NUM_THREADS")) return 0;
  cpu_set_t allowed;
  const int all = std::max(1, int(std::thread::hardware_concurrency()));
  const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : all;
  // Cores that the launcher gave to this rank alone are its own.
  const int online = std::max(all, int(sysconf(_SC_NPROCESSORS_ONLN)));
  return cores * team.local_size() <= online ? cores : std::max(1, online / team.local_size());
}

}  // namespace program
