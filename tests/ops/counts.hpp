// What the stand-in for the NVIDIA driver (tests/cuda) counts, where it is the driver. Times mean nothing there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace ops {

class Counts {
 public:
  /// None where the driver is another one, or there is none.
  static std::optional<Counts> of_standin();
  void reset() const { reset_(); }
  /// Until the next reset, loads from there are gathers.
  void gathers_from(const void* data, std::size_t bytes) const {
    gathers_(reinterpret_cast<std::uintptr_t>(data), bytes);
  }
  nlohmann::json read() const;

 private:
  void (*reset_)() = nullptr;
  std::size_t (*read_)(char* text, std::size_t bytes) = nullptr;
  void (*gathers_)(unsigned long long address, std::size_t bytes) = nullptr;
};

/// A model and a batch of nothing in particular.
struct TrainingStep {
  const char *name, *description;
  std::int64_t batch, length;
  bool tokens;  ///< its inputs; else two real numbers each
};

/// A step, after those that record it.
nlohmann::json count_training_step(const char* device, const TrainingStep& step, const Counts& counts);

}  // namespace ops
