#include "device/entry_source.hpp"

#include "common/text.hpp"
#include "device/entry_table.hpp"

namespace chord {
namespace {

std::string parameter(const EntryLeaf& leaf) {
  if (leaf.kind != Leaf::pointer) return leaf.type;
  return text(leaf.constant ? "const " : "", leaf.type, "*");
}

std::string entry_point(const EntryDescription& entry) {
  std::string parameters, arguments;
  int i = 0;
  for (const EntryLeaf& leaf : entry.leaves) {
    parameters += text(", ", parameter(leaf), " a", i);
    arguments += text(i ? ", a" : "a", i);
    ++i;
  }
  const std::string record = text("chord::kernels::", entry.operation);
  const std::string shape =
      text(record, entry.devices == kernels::Devices::gpu ? "::gpu<" : "::cpu<", entry.cpp_type, ">");
  const std::string put_together =
      text(" {\n  const ", record, "::Arguments<", entry.cpp_type, "> arguments{", arguments, "};\n");
  std::string source;
  if (entry.group)
    source = text("CHORD_GROUP_ENTRY(", entry.name, parameters, ")", put_together,
                  "  chord::Group group{CHORD_LOCAL_MEMORY};\n  ", record, "::run_group<", entry.cpp_type, ", ", shape,
                  ">(group, arguments);\n}\n");
  else
    source =
        text("CHORD_ENTRY ", entry.name, "(std::size_t points, std::size_t run, std::size_t rows, std::size_t lanes",
             parameters, ")", put_together,
             "  chord::visit_item(points, run, rows, lanes, [&](std::size_t s, std::size_t r, std::size_t l) {\n    ",
             record, "::run<", entry.cpp_type, ", ", shape, ">(s, r, l, arguments);\n  });\n}\n");
  if (entry.float64) source = text("#ifndef CHORD_NO_FLOAT64\n", source, "#endif\n");
  if (entry.devices == kernels::Devices::cpu) source = text("#ifndef CHORD_GPU\n", source, "#endif\n");
  if (entry.devices == kernels::Devices::gpu) source = text("#ifndef CHORD_CPU\n", source, "#endif\n");
  return source;
}

}  // namespace

std::string entry_source() {
  std::string source;
  for (const EntryDescription& entry : entry_table()) source += entry_point(entry);
  return source;
}

}  // namespace chord
