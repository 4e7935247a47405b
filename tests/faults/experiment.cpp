#include "experiment.hpp"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace faults {
namespace {

namespace fs = std::filesystem;

constexpr int seconds_of_a_run = 60;  // after which it hangs

/// What the process of the faults tells the one that watches it.
struct Shared {
  std::atomic<std::int64_t> places, at, tried, refused, problems;
};

const char* name_of(Kind kind) { return kind == Kind::memory ? "memory" : kind == Kind::files ? "files" : "threads"; }

/// From one place that fails to the next.
std::int64_t step(const Experiment& experiment, const Shared& shared) {
  if (experiment.place > 0) return shared.places;
  return experiment.most > 0 ? (shared.places + experiment.most - 1) / experiment.most : 1;
}

std::string title(const Experiment& experiment) {
  return std::string(experiment.scenario.name) + " on " + experiment.device + ", " + name_of(experiment.kind) +
         (experiment.from_then_on ? " from then on" : " once");
}

class Folder {
 public:
  Folder() {
    // In memory where there is such a place: files are synced all the time.
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    std::string pattern = std::string(in_memory ? "/dev/shm" : "/tmp") + "/chord-faults-XXXXXX";
    if (!mkdtemp(pattern.data())) std::abort();
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> temporaries(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& each : fs::recursive_directory_iterator(folder))
    if (each.path().filename().native().starts_with(".chord-")) found.push_back(each.path().native());
  return found;
}

std::int64_t open_files() {
  std::int64_t count = 0;
  for (const auto& each : fs::directory_iterator("/proc/self/fd")) count += !each.path().empty();
  return count;
}

/// The runs of one process.
class Runs {
 public:
  Runs(const Experiment& experiment, Shared& shared, const std::string& folder)
      : experiment_(experiment), scenario_(experiment.scenario), shared_(shared), place_(experiment.device, folder) {}

  /// From this place on.
  void run_all(std::int64_t first) {
    if (!scenario_.cold) warm_up();
    for (std::int64_t place = first; place <= shared_.places; place += step(experiment_, shared_)) run_one(place);
  }

  void count_places() {
    prepare();
    begin(experiment_.kind, 0, false);
    const chord_status status = scenario_.run(place_);
    shared_.places = end();
    if (status != CHORD_SUCCESS) problem(0, "fails without a fault", chord_last_error());
  }

  void run_one(std::int64_t place) {
    shared_.at = place;
    with_fault(place);
    with_none(place);
    if (!scenario_.cold) look_for_leaks(place);
    ++shared_.tried;
  }

 private:
  void prepare() {
    if (scenario_.prepare) scenario_.prepare(place_);
  }

  void warm_up() {
    for (int time = 0; time < 3; ++time) count_places();
    // Errors allocate, too.
    begin(experiment_.kind, 1, false);
    scenario_.run(place_);
    end();
    count_places();
    blocks_ = live_blocks();
    files_ = open_files();
  }

  void with_fault(std::int64_t place) {
    prepare();
    const int undestroyed = failed_destructions();
    begin(experiment_.kind, place, experiment_.from_then_on);
    const chord_status status = scenario_.run(place_);
    end();
    const std::string message = chord_last_error();
    if (status != CHORD_SUCCESS) ++shared_.refused;
    if (!expected(status)) problem(place, chord_status_name(status), message);
    if (failed_destructions() != undestroyed) problem(place, "a handle could not be destroyed", message);
    if (scenario_.check)
      if (const std::string damage = scenario_.check(place_, experiment_.from_then_on); !damage.empty())
        problem(place, "left behind", damage);
    // Without memory not even a folder can be listed, to be removed.
    if (!experiment_.from_then_on || experiment_.kind != Kind::memory) look_for_temporaries(place);
  }

  bool expected(chord_status status) const {
    if (status == CHORD_SUCCESS) return true;
    return status == (experiment_.kind == Kind::files ? CHORD_ERROR_IO_FAILURE : CHORD_ERROR_OUT_OF_MEMORY);
  }

  void with_none(std::int64_t place) {
    prepare();
    if (scenario_.run(place_) != CHORD_SUCCESS) problem(place, "the next run fails", chord_last_error());
  }

  void look_for_temporaries(std::int64_t place) {
    for (const std::string& left : temporaries(place_.folder)) problem(place, "a temporary file was left", left);
  }

