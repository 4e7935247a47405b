// Gives every target the inputs that are kept for it: seeds, and what the fuzzer once found.
//   chord-fuzz-replay FOLDER     with a folder of inputs for each target
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

/// Returns how many there were.
int replay(const fuzz::Target& target, const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::printf("%s\n", entry.path().c_str());
    std::fflush(stdout);  // so that the last line names what ended the process
    fuzz::run(target, content_of(entry.path()));
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
      std::fprintf(stderr, "%s has no inputs\n", target.name.data());
      return 1;
    }
    inputs += found;
  }
  std::printf("%d inputs of %zu targets\n", inputs, fuzz::targets().size());
}
