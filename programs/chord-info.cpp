// chord-info: what this library is and which devices it can use here.
#include <nlohmann/json.hpp>

#include "common/options.hpp"
#include "common/program.hpp"

namespace {

void print_kernel_source() { std::fputs(chord::kernel_source(), stdout); }

void print_ptx() {
  const char* ptx = nullptr;
  chord::check(chord_kernel_ptx(&ptx));
  if (!ptx)
    throw std::runtime_error("this library has no kernels for NVIDIA GPUs: there was no Clang 19 when it was built");
  std::fputs(ptx, stdout);
}

void print_json() {
  nlohmann::json info;
  int32_t abi = 0;
  chord::check(chord_abi_version(&abi));
  info["version"] = program::version();
  info["abi_version"] = abi;
  info["cache_directory"] = chord::cache_directory();
  info["backends"] = nlohmann::json::array();
  for (const auto& backend : chord::backends())
    info["backends"].push_back(
        {{"name", backend.name}, {"available", backend.available != 0}, {"detail", backend.detail}});
  info["devices"] = nlohmann::json::array();
  for (const auto& device : chord::devices())
    info["devices"].push_back({{"selector", device.selector},
                               {"name", device.name},
                               {"kind", program::kind_name(device.kind)},
                               {"backend", device.backend},
                               {"units", device.units},
                               {"memory_bytes", device.memory_bytes},
                               {"host_readable", device.host_readable != 0},
                               {"float64", device.has_float64 != 0}});
  std::printf("%s\n", info.dump(2).c_str());
}

void print_text() {
  std::printf("SparseChord %s\n\nBackends\n", program::version().c_str());
  for (const auto& backend : chord::backends())
    std::printf("  %-12s %s%s\n", backend.name, backend.available ? "" : "not available: ", backend.detail);
  std::printf("\nDevices\n  %-12s %-5s %-11s %5s %10s  %s\n", "selector", "kind", "backend", "units", "memory", "name");
  for (const auto& device : chord::devices())
    std::printf("  %-12s %-5s %-11s %5d %6.1f GiB  %s\n", device.selector, program::kind_name(device.kind),
                device.backend, device.units, double(device.memory_bytes) / (1 << 30), device.name);
  const std::string kept = chord::cache_directory();
  std::printf("\nCompiled kernels %s\n", kept.empty() ? "are not kept: there is neither HOME nor CHORD_CACHE_DIR"
                                                      : ("are kept in " + kept).c_str());
}

int show_info(int argc, char** argv) {
  CLI::App app("Shows the version of SparseChord, the backends it was built with, and its devices.", "chord-info");
  bool json = false, kernel_source = false, ptx = false;
  app.add_flag("--json", json, "Print one JSON object");
  app.add_flag("--kernel-source", kernel_source,
               "Print the text that is given to the SYCL compiler at run time, and nothing else");
  app.add_flag("--ptx", ptx, "Print the kernels as PTX, as the NVIDIA driver gets them, and nothing else");
  return program::run(app, argc, argv, [&] {
    if (kernel_source)
      print_kernel_source();
    else if (ptx)
      print_ptx();
    else if (json)
      print_json();
    else
      print_text();
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) { return program::guarded(show_info, argc, argv); }
