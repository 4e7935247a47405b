// Gives every target the inputs that are kept for it: seeds, and what the fuzzer once found.
//   chord-fuzz-replay FOLDER     with a folder of inputs for each target
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "targets.hpp"

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What an input of some kilobytes may cost, with a sanitizer, too.
constexpr long most_megabytes = 700;
constexpr double most_seconds = 5;

long peak_megabytes() {
  struct rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// Whether it asked for no more than that.
bool is_cheap(const fuzz::Target& target, const std::string& content) {
  const auto start = std::chrono::steady_clock::now();
  fuzz::run(target, content);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (seconds <= most_seconds && peak_megabytes() <= most_megabytes) return true;
  std::fprintf(stderr, "it took %.1f s and %ld MB; expected %.0f s and %ld MB at most\n", seconds, peak_megabytes(),
               most_seconds, most_megabytes);
  return false;
}

/// Returns how many there were, 0 where one cost too much.
int replay(const fuzz::Target& target, const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::printf("%s\n", entry.path().c_str());
    std::fflush(stdout);  // so that the last line names what ended the process
    if (!is_cheap(target, content_of(entry.path()))) return 0;
    ++count;
  }
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  int inputs = 0;
  for (const fuzz::Target& target : fuzz::targets()) {
    const int found = replay(target, fs::path(arguments[1]) / target.name);
    if (found == 0) {
      std::fprintf(stderr, "%s has no inputs, or a costly one\n", target.name.data());
      return 1;
    }
    inputs += found;
  }
  std::printf("%d inputs of %zu targets\n", inputs, fuzz::targets().size());
}