  /// What is made once and kept is no leak: it would be lost again and again.
  void look_for_leaks(std::int64_t place) {
    if (settled(blocks_) && open_files() <= files_) return;
    std::int64_t blocks = 0, files = 0;
    bool more = true;
    for (int time = 0; time < 3 && more; ++time) {
      blocks = live_blocks(), files = open_files();
      prepare();
      begin(experiment_.kind, place, experiment_.from_then_on);
      scenario_.run(place_);
      end();
      prepare();
      scenario_.run(place_);
      more = !settled(blocks) || open_files() > files;
    }
    if (more && live_blocks() > blocks)
      problem(place, "blocks of memory are lost", std::to_string(live_blocks() - blocks));
    if (more && open_files() > files) problem(place, "files stay open", std::to_string(open_files() - files));
    blocks_ = live_blocks();
    files_ = open_files();
  }

  /// A thread that was told to end may need a moment.
  static bool settled(std::int64_t most) {
    for (int wait = 0; wait < 2000 && live_blocks() > most; ++wait) usleep(1000);
    return live_blocks() <= most;
  }

  void problem(std::int64_t place, const char* what, const std::string& detail) {
    ++shared_.problems;
    std::printf("%s, place %ld: %s: %s\n", title(experiment_).c_str(), long(place), what, detail.c_str());
    std::fflush(stdout);
  }

  const Experiment& experiment_;
  const Scenario& scenario_;
  Shared& shared_;
  Place place_;
  std::int64_t blocks_ = 0, files_ = 0;
};

/// Waits for a process that shows where it is, and ends one that stays there. Seconds are counted one by one: while the
/// machine pauses both, there is one at most, so that a pause is no hang.
int wait_for(pid_t child, const std::atomic<std::int64_t>& at, const sigset_t& its_end) {
  int status = 0;
  std::int64_t last = -1;
  for (int still = 0; waitpid(child, &status, WNOHANG) == 0;) {
    still = at == last ? still + 1 : 0;
    last = at;
    if (still > seconds_of_a_run) kill(child, SIGALRM);
    constexpr timespec second{1, 0};
    sigtimedwait(&its_end, nullptr, &second);
  }
  return status;
}

/// Runs a body in a process of its own; returns how that ended.
template <class Body>
int in_process(const std::atomic<std::int64_t>& at, const Body& body) {
  std::fflush(stdout);
  sigset_t its_end, before;
  sigemptyset(&its_end);
  sigaddset(&its_end, SIGCHLD);
  sigprocmask(SIG_BLOCK, &its_end, &before);
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    watch_standin();
    body();
    std::exit(0);
  }
  return wait_for(child, at, its_end);
}

void report_end(const Experiment& experiment, Shared& shared, int status) {
  ++shared.problems;
  const std::string how =
      WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit " + std::to_string(WEXITSTATUS(status));
  std::printf("%s, place %ld: the process ended: %s\n", title(experiment).c_str(), long(shared.at.load()), how.c_str());
}

}  // namespace

bool is_there(const std::string& device) {
  const std::atomic<std::int64_t> nowhere = 0;
  return in_process(nowhere, [&] {
           chord_context* context = nullptr;
           if (chord_context_create(device.c_str(), &context) != CHORD_SUCCESS) _exit(1);
           _exit(0);
         }) == 0;
}

Outcome run(const Experiment& experiment) {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Shared& shared = *new (memory) Shared{};
  const Folder folder;
  setenv("XDG_CACHE_HOME", (folder.path() + "/cache").c_str(), 1);
  const auto runs = [&] { return Runs(experiment, shared, folder.path()); };
  const int counted = in_process(shared.at, [&] {
    make_files(Place(experiment.device, folder.path()));
    runs().count_places();
  });
  if (counted != 0) report_end(experiment, shared, counted);
  for (std::int64_t next = experiment.place > 0 ? experiment.place : 1; next <= shared.places;) {
    const bool alone = experiment.scenario.cold || experiment.place > 0;
    shared.at = next;
    const int status =
        in_process(shared.at, [&] { alone&& experiment.scenario.cold ? runs().run_one(next) : runs().run_all(next); });
    if (status != 0) {
      report_end(experiment, shared, status);
      for (const std::string& left : temporaries(folder.path())) fs::remove(left);  // nobody else's fault
    }
    if (status == 0 && !experiment.scenario.cold) break;
    if (experiment.place > 0) break;
    next = shared.at + step(experiment, shared);
  }
  const Outcome outcome{shared.places, shared.tried, shared.refused, shared.problems};
  munmap(memory, sizeof(Shared));
  return outcome;
}

}  // namespace faults
