#include "blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "counts.hpp"
#include "driver_codes.hpp"
#include "options.hpp"
#include "order.hpp"
#include "reports.hpp"

namespace chord::standin {
namespace {

BlockRunner* runner_of(PtxThread* thread) { return static_cast<BlockRunner*>(thread->block); }

const PtxHost host = {
    [](PtxThread* t, std::uint64_t address, int bytes, int kind, int site) {
      return runner_of(t)->checked_bytes(t, address, bytes, kind, site);
    },
    [](PtxThread* t, std::uint64_t address, int bytes, int kind, int site) {
      runner_of(t)->watch(t, address, bytes, kind, site);
    },
    [](PtxThread* t, std::uint32_t number, std::uint32_t wanted, int site) {
      runner_of(t)->wait_at_barrier(t, number, wanted, site);
    },
    [](PtxThread* t, std::uint32_t mask, std::uint64_t value, std::uint64_t* all, int site) {
      return runner_of(t)->exchange(t, mask, value, all, site);
    },
    [](PtxThread* t, const char* why, int site) { runner_of(t)->stop_thread(t, why, site); },
};

/// Blocks taken at a time: where they are small, more.
std::uint64_t chunk_of(const Launch& launch) { return launch.entry->waits || launch.threads() > 64 ? 1 : 16; }

}  // namespace

// ---- running

void BlockRunner::run(Execution& execution) {
  execution_ = &execution;
  const std::uint64_t blocks = execution.block_order.size(), chunk = chunk_of(launch());
  if (options().races) {
    global_races_ = &races_of(*launch().arena);
    global_races_->begin();
  }
  if (options().counting) counts_ = &warp_counts(launch());
  while (!execution.stopped()) {
    const std::uint64_t first = execution.next_block.fetch_add(chunk);
    if (first >= blocks) break;
    for (std::uint64_t i = first; i < std::min(blocks, first + chunk) && !execution.stopped(); ++i) {
      all_races_ = !options().race_blocks || i < options().race_blocks;
      run_block(execution.block_order[i]);
      if (counts_) count_block(launch(), *counts_, execution.weight());
    }
  }
}

void BlockRunner::run_block(std::uint64_t number) {
  const std::uint32_t bytes = launch().shared();
  block_number_ = number;
  epoch_ = 0;
  shared_.assign(bytes + 64, 0xff);
  if (options().uninitialised) shared_written_.assign(bytes, false);
  if (options().races) {
    if (!shared_races_) shared_races_ = std::make_unique<Races>(std::uint64_t(options().gpu.shared_limit));
    shared_races_->begin();
  }
  arrange(order_, launch().threads(), random_);
  if (launch().entry->waits)
    run_with_waiting(first_thread(number));
  else
    run_without_waiting(first_thread(number));
}

PtxThread BlockRunner::first_thread(std::uint64_t number) {
  PtxThread t{};
  const auto& grid = launch().grid;
  t.ctaid[0] = std::uint32_t(number % grid[0]);
  t.ctaid[1] = std::uint32_t(number / grid[0] % grid[1]);
  t.ctaid[2] = std::uint32_t(number / grid[0] / grid[1]);
  std::copy(grid.begin(), grid.end(), t.nctaid);
  std::copy(launch().block.begin(), launch().block.end(), t.ntid);
  const Arena& arena = *launch().arena;
  t.base = arena.base();
  t.size = arena.size();
  t.delta = arena.delta();
  t.shadow = arena.shadow();
  t.shared = shared_.data() + (64 - reinterpret_cast<std::uintptr_t>(shared_.data()) % 64) % 64;
  t.shared_size = launch().shared();
  t.dynamic_shared = launch().dynamic_shared;
  t.shared_at = launch().entry->shared_at;
  t.variables = launch().variables;
  t.seed = std::uint32_t(options().seed);
  t.host = &host;
  t.block = this;
  return t;
}

void BlockRunner::place(PtxThread& thread, std::uint32_t linear) {
  const auto& block = launch().block;
  thread.tid[0] = linear % block[0];
  thread.tid[1] = linear / block[0] % block[1];
  thread.tid[2] = linear / block[0] / block[1];
  thread.linear = linear;
  thread.lane = linear % 32;
  thread.path = 0;
  if (counts_) thread.counts = &(*counts_)[linear / 32];
}

void BlockRunner::use_stack(PtxThread& thread, std::uint32_t fibre) {
  thread.stack_low = fibres_.stack_low(fibre);
  thread.stack_high = thread.stack_low + Fibres::stack_bytes;
}

// Nobody waits for anybody: all threads one after the other on one fibre, which is there to be left after a fault.
void BlockRunner::run_without_waiting(PtxThread first) {
  fibres_.prepare(0, block_main, this);
  use_stack(first, 0);
  threads_.assign(1, first);
  warps_.clear();
  fibres_.resume(0);
}

void BlockRunner::block_main(void* runner) {
  auto& r = *static_cast<BlockRunner*>(runner);
  const PtxEntry& entry = *r.launch().entry;
  PtxThread& thread = r.threads_[0];
  for (const std::uint32_t linear : r.order_) {
    r.place(thread, linear);
    entry.run(&thread, r.execution_->parameters.data());
  }
  r.abandon();
}

void BlockRunner::run_with_waiting(const PtxThread& first) {
  const std::uint32_t count = launch().threads();
  threads_.assign(count, first);
  states_.assign(count, State::ready);
  waits_at_.resize(count);
  waits_for_.resize(count);
  barriers_.fill({});
  warps_.assign(launch().warps(), {});
  finished_ = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    fibres_.prepare(i, thread_main, this);
    use_stack(threads_[i], i);
    place(threads_[i], i);
    warps_[i / 32].lanes |= 1u << i % 32;
  }
  while (finished_ < count) {
    bool moved = false;
    for (const std::uint32_t i : order_) {
      if (states_[i] != State::ready) continue;
      moved = true;
      fibres_.resume(i);
      if (execution_->stopped()) return;
    }
    if (!moved) return report_deadlock();
    if (options().order == Order::random) arrange(order_, count, random_);
  }
}

