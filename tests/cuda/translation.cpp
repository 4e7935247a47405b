#include "translation.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "options.hpp"
#include "reports.hpp"

namespace chord::standin {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Of some text, going on from another hash (FNV-1a).
std::uint64_t hash(const std::string& text, std::uint64_t before = 14695981039346656037u) {
  for (const unsigned char c : text) before = (before ^ c) * 1099511628211u;
  return before;
}

/// Of the translator: what it once made is not what it would make after a change.
std::uint64_t translator_hash() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(CHORD_STANDIN_TRANSLATOR))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::uint64_t all = hash("");
  for (const fs::path& file : files) all = hash(contents(file), all);
  return all;
}

/// Without what is meant for this process alone: sanitizers, this very library.
std::vector<char*> environment_of_compilers() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, "LD_", 3) != 0) kept.push_back(*variable);
  kept.push_back(nullptr);
  return kept;
}

/// Runs a program with its output in a file; whether it succeeded.
bool succeeds(std::vector<std::string> command, const fs::path& log) {
  std::vector<char*> arguments;
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_of_compilers();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    std::ofstream(log) << arguments[0] << ": " << std::strerror(error);
    return false;
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void translate(const std::string& ptx, const fs::path& object, const std::vector<std::string>& mode) {
  const auto begin = std::chrono::steady_clock::now();
  const fs::path mine = object.string() + "." + std::to_string(getpid());
  const fs::path source = mine.string() + ".ptx", log = mine.string() + ".log";
  std::ofstream(source) << ptx;
  std::vector<std::string> command{"python3", CHORD_STANDIN_TRANSLATOR "/compile_ptx.py", source, object};
  command.insert(command.end(), mode.begin(), mode.end());
  const bool done = succeeds(command, log);
  const std::string said = contents(log);
  fs::remove(source);
  fs::remove(log);
  if (!done) throw NotTranslated(said);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (options().trace) say(format("translated %zu bytes of PTX in %.1f s", ptx.size(), seconds.count()));
}

}  // namespace

const PtxModule& translated(const std::string& ptx) {
  std::vector<std::string> mode;
  if (options().counting) mode.push_back("-DPTX_COUNTS");
  if (options().watching()) mode.push_back("-DPTX_WATCH");
  static const std::uint64_t tools = translator_hash();
  std::uint64_t key = hash(ptx, tools);
  for (const std::string& part : mode) key = hash(part, key);
  fs::create_directories(options().cache);
  const fs::path object = fs::path(options().cache) / format("%016lx.so", key);
  if (!fs::exists(object)) translate(ptx, object, mode);
  void* library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void* table = library ? dlsym(library, "ptx_module") : nullptr;
  if (!table) throw NotTranslated(dlerror());
  return *static_cast<const PtxModule*>(table);
}

}  // namespace chord::standin
