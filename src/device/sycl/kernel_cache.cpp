#include "device/sycl/kernel_cache.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/error.hpp"

namespace chord {
namespace {

// FNV-1a: names files and detects damage; it protects against accidents, not against someone who can write here.
std::uint64_t hash(const std::string& data) {
  std::uint64_t value = 14695981039346656037u;
  for (const unsigned char byte : data) value = (value ^ byte) * 1099511628211u;
  return value;
}

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << std::hex << value;
  return out.str();
}

std::string header(const std::string& identity, const std::string& binary) {
  return text("chord kernels 1\n", hexadecimal(hash(identity)), ' ', binary.size(), ' ', hexadecimal(hash(binary)),
              '\n');
}

}  // namespace

KernelCache::KernelCache(const ModuleServices& services, const std::string& identity)
    : services_(services),
      identity_(identity),
      path_(services.cache_directory + "/" + hexadecimal(hash(identity)) + ".kernels") {}

std::optional<std::string> KernelCache::read() const {
  if (services_.cache_directory.empty()) return {};
  std::ifstream file(path_, std::ios::binary);
  if (!file) return {};
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const std::size_t first = content.find('\n'), second = content.find('\n', first + 1);
  if (first != std::string::npos && second != std::string::npos) {
    std::string binary = content.substr(second + 1);
    if (content.compare(0, second + 1, header(identity_, binary)) == 0) return binary;
  }
  services_.log(LogLevel::warning, text("the kernel cache file ", path_, " is damaged; compiling again"));
  return {};
}

void KernelCache::write(const std::string& binary) const {
  if (services_.cache_directory.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(services_.cache_directory, ignored);
  const std::string problem = services_.write_file(path_, header(identity_, binary) + binary);
  if (problem.empty()) return;
  services_.log(LogLevel::warning, text("cannot write the kernel cache ", path_, " (", problem,
                                        "); kernels will be compiled again at the next start"));
}

void KernelCache::discard(const std::string& reason) const {
  services_.log(LogLevel::warning,
                text("the kernel cache file ", path_, " is unusable (", reason, "); compiling again"));
  unlink(path_.c_str());
}

}  // namespace chord