void BlockRunner::thread_main(void* runner) {
  auto& r = *static_cast<BlockRunner*>(runner);
  PtxThread* thread = &r.threads_[r.fibres_.current()];
  r.launch().entry->run(thread, r.execution_->parameters.data());
  r.finish_thread(thread);
}

void BlockRunner::finish_thread(PtxThread* thread) {
  states_[thread->linear] = State::finished;
  ++finished_;
  abandon();
}

void BlockRunner::abandon() {
  for (;;) fibres_.pause();
}

void BlockRunner::stop_thread(PtxThread* thread, const char* why, int site) {
  if (!why) finish_thread(thread);
  fault("TRAP", cuda::launch_failed, format("in %s at '%s'", where(thread).c_str(), instruction(site)));
  abandon();
}

// ---- waiting: whoever comes last opens a barrier or completes an exchange

void BlockRunner::wait_at_barrier(PtxThread* thread, std::uint32_t number, std::uint32_t wanted, int site) {
  if (number >= barriers_.size()) {
    fault("BARRIER", code::illegal_instruction, format("number %u in %s", number, where(thread).c_str()));
    abandon();
  }
  Barrier& barrier = barriers_[number];
  const auto all = std::uint32_t(threads_.size());
  if (!barrier.arrived) barrier = {0, wanted ? std::min(wanted, all) : all, thread->linear, {}};
  expect_same_place(thread, barrier, site);
  states_[thread->linear] = State::at_barrier;
  waits_at_[thread->linear] = site;
  waits_for_[thread->linear] = number;
  if (++barrier.arrived == barrier.wanted) open(number);
  while (states_[thread->linear] == State::at_barrier) fibres_.pause();
}

