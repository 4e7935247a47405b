// Modules of PTX, their functions, launches.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <regex>

#include "driver.hpp"
#include "options.hpp"
#include "translation.hpp"

namespace chord::cuda {

using standin::Launch;
using standin::options;
namespace code = standin::code;

namespace {

/// Where a client wants to read why its PTX was refused.
class ErrorLog {
 public:
  ErrorLog(unsigned count, const int* names, void* const* values) {
    for (unsigned i = 0; i < count; ++i) {
      if (names[i] == jit_error_log) text_ = static_cast<char*>(values[i]);
      if (names[i] == jit_error_log_bytes) bytes_ = reinterpret_cast<std::size_t>(values[i]);
    }
  }
  Result refuse(Result error, const std::string& why) {
    standin::say("PTX refused: " + why);
    if (text_ && bytes_) std::snprintf(text_, bytes_, "%s", why.c_str());
    return error;
  }

 private:
  char* text_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The newest PTX that a driver takes, as 10 · version; drivers are 1000 · major + 10 · minor.
int newest_ptx(int driver_version) {
  struct Row {
    int driver, ptx;
  };
  constexpr Row rows[] = {{11000, 70}, {11010, 71}, {11020, 72}, {11030, 73}, {11040, 74}, {11050, 75}, {11060, 76},
                          {11070, 77}, {11080, 78}, {12000, 80}, {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84},
                          {12050, 85}, {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90}};
  int newest = 65;
  for (const Row& row : rows)
    if (driver_version >= row.driver) newest = row.ptx;
  return newest;
}

/// 10 · major + minor of a directive; 0 if it is not there.
int number_after(const std::string& ptx, const char* directive) {
  std::smatch found;
  if (!std::regex_search(ptx, found, std::regex(std::string("\\n\\s*\\.") + directive))) return 0;
  return 10 * std::stoi(found[1]) + std::stoi(found[2]);
}

/// Its variables live in the memory of the device.
void place_variables(Module& module, standin::Arena& memory) {
  for (int i = 0; i < module.table->variables; ++i) {
    const PtxVariable& variable = module.table->variable[i];
    const Address address = memory.allocate(std::max<std::uint64_t>(1, variable.bytes));
    std::memcpy(memory.bytes(address), variable.value, variable.bytes);
    memory.mark_written(address, variable.bytes);
    module.variables.push_back(address);
  }
}

Result load(DriverContext& context, Module** module, const std::string& ptx, ErrorLog log) {
  const int version = number_after(ptx, "version\\s+(\\d+)\\.(\\d)"), newest = newest_ptx(options().driver_version);
  const int target = number_after(ptx, "target\\s+sm_(\\d+)(\\d)");
  const int device = 10 * options().gpu.major + options().gpu.minor;
  if (!version || !target) return log.refuse(invalid_image, "not PTX: no .version or no .target");
  if (version > newest)
    return log.refuse(unsupported_ptx_version, format("it is of version %d.%d, this driver takes %d.%d at most",
                                                      version / 10, version % 10, newest / 10, newest % 10));
  if (target > device)
    return log.refuse(no_binary_for_gpu, format("it is for sm_%d, the device is sm_%d", target, device));
  auto made = std::make_unique<Module>();
  try {
    made->table = &standin::translated(ptx);
  } catch (const std::exception& error) {
    return log.refuse(invalid_ptx, error.what());
  }
  made->context = &context;
  place_variables(*made, context.memory);
  for (const PtxEntry* entry = made->table->entry; entry->name; ++entry)
    made->functions[entry->name] =
        Function{made.get(), entry, standin::default_shared_limit - int(entry->static_shared)};
  for (auto& [name, function] : made->functions) driver().functions.insert(&function);
  *module = made.release();
  driver().modules.insert(*module);
  return success;
}

template <class Body>
Result with_function(const char* call, Function* function, Body body) {
  return with_context(call, [&](DriverContext& context) -> Result {
    return driver().functions.count(function) ? body(context)
                                              : misuse(invalid_handle, format("%s: no such function", call));
  });
}

/// What is wrong with the shape of a launch, and the error for it.
Result check_shape(const Function& function, const Launch& launch) {
  const PtxEntry& entry = *function.entry;
  const auto& [grid, block] = std::pair(launch.grid, launch.block);
  const std::uint64_t threads = std::uint64_t(block[0]) * block[1] * block[2];
  if (!launch.blocks() || !threads || threads > 1024 || block[2] > 64 || grid[1] > 65535 || grid[2] > 65535)
    return misuse(invalid_value, format("%s: grid %u,%u,%u of blocks %u,%u,%u", entry.name, grid[0], grid[1], grid[2],
                                        block[0], block[1], block[2]));
  if (entry.block[0] && !std::equal(block.begin(), block.end(), entry.block))
    return misuse(invalid_value, format("%s: blocks of %u,%u,%u, .reqntid says %u,%u,%u", entry.name, block[0],
                                        block[1], block[2], entry.block[0], entry.block[1], entry.block[2]));
  if (entry.max_threads && threads > entry.max_threads)
    return misuse(launch_out_of_resources,
                  format("%s: %lu threads, .maxntid says %u", entry.name, threads, entry.max_threads));
  if (int(launch.dynamic_shared) > function.dynamic_shared_limit)
    return misuse(invalid_value, format("%s: %u bytes of dynamic shared memory, the limit is %d (cuFuncSetAttribute)",
                                        entry.name, launch.dynamic_shared, function.dynamic_shared_limit));
  return success;
}

}  // namespace

Result cuModuleLoadDataEx(Module** module, const void* image, unsigned count, int* names, void** values) {
  return with_context("cuModuleLoadDataEx", [&](DriverContext& context) -> Result {
    if (const Result refused = refuse_in_capture("cuModuleLoadDataEx")) return refused;
    return load(context, module, static_cast<const char*>(image), ErrorLog(count, names, values));
  });
}

Result cuModuleUnload(Module* module) {
  return with_context("cuModuleUnload", [&](DriverContext&) -> Result {
    if (const Result refused = refuse_in_capture("cuModuleUnload")) return refused;
    if (!driver().modules.count(module)) return misuse(invalid_handle, "cuModuleUnload: no such module");
    finish_all(*module->context);
    for (const Address variable : module->variables) module->context->memory.release(variable);
    for (auto& [name, function] : module->functions) driver().functions.erase(&function);
    driver().modules.erase(module);
    delete module;
    return success;
  });
}

Result cuModuleGetFunction(Function** function, Module* module, const char* name) {
  return with_context("cuModuleGetFunction", [&](DriverContext&) -> Result {
    if (!driver().modules.count(module)) return misuse(invalid_handle, "cuModuleGetFunction: no such module");
    const auto found = module->functions.find(name);
    if (found == module->functions.end()) return not_found;
    *function = &found->second;
    return success;
  });
}

Result cuFuncGetAttribute(int* value, int attribute, Function* function) {
  return with_function("cuFuncGetAttribute", function, [&](DriverContext&) -> Result {
    const PtxEntry& entry = *function->entry;
    const int required = int(entry.block[0] * entry.block[1] * entry.block[2]);
    switch (attribute) {
      case function_max_threads:
        *value = entry.max_threads ? int(entry.max_threads) : required ? required : 1024;
        break;
      case code::function_shared_bytes: *value = int(entry.static_shared); break;
      case code::function_max_dynamic_shared: *value = function->dynamic_shared_limit; break;
      default: *value = 0;  // registers and spills are ptxas's business
    }
    return success;
  });
}

Result cuFuncSetAttribute(Function* function, int attribute, int value) {
  return with_function("cuFuncSetAttribute", function, [&](DriverContext&) -> Result {
    if (attribute != code::function_max_dynamic_shared) return success;
    const int limit = options().gpu.shared_limit - int(function->entry->static_shared);
    if (value < 0 || value > limit)
      return misuse(invalid_value, format("%s: %d bytes of dynamic shared memory, a block can have %d",
                                          function->entry->name, value, limit));
    function->dynamic_shared_limit = value;
    return success;
  });
}

// As with a real driver, a fault shows in a later call.
Result cuLaunchKernel(Function* function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned items_x,
                      unsigned items_y, unsigned items_z, unsigned shared_bytes, Stream* stream, void** parameters,
                      void** extra) {
  return with_stream("cuLaunchKernel", stream, [&](Stream& queue) -> Result {
    if (!driver().functions.count(function)) return misuse(invalid_handle, "cuLaunchKernel: no such function");
    const Module& module = *function->module;
    const PtxEntry& entry = *function->entry;
    DriverContext& context = *queue.context;
    if (module.context != &context)
      return misuse(invalid_handle, format("%s is of another context than the stream", entry.name));
    if (extra || (entry.parameters && !parameters))
      return misuse(invalid_value, format("%s: parameters have to be an array of pointers", entry.name));
    Launch launch{module.table,
                  &entry,
                  module.variables.data(),
                  &context.memory,
                  &driver().pinned,
                  {groups_x, groups_y, groups_z},
                  {items_x, items_y, items_z},
                  shared_bytes,
                  {}};
    if (const Result wrong = check_shape(*function, launch)) return wrong;
    for (int i = 0; i < entry.parameters; ++i) {
      const auto* value = static_cast<const unsigned char*>(parameters[i]);
      launch.parameters.emplace_back(value, value + entry.sizes[i]);
    }
    return enqueue(queue, [&context, launch = std::move(launch)] {
      if (!context.error) context.error = standin::run(launch);
    });
  });
}

}  // namespace chord::cuda
