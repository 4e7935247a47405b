#include "harness.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace chord::standin_tests {

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("expected " + what);
}

std::string contents(const std::string& path) {
  std::ifstream in(path);
  expect(bool(in), path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Api::Api() {
  void* library = dlopen(CHORD_STANDIN_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  expect(library != nullptr, "to load " CHORD_STANDIN_LIBRARY);
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    expect(function != nullptr, name);
  };
#define CHORD_FIND(name, ...) find(name, #name);
  CHORD_CUDA_FUNCTIONS(CHORD_FIND)
#undef CHORD_FIND
  find(reports, "chord_standin_reports");
  find(counts_json, "chord_standin_counts_json");
  find(reset_counts, "chord_standin_reset_counts");
  find(count_gathers, "chord_standin_count_gathers");
}

Gpu::Gpu(int device) {
  check(api_.cuInit(0), "cuInit");
  check(api_.cuDevicePrimaryCtxRetain(&context_, device), "cuDevicePrimaryCtxRetain");
  check(api_.cuCtxPushCurrent_v2(context_), "cuCtxPushCurrent");
  check(api_.cuStreamCreate(&stream_, cuda::stream_does_not_wait_for_default), "cuStreamCreate");
}

void Gpu::check(Result result, const char* call, Result expected) const {
  const auto name = [&](Result r) {
    const char* text = nullptr;
    api_.cuGetErrorName(r, &text);
    return text ? std::string(text) : std::to_string(r);
  };
  expect(result == expected, std::string(call) + " to give " + name(expected) + ", not " + name(result));
}

Address Gpu::allocate(std::size_t bytes) {
  Address address = 0;
  check(api_.cuMemAlloc_v2(&address, bytes), "cuMemAlloc");
  return address;
}

void Gpu::free(Address address) { check(api_.cuMemFree_v2(address), "cuMemFree"); }

void Gpu::copy(Address to, Address from, std::size_t bytes) {
  check(api_.cuMemcpyAsync(to, from, bytes, stream_), "cuMemcpyAsync");
}

void Gpu::wait() { check(api_.cuStreamSynchronize(stream_), "cuStreamSynchronize"); }

cuda::Module* Gpu::load(const std::string& ptx, Result expected) {
  cuda::Module* module = nullptr;
  char log[1000] = "";
  int names[] = {cuda::jit_error_log, cuda::jit_error_log_bytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  check(api_.cuModuleLoadDataEx(&module, ptx.c_str(), 2, names, values), "cuModuleLoadDataEx", expected);
  if (expected) expect(*log, "a reason in the log");
  return module;
}

cuda::Function* Gpu::kernel(const std::string& name) {
  if (modules_.empty())
    for (const char* file : {"right_kernels.ptx", "wrong_kernels.ptx", "opcodes.ptx"})
      modules_.push_back(load(contents(std::string(CHORD_STANDIN_PTX) + "/" + file)));
  cuda::Function* function = nullptr;
  for (cuda::Module* module : modules_)
    if (api_.cuModuleGetFunction(&function, module, name.c_str()) == cuda::success) return function;
  throw std::runtime_error("no kernel " + name);
}

bool Outcome::says(const std::string& pattern) const { return std::regex_search(messages, std::regex(pattern)); }

namespace {

[[noreturn]] void run_case(const Settings& settings, const std::function<void()>& work, int messages) {
  dup2(messages, 2);
  for (const int signal : {SIGABRT, SIGSEGV}) std::signal(signal, SIG_DFL);  // doctest would explain them at length
  for (const auto& [name, value] : settings)
    setenv((name.rfind("CUDA_", 0) == 0 ? name : "CHORD_STANDIN_" + name).c_str(), value.c_str(), 1);
  int status = 0;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "FAILED: %s\n", error.what());
    status = 1;
  }
  std::exit(status);
}

}  // namespace

Outcome in_child(const Settings& settings, const std::function<void()>& work) {
  int ends[2];
  expect(pipe(ends) == 0, "a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) run_case(settings, work, ends[1]);
  close(ends[1]);
  Outcome outcome;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) outcome.messages.append(buffer, std::size_t(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return outcome;
}

Outcome with_gpu(const Settings& settings, const std::function<void(Gpu&)>& work) {
  return in_child(settings, [&] {
    Gpu gpu;
    work(gpu);
  });
}

}  // namespace chord::standin_tests