// The whole block has to come to the same instruction, of a barrier for a part of it each warp.
void BlockRunner::expect_same_place(PtxThread* thread, Barrier& barrier, int site) {
  const std::uint64_t place = (std::uint64_t(thread->path) << 32 | std::uint32_t(site)) + 1;
  const bool whole = barrier.wanted == threads_.size();
  std::uint64_t& expected = barrier.places[whole ? 0 : thread->linear / 32];
  if (!expected) expected = place;
  if (expected == place) return;
  const int other = int(std::uint32_t(expected - 1));
  fault("DIVERGENT BARRIER", cuda::launch_failed,
        format("in %s: it comes to '%s', thread %u of the block waits at '%s'%s", where(thread).c_str(),
               instruction(site), barrier.first, instruction(other),
               other == site ? " (another call of the same function)" : ""));
  abandon();
}

void BlockRunner::open(std::uint32_t number) {
  for (std::size_t i = 0; i < threads_.size(); ++i)
    if (states_[i] == State::at_barrier && waits_for_[i] == number) states_[i] = State::ready;
  barriers_[number].arrived = 0;
  ++epoch_;
}

std::uint32_t BlockRunner::exchange(PtxThread* thread, std::uint32_t mask, std::uint64_t value, std::uint64_t* all,
                                    int site) {
  const std::uint32_t first = thread->linear / 32 * 32, bit = 1u << thread->lane;
  Warp& warp = warps_[thread->linear / 32];
  if (!(mask & bit)) {
    fault("WARP", code::illegal_instruction,
          format("%s is not in the mask %#x of '%s'", where(thread).c_str(), mask, instruction(site)));
    abandon();
  }
  mask &= warp.lanes;
  auto found = std::find_if(warp.exchanges.begin(), warp.exchanges.end(),
                            [&](const Exchange& e) { return e.mask == mask && e.site == site; });
  if (found == warp.exchanges.end()) found = warp.exchanges.insert(found, Exchange{mask, 0, site, {}, {}});
  found->arrived |= bit;
  found->values[thread->lane] = value;
  found->results[thread->lane] = all;
  states_[thread->linear] = State::in_exchange;
  waits_at_[thread->linear] = site;
  if (found->arrived == mask) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (!(mask >> lane & 1)) continue;
      std::copy(found->values.begin(), found->values.end(), found->results[lane]);
      states_[first + lane] = State::ready;
    }
    warp.exchanges.erase(found);
    ++warp.epoch;
  }
  while (states_[thread->linear] == State::in_exchange) fibres_.pause();
  return mask;
}

// On the stack of whoever runs the block: every thread waits or has returned.
void BlockRunner::report_deadlock() {
  struct Group {
    std::uint32_t count = 0, first = 0;
  };
  std::map<std::string, Group> groups;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (states_[i] == State::finished) continue;
    Group& group = groups[instruction(waits_at_[i])];
    if (!group.count++) group.first = i;
  }
  const std::uint32_t* block = threads_[0].ctaid;
  std::string message = format("in %s, block %u,%u,%u:", launch().entry->name, block[0], block[1], block[2]);
  for (const auto& [place, group] : groups)
    message += format(" %u threads (first: %u) wait at '%s';", group.count, group.first, place.c_str());
  fault("DEADLOCK", code::launch_timeout, message + format(" %u of %zu have returned", finished_, threads_.size()));
}

// ---- checking

void BlockRunner::fault(const char* kind, cuda::Result error, const std::string& message) {
  report(kind, message, message);
  if (options().abort_on_fault) std::abort();
  execution_->error = error;
}

std::string BlockRunner::where(const PtxThread* t) const {
  return format("%s, block %u,%u,%u thread %u,%u,%u", launch().entry->name, t->ctaid[0], t->ctaid[1], t->ctaid[2],
                t->tid[0], t->tid[1], t->tid[2]);
}

std::string BlockRunner::describe(std::uint64_t address) const {
  if (!ptx_is_shared(address)) return launch().arena->describe(address);
  return format("shared memory at %+ld of %u bytes", long(std::uint32_t(address)) - SHARED_FIRST, launch().shared());
}

// The last bytes of an allocation whose size is no multiple of 8, and pinned memory of the host.
unsigned char* BlockRunner::unusual_bytes(std::uint64_t address, int bytes) const {
  if (ptx_is_shared(address)) return nullptr;
  if (launch().arena->is_allocated(address, bytes)) return launch().arena->bytes(address);
  if (launch().pinned->around(address).contains(address, std::uint64_t(bytes)))
    return reinterpret_cast<unsigned char*>(address);
  return nullptr;
}

