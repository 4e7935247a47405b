#include "device/sycl/kernel_source.hpp"

#include <cstdint>
#include <vector>

#include "common/error.hpp"
#include "device/entry_table.hpp"
#include "device/kernel_headers.hpp"

namespace chord {
namespace {

// The parts of SYCL that entry points need; the whole of <sycl/sycl.hpp> would take five times as long to compile.
constexpr const char* preamble = R"(// Kernels of SparseChord, as given to the SYCL compiler at run time.
#include <sycl/ext/oneapi/experimental/free_function_traits.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
)";

// On a CPU a work-group is one work-item, which visits a run of points.
// All entries claim float64 where it is there: otherwise the compiler would make two device images, one with and one
// without, and a program would have two binaries to keep.
constexpr const char* entry_form = R"(
#define CHORD_PROPERTY(...) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::__VA_ARGS__))
#ifdef CHORD_CPU
#define CHORD_GROUP CHORD_PROPERTY(work_group_size<1>)
#else
#define CHORD_GROUP
#endif
#ifdef CHORD_NO_FLOAT64
#define CHORD_FLOAT64
#else
#define CHORD_FLOAT64 [[sycl::device_has(sycl::aspect::fp64)]]
#endif
#define CHORD_ENTRY extern "C" CHORD_FLOAT64 CHORD_PROPERTY(nd_range_kernel<1>) CHORD_GROUP void

namespace chord {
template <class Body>
CHORD_INLINE void visit_item(std::size_t points, std::size_t run, std::size_t rows, std::size_t lanes, Body body) {
  const std::size_t first = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0) * run;
  kernels::visit({first, first + run < points ? first + run : points}, rows, lanes, body);
}
}  // namespace chord

)";

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
  std::string source = text(
      "CHORD_ENTRY ", description.name, "(std::size_t points, std::size_t run, std::size_t rows, std::size_t lanes",
      parameters, ") {\n  const ", record, "::Arguments<", type, "> arguments{", arguments,
      "};\n  chord::visit_item(points, run, rows, lanes, [&](std::size_t s, std::size_t r, std::size_t l) {\n    ",
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

std::string kernel_source() {
  std::string source = text(preamble, kernel_headers, entry_form);
#define CHORD_ENTRY_POINTS(name) \
  source += entry_points(#name, kernels::entries_of<kernels::name>(kernels::name::types()));
  CHORD_OPERATIONS(CHORD_ENTRY_POINTS)
#undef CHORD_ENTRY_POINTS
  return source;
}

}  // namespace chord
