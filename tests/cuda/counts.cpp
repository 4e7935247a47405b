#include "counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "options.hpp"
#include "standin.hpp"

namespace chord::standin {
namespace {

using nlohmann::json;

constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint32_t lanes = 32, banks = 32, bank_bytes = 4;
constexpr std::uint64_t many_sectors = 24;  ///< of a request: hardly two lanes share one

/// Of a memory instruction. The k-th time that each lane of a warp comes to it makes one request.
struct Accesses {
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t executions = 0;                        ///< by the thread that comes to it most often
  std::uint64_t sectors = 0, ideal_sectors = 0;        ///< of global memory; ideal: if lanes lay side by side
  std::uint64_t passes = 0, ideal_passes = 0;          ///< through shared memory; ideal: without bank conflicts
  std::uint64_t most_sectors = 0;                      ///< of a request
  std::uint64_t scattered = 0;                         ///< requests of many sectors
  std::uint64_t gather_sectors = 0, gather_bytes = 0;  ///< of gathers, and the bytes that lanes want of them
  std::uint64_t same_address = 0;  ///< of atomics: the most lanes that had to queue up, each request

  void add(const Accesses& other, double weight) {
    for (const auto sum : {&Accesses::requests, &Accesses::lanes, &Accesses::sectors, &Accesses::ideal_sectors,
                           &Accesses::passes, &Accesses::ideal_passes, &Accesses::same_address, &Accesses::scattered,
                           &Accesses::gather_sectors, &Accesses::gather_bytes})
      this->*sum += std::uint64_t(std::llround(double(other.*sum) * weight));
    executions = std::max(executions, other.executions);
    most_sectors = std::max(most_sectors, other.most_sectors);
  }
};

struct Kernel {
  const PtxModule* module = nullptr;
  std::uint64_t launches = 0, blocks = 0, threads = 0, warps = 0;
  std::vector<std::uint64_t> warp_instructions, thread_instructions;  ///< by class; of a warp: its busiest lane
  std::map<int, Accesses> accesses;                                   ///< by site
  std::uint64_t block_sectors = 0, stored_sectors = 0;                ///< distinct ones of each block, summed

