// The entries of kernels/entries.hpp as data: what a backend needs to know of them at run time.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "device/queue.hpp"
#include "kernels/entries.hpp"

namespace chord {

enum class Leaf { pointer, int32, int64, float32, float64 };

template <class T>
constexpr Leaf leaf() {
  if (std::is_pointer_v<T>) return Leaf::pointer;
  if (std::is_same_v<T, float>) return Leaf::float32;
  if (std::is_same_v<T, double>) return Leaf::float64;
  static_assert(std::is_pointer_v<T> || sizeof(T) == 4 || sizeof(T) == 8);
  return sizeof(T) == 4 ? Leaf::int32 : Leaf::int64;
}

template <class T>
constexpr const char* type_name = nullptr;
template <>
inline constexpr const char* type_name<std::int32_t> = "std::int32_t";
template <>
inline constexpr const char* type_name<std::int64_t> = "std::int64_t";
template <>
inline constexpr const char* type_name<std::uint32_t> = "std::uint32_t";
template <>
inline constexpr const char* type_name<std::uint64_t> = "std::uint64_t";
template <>
inline constexpr const char* type_name<float> = "float";
template <>
inline constexpr const char* type_name<double> = "double";

template <class T>
constexpr const char* short_type_name = nullptr;
template <>
inline constexpr const char* short_type_name<float> = "f32";
template <>
inline constexpr const char* short_type_name<double> = "f64";
template <>
inline constexpr const char* short_type_name<std::int32_t> = "i32";
template <>
inline constexpr const char* short_type_name<std::uint32_t> = "u32";
template <>
inline constexpr const char* short_type_name<std::uint64_t> = "u64";

/// One of an entry's arguments: a number, or the address of some.
struct EntryLeaf {
  Leaf kind;
  const char* type;  ///< of the numbers
  bool constant, float64;
};

template <class T>
constexpr EntryLeaf entry_leaf() {
  using Number = std::remove_pointer_t<T>;
  using Plain = std::remove_const_t<Number>;
  return {leaf<T>(), type_name<Plain>, std::is_const_v<Number>, std::is_same_v<Plain, double>};
}

template <class... Types>
inline constexpr EntryLeaf entry_leaves[] = {entry_leaf<Types>()...};

/// What only the compiler knows of an entry, as constants: a function for each of them would take long to compile.
struct EntryFacts {
  const char* type;      ///< f32, f64, i32, u32, u64
  const char* cpp_type;  ///< float, …
  kernels::Devices devices;
  bool group;
  std::span<const EntryLeaf> leaves;
};

template <class Entry, class... Types>
constexpr EntryFacts entry_facts(kernels::List<Types...>) {
  using T = typename Entry::T;
  return {short_type_name<T>, type_name<T>, Entry::devices, kernels::is_group<typename Entry::Shape>,
          entry_leaves<Types...>};
}

struct EntryDescription : EntryFacts {
  std::string name;  ///< in device binaries: chord_<operation>_<type>, and the kind of device where it matters
  std::string operation;
  bool float64;  ///< computes with doubles, or reads them

  EntryDescription(const char* operation, const EntryFacts& facts)
      : EntryFacts(facts),
        name(std::string("chord_") + operation + "_" + type),
        operation(operation),
        float64(std::any_of(leaves.begin(), leaves.end(), [](const EntryLeaf& each) { return each.float64; })) {
    if (devices == kernels::Devices::cpu) name += "_cpu";
    if (devices == kernels::Devices::gpu) name += "_gpu";
  }

  /// Whether a device has this entry.
  bool is_for(const DeviceDescription& device) const {
    const auto other = device.cpu_like() ? kernels::Devices::gpu : kernels::Devices::cpu;
    return devices != other && (device.has_float64 || !float64);
  }
};

/// Throws Status::too_large where a launch has more points than a GPU's kernels count.
inline void expect_points(const EntryDescription& entry, Grid grid) {
  constexpr std::size_t most = 0x7fffffff;
  if (grid.points() > most)
    fail(Status::too_large, entry.name, " would need ", grid.points(), entry.group ? " groups" : " points",
         "; a GPU takes up to ", most);
}

/// All of them, in the list's order.
inline const std::vector<EntryDescription>& entry_table() {
  static const std::vector<EntryDescription> table = [] {
    std::vector<EntryDescription> all;
    const auto add = [&]<class... Each>(const char* operation, kernels::List<Each...>) {
      static constexpr EntryFacts facts[] = {entry_facts<Each>(kernels::Leaves<typename Each::Arguments>())...};
      for (const EntryFacts& each : facts) all.emplace_back(operation, each);
    };
#define CHORD_ADD(name) add(#name, kernels::entries_of<kernels::name>(kernels::name::types()));
    CHORD_OPERATIONS(CHORD_ADD)
#undef CHORD_ADD
    return all;
  }();
  return table;
}

}  // namespace chord