unsigned char* BlockRunner::checked_bytes(PtxThread* thread, std::uint64_t address, int bytes, int kind, int site) {
  const bool aligned = address % std::uint64_t(bytes) == 0;
  if (unsigned char* found = aligned ? unusual_bytes(address, bytes) : nullptr) return found;
  const char* what = kind == PTX_LOAD ? "load" : kind == PTX_STORE ? "store" : "atomic access";
  fault(aligned ? "ILLEGAL ADDRESS" : "MISALIGNED ADDRESS", aligned ? cuda::illegal_address : cuda::misaligned_address,
        format("%s of %d bytes in %s at '%s': %s", what, bytes, where(thread).c_str(), instruction(site),
               describe(address).c_str()));
  abandon();
}

void BlockRunner::watch(PtxThread* thread, std::uint64_t address, int bytes, int kind, int site) {
  const bool good =
      ptx_is_shared(address)
          ? std::uint64_t(std::uint32_t(address) - SHARED_FIRST) + std::uint64_t(bytes) <= launch().shared()
          : launch().arena->is_allocated(address, bytes);
  if (!good || address % std::uint64_t(bytes)) return;  // the access itself will be reported, or is not watched
  if (options().uninitialised) watch_initialised(thread, address, bytes, site);
  if (options().races) watch_races(thread, address, bytes, kind, site);
}

/// Whether bytes of shared memory are read that nobody wrote.
bool BlockRunner::note_shared_access(std::uint32_t offset, int bytes, bool reads) {
  bool missing = false;
  for (std::uint32_t i = offset; i < offset + std::uint32_t(bytes); ++i) {
    missing |= reads && !shared_written_[i];
    shared_written_[i] = true;
  }
  return missing;
}

void BlockRunner::watch_initialised(PtxThread* thread, std::uint64_t address, int bytes, int site) {
  const bool reads = launch().module->site[site].kind != PTX_STORE;
  bool missing = false;
  if (ptx_is_shared(address)) {
    missing = note_shared_access(std::uint32_t(address) - SHARED_FIRST, bytes, reads);
  } else {
    missing = reads && launch().arena->unwritten(address, std::uint64_t(bytes));
    if (!reads || missing) launch().arena->mark_written(address, std::uint64_t(bytes));  // saying it once is enough
  }
  if (missing)
    report(
        "UNINITIALISED", format("%s '%s'", launch().entry->name, instruction(site)),
        format("memory read in %s at '%s': %s", where(thread).c_str(), instruction(site), describe(address).c_str()));
}

void BlockRunner::watch_races(PtxThread* thread, std::uint64_t address, int bytes, int kind, int site) {
  const bool shared = ptx_is_shared(address), writes = launch().module->site[site].kind != PTX_LOAD;
  if (!all_races_ && (shared || !writes)) return;
  const std::uint16_t warp_epoch = warps_.empty() ? 0 : warps_[thread->linear / 32].epoch;
  const Races::Access access{std::uint32_t(block_number_),
                             std::uint32_t(site),
                             std::uint16_t(thread->linear),
                             epoch_,
                             warp_epoch,
                             kind == PTX_ATOMIC,
                             true};
  const std::uint64_t start = shared ? SHARED_WINDOW + SHARED_FIRST : launch().arena->base();
  const auto conflict = (shared ? *shared_races_ : *global_races_).touch(address - start, bytes, access, writes);
  if (!conflict) return;
  const auto who = [&](const Races::Access& a) {
    return format("block %u thread %u at '%s'", a.block, unsigned(a.thread), instruction(int(a.site)));
  };
  const char* name = launch().entry->name;
  report("RACE", format("in %s between '%s' and '%s'", name, instruction(int(conflict->other.site)), instruction(site)),
         format("in %s on %s memory (%s): %s, %s, %s", name, shared ? "shared" : "global", conflict->how,
                who(conflict->other).c_str(), who(access).c_str(), describe(start + conflict->offset).c_str()));
}

}  // namespace chord::standin