  /// What a block did that stands for so many.
  void add(const Kernel& block, double weight) {
    for (std::size_t c = 0; c < block.warp_instructions.size(); ++c) {
      warp_instructions[c] += std::uint64_t(std::llround(double(block.warp_instructions[c]) * weight));
      thread_instructions[c] += std::uint64_t(std::llround(double(block.thread_instructions[c]) * weight));
    }
    for (const auto& [site, each] : block.accesses) accesses[site].add(each, weight);
    block_sectors += std::uint64_t(std::llround(double(block.block_sectors) * weight));
    stored_sectors += std::uint64_t(std::llround(double(block.stored_sectors) * weight));
  }
};

struct Copies {
  std::uint64_t count = 0, bytes = 0;
};

struct Counts {
  std::mutex mutex;
  std::uint64_t launches = 0, graph_launches = 0, waits = 0, allocations = 0;
  std::array<Copies, 4> copies{};
  std::map<std::string, Kernel> kernels;
  Ranges gathered;  ///< memory whose loads are gathers
};

void write_profile() { std::ofstream(options().profile_file) << counts_as_json() << '\n'; }

Counts& counts() {
  static Counts& all = []() -> Counts& {
    if (!options().profile_file.empty()) std::atexit(write_profile);
    return *new Counts;
  }();
  return all;
}

void grow(PtxCounts* counts, int site) {
  std::uint32_t& capacity = counts->capacity[site];
  capacity = capacity ? 2 * capacity : 16;
  void* larger = std::realloc(counts->addresses[site], std::size_t(capacity) * lanes * sizeof(std::uint64_t));
  if (!larger) std::abort();
  counts->addresses[site] = static_cast<std::uint64_t*>(larger);
}

template <class T>
T* zeros(int count) {
  return static_cast<T*>(std::calloc(std::size_t(count) + 1, sizeof(T)));
}

/// One request: where the lanes that take part want to go.
struct Request {
  std::array<std::uint64_t, lanes> address{};
  std::array<bool, lanes> active{};
};

template <class T>
std::size_t distinct(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values.size();
}

/// All sectors that a block has touched, and those that it has written.
struct Touched {
  std::unordered_set<std::uint64_t> all, stored;
};

// What lanes want: all accesses of a site are of one size and aligned to it, so they are the same or apart.
void count_gather(const Request& request, const PtxSite& site, Accesses& a) {
  std::vector<std::uint64_t> places, sectors;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t address = request.address[lane];
    if (!request.active[lane] || !counts().gathered.around(address).contains(address, std::uint64_t(site.bytes)))
      continue;
    places.push_back(address);
    sectors.push_back(address / sector_bytes);
  }
  a.gather_bytes += distinct(places) * std::uint64_t(site.bytes);
  a.gather_sectors += distinct(sectors);
}

void count_sectors(const Request& request, const PtxSite& site, const Arena& arena, Accesses& a, Touched& touched) {
  std::vector<std::uint64_t> sectors;
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    if (request.active[lane] && arena.holds(request.address[lane]))
      sectors.push_back(request.address[lane] / sector_bytes);
  a.lanes += sectors.size();
  a.ideal_sectors += (sectors.size() * std::uint64_t(site.bytes) + sector_bytes - 1) / sector_bytes;
  const std::uint64_t count = distinct(sectors);
  a.sectors += count;
  a.most_sectors = std::max(a.most_sectors, count);
  if (count >= many_sectors) ++a.scattered;
  touched.all.insert(sectors.begin(), sectors.end());
  if (site.kind != PTX_LOAD) touched.stored.insert(sectors.begin(), sectors.end());
}

// Accesses of 8 bytes go by half a warp, those of 16 by a quarter. Within one, different words of a bank take a pass
// each.
void count_passes(const Request& request, int bytes, Accesses& a) {
  const std::uint32_t words_each = std::max(1u, std::uint32_t(bytes) / bank_bytes), group = lanes / words_each;
  for (std::uint32_t first = 0; first < lanes; first += group) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t lane = first; lane < first + group; ++lane) {
      if (!request.active[lane] || !ptx_is_shared(request.address[lane])) continue;
      ++a.lanes;
      for (std::uint32_t k = 0; k < words_each; ++k)
        words.push_back(std::uint32_t(request.address[lane]) / bank_bytes + k);
    }
    if (!distinct(words)) continue;
    std::array<std::uint32_t, banks> in_bank{};
    for (const std::uint32_t word : words) ++in_bank[word % banks];
    a.passes += *std::max_element(in_bank.begin(), in_bank.end());
    ++a.ideal_passes;
  }
}

void count_same_address(const Request& request, Accesses& a) {
  std::unordered_map<std::uint64_t, std::uint64_t> queues;
  std::uint64_t longest = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    if (request.active[lane]) longest = std::max(longest, ++queues[request.address[lane]]);
  a.same_address += longest;
}

void count_site(const Launch& launch, const PtxCounts& warp, int site, Accesses& a, Touched& touched) {
  const std::uint32_t* visits = warp.visits + std::size_t(site) * lanes;
  const PtxSite& s = launch.module->site[site];
  a.executions = std::max<std::uint64_t>(a.executions, *std::max_element(visits, visits + lanes));
  for (std::uint32_t k = 0; k < *std::max_element(visits, visits + lanes); ++k) {
    Request request;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      request.active[lane] = visits[lane] > k;
      if (request.active[lane]) request.address[lane] = warp.addresses[site][std::size_t(k) * lanes + lane];
    }
    ++a.requests;
    count_sectors(request, s, *launch.arena, a, touched);
    if (s.kind == PTX_LOAD) count_gather(request, s, a);
    count_passes(request, s.bytes, a);
    if (s.kind == PTX_ATOMIC) count_same_address(request, a);
  }
}

