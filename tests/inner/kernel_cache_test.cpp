#include "device/sycl/kernel_cache.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "common/file.hpp"

using namespace chord;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> messages;

std::string write_file(const std::string& path, const std::string& content) noexcept {
  try {
    write_atomically(path, {content});
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// A folder of its own, gone afterwards.
struct Fixture {
  Fixture() {
    messages.clear();
    char name[] = "/tmp/chord-cache-XXXXXX";
    folder = mkdtemp(name);
    services = {"source", (folder / "kernels").string(),
                [](LogLevel, const std::string& text) noexcept { messages.push_back(text); }, write_file};
  }
  ~Fixture() { fs::remove_all(folder); }
  fs::path only_file() const { return fs::directory_iterator(folder / "kernels")->path(); }

  fs::path folder;
  ModuleServices services;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "what was written is read, by its identity only") {
  const std::string binary("\0\1\2 binary \n with lines", 24);
  KernelCache(services, "device A").write(binary);
  CHECK(KernelCache(services, "device A").read() == binary);
  CHECK_FALSE(KernelCache(services, "device B").read());
  CHECK(messages.empty());
}

TEST_CASE_FIXTURE(Fixture, "a damaged file is reported and not used") {
  const KernelCache cache(services, "device");
  cache.write("binary of some length");
  std::string good;
  {
    std::ifstream in(only_file(), std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    std::ofstream(only_file(), std::ios::binary) << good.substr(0, cut);
    CHECK_FALSE(cache.read());
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 1;
    std::ofstream(only_file(), std::ios::binary) << bad;
    CHECK_FALSE(cache.read());
  }
  CHECK(messages.size() == 2 * good.size());
  CHECK(messages[0].find("is damaged") != std::string::npos);
  cache.write("binary of some length");
  CHECK(cache.read() == "binary of some length");
}

TEST_CASE_FIXTURE(Fixture, "a folder that cannot be written is a warning") {
  std::ofstream(folder / "kernels") << "a file where the folder should be";
  const KernelCache cache(services, "device");
  cache.write("binary");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].find("cannot write the kernel cache") != std::string::npos);
  CHECK_FALSE(cache.read());
}

TEST_CASE_FIXTURE(Fixture, "writers at the same time leave one whole file and nothing else") {
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t)
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) KernelCache(services, "device").write(std::string(10000, 'x'));
    });
  for (std::thread& writer : writers) writer.join();
  CHECK(KernelCache(services, "device").read() == std::string(10000, 'x'));
  CHECK(std::distance(fs::directory_iterator(folder / "kernels"), fs::directory_iterator()) == 1);
}
