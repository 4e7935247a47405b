// The entries of kernels/entries.hpp as data: what a backend needs to know of them at run time.
#pragma once

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

struct EntryDescription {
  std::string name;  ///< in device binaries: chord_<operation>_<type>, and the kind of device where it matters
  std::string operation;
  std::string type;  ///< f32, f64, i32, u32, u64
  kernels::Devices devices = kernels::Devices::all;
  std::vector<Leaf> leaves;  ///< of its arguments, in order
  bool float64 = false;      ///< computes with doubles, or reads them
  bool group = false;        ///< for work-groups: kernels/group.hpp

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

template <class Entry>
EntryDescription describe_entry(const char* operation) {
  return [&]<class... Types>(kernels::List<Types...>) {
    EntryDescription d;
    d.operation = operation;
    d.type = short_type_name<typename Entry::T>;
    d.devices = Entry::devices;
    d.name = "chord_" + d.operation + "_" + d.type;
    if (d.devices == kernels::Devices::cpu) d.name += "_cpu";
    if (d.devices == kernels::Devices::gpu) d.name += "_gpu";
    d.group = kernels::is_group<typename Entry::Shape>;
    d.leaves = {leaf<Types>()...};
    d.float64 = (std::is_same_v<std::remove_const_t<std::remove_pointer_t<Types>>, double> || ...);
    return d;
  }(kernels::Leaves<typename Entry::Arguments>());
}

/// All of them, in the list's order.
inline const std::vector<EntryDescription>& entry_table() {
  static const std::vector<EntryDescription> table = [] {
    std::vector<EntryDescription> all;
    const auto add = [&]<class... Each>(const char* operation, kernels::List<Each...>) {
      (all.push_back(describe_entry<Each>(operation)), ...);
    };
#define CHORD_ADD(name) add(#name, kernels::entries_of<kernels::name>(kernels::name::types()));
    CHORD_OPERATIONS(CHORD_ADD)
#undef CHORD_ADD
    return all;
  }();
  return table;
}

}  // namespace chord