void count_instructions(const PtxModule& module, const std::uint32_t* visits, int block, Kernel& kernel) {
  const std::uint64_t most = *std::max_element(visits, visits + lanes);
  const std::uint64_t all = std::accumulate(visits, visits + lanes, std::uint64_t(0));
  for (int c = 0; c < module.classes; ++c) {
    const std::uint64_t instructions = module.block_classes[block * module.classes + c];
    kernel.warp_instructions[std::size_t(c)] += most * instructions;
    kernel.thread_instructions[std::size_t(c)] += all * instructions;
  }
}

void count_warp(const Launch& launch, PtxCounts& warp, Kernel& kernel, Touched& touched) {
  const PtxModule& module = *launch.module;
  const auto visited = [](const std::uint32_t* visits) {
    return std::any_of(visits, visits + lanes, [](auto n) { return n; });
  };
  for (const int* f = launch.entry->functions; *f >= 0; ++f) {
    const PtxFunction *function = module.function + *f, *next = function + 1;
    for (int block = function->first_block; block < next->first_block; ++block) {
      std::uint32_t* visits = warp.blocks + std::size_t(block) * lanes;
      if (!visited(visits)) continue;
      count_instructions(module, visits, block, kernel);
      std::fill_n(visits, lanes, 0u);
    }
    for (int site = function->first_site; site < next->first_site; ++site) {
      std::uint32_t* visits = warp.visits + std::size_t(site) * lanes;
      if (!visited(visits)) continue;
      count_site(launch, warp, site, kernel.accesses[site], touched);
      std::fill_n(visits, lanes, 0u);
    }
  }
}

json by_class(const Kernel& kernel, const std::vector<std::uint64_t>& instructions) {
  json all = json::object();
  for (std::size_t c = 0; c < instructions.size(); ++c)
    if (instructions[c]) all[kernel.module->class_names[c]] = instructions[c];
  return all;
}

json as_json(const PtxSite& site, const Accesses& a) {
  return {{"instruction", site.text},
          {"kind", site.kind == PTX_LOAD    ? "load"
                   : site.kind == PTX_STORE ? "store"
                                            : "atomic"},
          {"bytes", site.bytes},
          {"requests", a.requests},
          {"lanes", a.lanes},
          {"executions", a.executions},
          {"most_sectors", a.most_sectors},
          {"scattered", a.scattered},
          {"gather_sectors", a.gather_sectors},
          {"gather_bytes", a.gather_bytes},
          {"sectors", a.sectors},
          {"ideal_sectors", a.ideal_sectors},
          {"passes", a.passes},
          {"ideal_passes", a.ideal_passes},
          {"same_address", a.same_address}};
}

json as_json(const std::string& name, const Kernel& kernel) {
  json all = {{"name", name},
              {"launches", kernel.launches},
              {"blocks", kernel.blocks},
              {"threads", kernel.threads},
              {"warps", kernel.warps}};
  if (!options().counting) return all;
  all["warp_instructions"] = by_class(kernel, kernel.warp_instructions);
  all["thread_instructions"] = by_class(kernel, kernel.thread_instructions);
  all["block_sectors"] = kernel.block_sectors;
  all["stored_sectors"] = kernel.stored_sectors;
  all["accesses"] = json::array();
  for (const auto& [site, accesses] : kernel.accesses)
    all["accesses"].push_back(as_json(kernel.module->site[site], accesses));
  return all;
}

}  // namespace

