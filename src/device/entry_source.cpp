#include "device/entry_source.hpp"

#include <cstdint>

#include "common/text.hpp"
#include "device/entry_table.hpp"

namespace chord {
namespace {

template <class T>
constexpr const char* type_name = nullptr;
template <>
constexpr const char* type_name<std::int32_t> = "std::int32_t";
template <>
constexpr const char* type_name<std::int64_t> = "std::int64_t";
template <>
constexpr const char* type_name<std::uint32_t> = "std::uint32_t";
template <>
constexpr const char* type_name<std::uint64_t> = "std::uint64_t";
template <>
constexpr const char* type_name<float> = "float";
template <>
constexpr const char* type_name<double> = "double";

template <class T>
std::string parameter_type() {
  if constexpr (std::is_pointer_v<T>) {
    using Pointee = std::remove_pointer_t<T>;
    return text(std::is_const_v<Pointee> ? "const " : "", type_name<std::remove_const_t<Pointee>>, "*");
  } else {
    return type_name<T>;
  }
}

template <class Entry, class... Types>
std::string entry_point(const char* operation, kernels::List<Types...>) {
  using T = typename Entry::T;
  const EntryDescription description = describe_entry<Entry>(operation);
  std::string parameters, arguments;
  int i = 0;
  ((parameters += text(", ", parameter_type<Types>(), " a", i), arguments += text(i ? ", a" : "a", i), ++i), ...);
  const std::string record = text("chord::kernels::", operation), type = type_name<T>;
  const std::string shape = text(record, Entry::devices == kernels::Devices::gpu ? "::gpu<" : "::cpu<", type, ">");
  const std::string put_together =
      text(" {\n  const ", record, "::Arguments<", type, "> arguments{", arguments, "};\n");
  std::string source;
  if constexpr (kernels::is_group<typename Entry::Shape>)
    source = text("CHORD_GROUP_ENTRY(", description.name, parameters, ")", put_together,
                  "  chord::Group group{CHORD_LOCAL_MEMORY};\n  ", record, "::run_group<", type, ", ", shape,
                  ">(group, arguments);\n}\n");
  else
    source =
        text("CHORD_ENTRY ", description.name,
             "(std::size_t points, std::size_t run, std::size_t rows, std::size_t lanes", parameters, ")", put_together,
             "  chord::visit_item(points, run, rows, lanes, [&](std::size_t s, std::size_t r, std::size_t l) {\n    ",
             record, "::run<", type, ", ", shape, ">(s, r, l, arguments);\n  });\n}\n");
  if (description.float64) source = text("#ifndef CHORD_NO_FLOAT64\n", source, "#endif\n");
  if (Entry::devices == kernels::Devices::cpu) source = text("#ifndef CHORD_GPU\n", source, "#endif\n");
  if (Entry::devices == kernels::Devices::gpu) source = text("#ifndef CHORD_CPU\n", source, "#endif\n");
  return source;
}

template <class... Each>
std::string entry_points(const char* operation, kernels::List<Each...>) {
  return (std::string() + ... + entry_point<Each>(operation, kernels::Leaves<typename Each::Arguments>()));
}

}  // namespace

std::string entry_source() {
  std::string source;
#define CHORD_ENTRY_POINTS(name) \
  source += entry_points(#name, kernels::entries_of<kernels::name>(kernels::name::types()));
  CHORD_OPERATIONS(CHORD_ENTRY_POINTS)
#undef CHORD_ENTRY_POINTS
  return source;
}

}  // namespace chord
