#include "launch.hpp"

#include <algorithm>
#include <memory>
#include <thread>

#include "blocks.hpp"
#include "counts.hpp"
#include "options.hpp"
#include "order.hpp"

namespace chord::standin {
namespace {

/// Below that many threads of the GPU a second one of the CPU does not pay.
constexpr std::uint64_t worth_sharing = 16384;

int workers_for(const Launch& launch) {
  const std::uint64_t work = launch.blocks() * launch.threads() * (launch.entry->waits ? 8 : 1);
  return work < worth_sharing ? 1 : int(std::min<std::uint64_t>(std::uint64_t(options().threads), launch.blocks()));
}

BlockRunner& runner(std::size_t worker) {
  static auto& all = *new std::vector<std::unique_ptr<BlockRunner>>;
  while (all.size() <= worker) all.push_back(std::make_unique<BlockRunner>());
  return *all[worker];
}

}  // namespace

Execution::Execution(const Launch& of) : launch(of) {
  static std::mt19937_64 random(options().seed);
  for (const auto& value : launch.parameters) parameters.push_back(value.data());
  arrange(block_order, std::uint32_t(launch.blocks()), random);
  take_sample();
}

// Evenly spread, so that beginnings and ends have their share.
void Execution::take_sample() {
  const std::uint64_t wanted = options().sample, all = block_order.size();
  if (wanted == 0 || all <= wanted) return;
  for (std::uint64_t i = 0; i < wanted; ++i) block_order[i] = block_order[(2 * i + 1) * all / (2 * wanted)];
  block_order.resize(wanted);
}

cuda::Result run(const Launch& launch) {
  Execution execution(launch);
  count_launch(launch);
  const int workers = workers_for(launch);
  std::vector<std::thread> others;
  for (int i = 1; i < workers; ++i) {
    BlockRunner& other = runner(std::size_t(i));
    others.emplace_back([&] { other.run(execution); });
  }
  runner(0).run(execution);
  for (std::thread& other : others) other.join();
  return execution.error;
}

}  // namespace chord::standin
