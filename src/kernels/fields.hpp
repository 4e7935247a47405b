// The members of a plain struct, counted and visited: arguments are named where they are written and read, and flat
// where they cross over to a device. For the host's side alone; devices see the flat ones.
#pragma once

#include <type_traits>
#include <utility>

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

struct AnyField {
  template <class T>
  constexpr operator T() const;
};

template <class Struct, class... Fields>
constexpr int field_count() {
  if constexpr (requires { Struct{Fields()..., AnyField()}; })
    return field_count<Struct, Fields..., AnyField>();
  else
    return sizeof...(Fields);
}

/// action(member, …) with all members. C++ can bind them, but not as many as there are.
template <class Struct, class Action>
constexpr auto with_fields(const Struct& object, Action action) {
  constexpr int count = field_count<Struct>();
  static_assert(count >= 1 && count <= 24, "a struct of arguments has 1 to 24 members");
  if constexpr (count == 1) {
    const auto& [a] = object;
    return action(a);
  }
  if constexpr (count == 2) {
    const auto& [a, b] = object;
    return action(a, b);
  }
  if constexpr (count == 3) {
    const auto& [a, b, c] = object;
    return action(a, b, c);
  }
  if constexpr (count == 4) {
    const auto& [a, b, c, d] = object;
    return action(a, b, c, d);
  }
  if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = object;
    return action(a, b, c, d, e);
  }
  if constexpr (count == 6) {
    const auto& [a, b, c, d, e, f] = object;
    return action(a, b, c, d, e, f);
  }
  if constexpr (count == 7) {
    const auto& [a, b, c, d, e, f, g] = object;
    return action(a, b, c, d, e, f, g);
  }
  if constexpr (count == 8) {
    const auto& [a, b, c, d, e, f, g, h] = object;
    return action(a, b, c, d, e, f, g, h);
  }
  if constexpr (count == 9) {
    const auto& [a, b, c, d, e, f, g, h, i] = object;
    return action(a, b, c, d, e, f, g, h, i);
  }
  if constexpr (count == 10) {
    const auto& [a, b, c, d, e, f, g, h, i, j] = object;
    return action(a, b, c, d, e, f, g, h, i, j);
  }
  if constexpr (count == 11) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k);
  }
  if constexpr (count == 12) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l);
  }
  if constexpr (count == 13) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m);
  }
  if constexpr (count == 14) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  }
  if constexpr (count == 15) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  }
  if constexpr (count == 16) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
  if constexpr (count == 17) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  }
  if constexpr (count == 18) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  }
  if constexpr (count == 19) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  }
  if constexpr (count == 20) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  }
  if constexpr (count == 21) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  }
  if constexpr (count == 22) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  }
  if constexpr (count == 23) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  }
  if constexpr (count == 24) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = object;
    return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  }
}

template <class... Lists>
struct Joined;
template <class... Items>
struct Joined<List<Items...>> {
  using type = List<Items...>;
};
template <class... A, class... B, class... Rest>
struct Joined<List<A...>, List<B...>, Rest...> : Joined<List<A..., B...>, Rest...> {};

/// The pointers and numbers at the bottom of a struct, as a list of types.
template <class T>
struct LeavesOf {
  using type = List<T>;
};
template <class T>
using Leaves = typename LeavesOf<T>::type;
template <class Struct>
  requires std::is_class_v<Struct>
struct LeavesOf<Struct> {
  using type = decltype(with_fields(std::declval<const Struct&>(), [](const auto&... field) {
    return typename Joined<Leaves<std::remove_cvref_t<decltype(field)>>...>::type();
  }));
};

template <class... Items>
constexpr std::size_t size_of_list(List<Items...>) {
  return sizeof...(Items);
}

/// A struct put together again from pointers to its leaves.
template <class Struct>
constexpr Struct from_leaves(const void* const* leaves) {
  return [&]<class... Types, std::size_t... I>(List<Types...>, std::index_sequence<I...>) {
    return Struct{*static_cast<const Types*>(leaves[I])...};
  }(Leaves<Struct>(), std::make_index_sequence<size_of_list(Leaves<Struct>())>());
}

/// action(leaf) for each of them, in order.
template <class T, class Action>
constexpr void for_each_leaf(const T& value, Action& action) {
  if constexpr (std::is_class_v<T>)
    with_fields(value, [&](const auto&... field) { (for_each_leaf(field, action), ...); });
  else
    action(value);
}

}  // namespace chord::CHORD_KERNELS
