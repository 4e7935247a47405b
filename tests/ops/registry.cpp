#include "registry.hpp"

#include "cases/chains.hpp"
#include "cases/descent.hpp"
#include "cases/factors.hpp"
#include "cases/fit.hpp"
#include "cases/head.hpp"
#include "cases/inputs.hpp"
#include "cases/networks.hpp"
#include "cases/optimiser.hpp"
#include "cases/products.hpp"
#include "cases/rows.hpp"
#include "device/entry_table.hpp"

namespace ops {
namespace {

template <class Op>
concept HasCase = requires { sizeof(Case<Op>); };

#define CHORD_HAS_CASE(name) \
  static_assert(HasCase<kernels::name>, "the operation " #name " has no case: write one in tests/ops/cases");
CHORD_OPERATIONS(CHORD_HAS_CASE)
#undef CHORD_HAS_CASE

template <class Op>
Variant counted() {
  if constexpr (requires { Case<Op>::counted(); })
    return Case<Op>::counted();
  else
    return Case<Op>::realistic().front();
}

template <class Op, class... Types>
void add(std::vector<Subject>& all, const char* operation, kernels::List<Types...>) {
  (all.push_back({operation, chord::short_type_name<Types>, &Case<Op>::variants, &Case<Op>::realistic, &counted<Op>,
                  &test<Op, Types>, &once<Op, Types>, &time<Op, Types>}),
   ...);
}

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> list;
#define CHORD_ADD(name) add<kernels::name>(list, #name, kernels::name::types());
    CHORD_OPERATIONS(CHORD_ADD)
#undef CHORD_ADD
    return list;
  }();
  return all;
}

int entry_for(const Subject& subject, const chord::DeviceDescription& device) {
  const auto& table = chord::entry_table();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].operation == subject.operation && table[i].type == subject.type && table[i].is_for(device))
      return int(i);
  return -1;
}

}  // namespace ops