void count_launch(const Launch& launch) {
  Counts& all = counts();
  const std::lock_guard lock(all.mutex);
  ++all.launches;
  Kernel& kernel = all.kernels[launch.entry->name];
  kernel.module = launch.module;
  ++kernel.launches;
  kernel.blocks += launch.blocks();
  kernel.threads += launch.blocks() * launch.threads();
  kernel.warps += launch.blocks() * launch.warps();
  kernel.warp_instructions.resize(std::size_t(launch.module->classes));
  kernel.thread_instructions.resize(std::size_t(launch.module->classes));
}

void count_graph_launch() {
  const std::lock_guard lock(counts().mutex);
  ++counts().graph_launches;
}

void count_wait() {
  const std::lock_guard lock(counts().mutex);
  ++counts().waits;
}

void count_allocation() {
  const std::lock_guard lock(counts().mutex);
  ++counts().allocations;
}

void count_copy(CopyKind kind, std::uint64_t bytes) {
  const std::lock_guard lock(counts().mutex);
  Copies& copies = counts().copies[std::size_t(kind)];
  ++copies.count;
  copies.bytes += bytes;
}

// Kept for the next launch of the same module: the arrays are as long as its tables.
std::vector<PtxCounts>& warp_counts(const Launch& launch) {
  static auto& all = *new std::map<const PtxModule*, std::vector<PtxCounts>>;
  const PtxModule& module = *launch.module;
  std::vector<PtxCounts>& warps = all[&module];
  while (warps.size() < launch.warps())
    warps.push_back({zeros<std::uint32_t>(module.blocks * int(lanes)), zeros<std::uint32_t>(module.sites * int(lanes)),
                     zeros<std::uint32_t>(module.sites), zeros<std::uint64_t*>(module.sites), grow});
  return warps;
}

void count_block(const Launch& launch, std::vector<PtxCounts>& warps, double weight) {
  const std::lock_guard lock(counts().mutex);
  Kernel block;
  block.warp_instructions.resize(std::size_t(launch.module->classes));
  block.thread_instructions.resize(std::size_t(launch.module->classes));
  Touched touched;
  for (std::uint32_t w = 0; w < launch.warps(); ++w) count_warp(launch, warps[w], block, touched);
  block.block_sectors = touched.all.size();
  block.stored_sectors = touched.stored.size();
  counts().kernels[launch.entry->name].add(block, weight);
}

std::string counts_as_json() {
  Counts& all = counts();
  const std::lock_guard lock(all.mutex);
  json out = {{"launches", all.launches},
              {"graph_launches", all.graph_launches},
              {"waits", all.waits},
              {"allocations", all.allocations},
              {"kernels", json::array()}};
  const std::array names{"to_device", "to_host", "on_device", "on_host"};
  for (std::size_t i = 0; i < names.size(); ++i)
    out["copies"][names[i]] = {{"count", all.copies[i].count}, {"bytes", all.copies[i].bytes}};
  for (const auto& [name, kernel] : all.kernels) out["kernels"].push_back(as_json(name, kernel));
  return out.dump();
}

void reset_counts() {
  Counts& all = counts();
  const std::lock_guard lock(all.mutex);
  all.launches = all.graph_launches = all.waits = all.allocations = 0;
  all.copies = {};
  all.kernels.clear();
  all.gathered = {};
}

void count_gathers(std::uint64_t address, std::uint64_t bytes) {
  const std::lock_guard lock(counts().mutex);
  counts().gathered.add({address, bytes});
}

}  // namespace chord::standin

extern "C" {

__attribute__((visibility("default"))) std::size_t chord_standin_counts_json(char* text, std::size_t bytes) {
  const std::string all = chord::standin::counts_as_json();
  if (bytes) {
    const std::size_t length = std::min(bytes - 1, all.size());
    std::memcpy(text, all.data(), length);
    text[length] = 0;
  }
  return all.size();
}

__attribute__((visibility("default"))) void chord_standin_reset_counts() { chord::standin::reset_counts(); }

__attribute__((visibility("default"))) void chord_standin_count_gathers(unsigned long long address, std::size_t bytes) {
  chord::standin::count_gathers(address, bytes);
}
}
