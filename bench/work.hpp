// What a benchmark does, so that its time can be set in relation to the machine and to the others.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine.hpp"

struct Work {
  std::string operation;  ///< product, product_gradient_values, …
  std::string runner;     ///< a device, or the library that stands beside ours
  std::int64_t n, d, batch;
  double operations, bytes;  ///< arithmetic, and memory traffic that cannot be avoided
};

/// Registers a benchmark: prepare() is called when it is about to run and returns what is timed.
void register_work(const Machine& machine, const Work& work, std::function<std::function<void()>()> prepare);

/// Everything registered, in order.
const std::vector<Work>& registered_work();
std::string name_of(const Work& work);

void register_operations(const Machine& machine);
void register_models(const Machine& machine);
void register_peers(const Machine& machine);

inline const std::int64_t lengths[] = {1 << 10, 1 << 12, 1 << 14, 1 << 17};
inline const std::int64_t widths[] = {8, 32, 128};
inline std::int64_t links_of(std::int64_t n) { return __builtin_ctzll(std::uint64_t(n)) + 1; }
inline std::int64_t factors_of(std::int64_t n) { return links_of(n) - 1; }
