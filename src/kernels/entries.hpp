// The entry points of devices, as they follow from the records: one for each operation, type and shape.
#pragma once

#include "fields.hpp"
#include "list.hpp"

namespace chord::CHORD_KERNELS {

/// Which devices an entry is for.
enum class Devices { all, cpu, gpu };

template <class Op, class Type, class ItsShape, Devices For>
struct Entry {
  using Operation = Op;
  using T = Type;
  using Shape = ItsShape;
  using Arguments = typename Op::template Arguments<Type>;
  static constexpr Devices devices = For;
};

template <class Op, class T>
constexpr auto entries_of() {
  using Cpu = typename Op::template cpu<T>;
  using Gpu = typename Op::template gpu<T>;
  if constexpr (std::is_same_v<Cpu, Gpu>)
    return List<Entry<Op, T, Cpu, Devices::all>>();
  else if constexpr (std::is_same_v<Gpu, NotThere>)
    return List<Entry<Op, T, Cpu, Devices::cpu>>();
  else if constexpr (std::is_same_v<Cpu, NotThere>)
    return List<Entry<Op, T, Gpu, Devices::gpu>>();
  else
    return List<Entry<Op, T, Cpu, Devices::cpu>, Entry<Op, T, Gpu, Devices::gpu>>();
}

template <class Op, class... Types>
constexpr auto entries_of(List<Types...>) {
  return typename Joined<List<>, decltype(entries_of<Op, Types>())...>::type();
}

#define CHORD_ENTRIES(name) , decltype(entries_of<name>(name::types()))
using Entries = typename Joined<List<> CHORD_OPERATIONS(CHORD_ENTRIES)>::type;
#undef CHORD_ENTRIES

/// An entry's place in the list identifies it across all ways of compiling; −1 where there is none.
template <class Op, class T>
constexpr int entry_number(Devices kind) {
  int found = -1, next = 0;
  [&]<class... Each>(List<Each...>) {
    ((std::is_same_v<typename Each::Operation, Op> && std::is_same_v<typename Each::T, T> &&
              (Each::devices == kind || Each::devices == Devices::all)
          ? found = next++
          : next++),
     ...);
  }(Entries());
  return found;
}

}  // namespace chord::CHORD_KERNELS
