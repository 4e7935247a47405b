// Kernels compiled on the user's machine for the device at hand, by the compiler in the SYCL runtime (DPC++).
//
// All kernels a kind of device uses are compiled in one go. On OpenCL devices the binary is kept on disk and loaded
// by OpenCL itself, which takes milliseconds: a warm start never loads the compiler.
#include <dlfcn.h>

#include <array>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <sycl/backend/opencl.hpp>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "device/entry_table.hpp"
#include "device/sycl/kernel_cache.hpp"
#include "device/sycl/sycl_kernels.hpp"

namespace chord {
namespace {

namespace syclex = sycl::ext::oneapi::experimental;

/// The entries compiled for a device.
std::vector<int> numbers_for(const DeviceDescription& device) {
  std::vector<int> numbers;
  for (int number = 0; number < int(entry_table().size()); ++number)
    if (entry_table()[number].is_for(device)) numbers.push_back(number);
  return numbers;
}

// -ffast-math is left out on purpose: it makes the CPU device's functions wrong in the fifth digit.
std::vector<std::string> build_options(const DeviceDescription& device, const sycl::device& asked) {
  constexpr std::uint32_t wide = 64 / sizeof(float);
  std::vector<std::string> options{"-O3", "-ffp-contract=fast", "-w",
                                   device.cpu_like() ? "-DCHORD_CPU" : "-DCHORD_GPU"};
  if (device.cpu_like() && asked.get_info<sycl::info::device::native_vector_width_float>() >= wide)
    options.push_back("-DCHORD_WIDE_REGISTERS");
  if (!device.has_float64) options.push_back("-DCHORD_NO_FLOAT64");
  return options;
}

/// The few OpenCL calls that loading a binary takes, from the library that the SYCL runtime has already loaded.
class OpenCl {
 public:
  static const OpenCl* get() {
    static const OpenCl library;
    return library.complete_ ? &library : nullptr;
  }
#define CHORD_OPENCL(X)        \
  X(clCreateProgramWithBinary) \
  X(clBuildProgram) X(clCreateKernel) X(clGetKernelInfo) X(clGetProgramInfo) X(clReleaseProgram) X(clReleaseKernel)
#define CHORD_MEMBER(f) decltype(&::f) f = nullptr;
  CHORD_OPENCL(CHORD_MEMBER)

 private:
  OpenCl() {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library) return;
#define CHORD_LOOK_UP(f) f = reinterpret_cast<decltype(&::f)>(dlsym(library, #f));
    CHORD_OPENCL(CHORD_LOOK_UP)
#define CHORD_FOUND(f) &&f
    complete_ = true CHORD_OPENCL(CHORD_FOUND);
  }
  bool complete_ = false;
};

class RuntimeKernels final : public SyclKernels {
 public:
  RuntimeKernels(const sycl::context& context, const sycl::device& device, const DeviceDescription& description,
                 const ModuleServices& services)
      : context_(context),
        device_(device),
        description_(description),
        largest_group_(device.get_info<sycl::info::device::max_work_group_size>()),
        kernels_(entry_table().size()) {
    const OpenCl* opencl = device.get_backend() == sycl::backend::opencl ? OpenCl::get() : nullptr;
    if (!opencl) {
      compile(services, false);
      return;
    }
    const KernelCache cache(services, identity(services));
    if (const auto binary = cache.read()) {
      const std::string problem = load(*opencl, *binary);
      if (problem.empty()) return;
      cache.discard(problem);
    }
    compile(services, true);
    try {
      cache.write(binary_of(*opencl));
    } catch (const std::exception& error) {
      services.log(LogLevel::warning, text("the compiled kernels cannot be kept: ", error.what()));
    }
  }

  void run(sycl::queue& queue, int number, Grid grid, const void* const* leaves) override {
    const ItemRange range = item_range(grid, description_, largest_group_);
    const EntryDescription& entry = entry_table()[number];
    if (!kernels_[number]) fail(Status::internal, "kernel ", entry.name, " is not built for ", description_.name);
    if (!description_.cpu_like()) expect_points(entry, grid);
    queue.submit([&](sycl::handler& handler) {
      int i = 0;
      if (!entry.group)
        for (const std::size_t value : item_arguments(grid, range)) handler.set_arg(i++, value);
      for (const EntryLeaf& leaf : entry.leaves) {
        const void* value = *leaves++;
        switch (leaf.kind) {
          case Leaf::pointer: handler.set_arg(i++, *static_cast<void* const*>(value)); break;
          case Leaf::int32: handler.set_arg(i++, *static_cast<const std::int32_t*>(value)); break;
          case Leaf::int64: handler.set_arg(i++, *static_cast<const std::int64_t*>(value)); break;
          case Leaf::float32: handler.set_arg(i++, *static_cast<const float*>(value)); break;
          case Leaf::float64: handler.set_arg(i++, *static_cast<const double*>(value)); break;
        }
      }
      if (entry.group) {
        // Not as a temporary object, which set_arg would take for a plain value.
        syclex::work_group_memory<kernels::LocalLine[]> local(local_lines(grid), handler);
        handler.set_arg(i, local);
      }
      handler.parallel_for(sycl::nd_range<1>(range.items, range.group), *kernels_[number]);
    });
  }

 private:
  /// What comes before an entry's own arguments.
  std::array<std::size_t, 4> item_arguments(const Grid& grid, const ItemRange& range) const {
    if (description_.cpu_like()) return {grid.points(), range.run, grid.rows, grid.lanes};
    const kernels::GridForGpu gpu(grid);
    return {gpu.points, gpu.shifts, gpu.rows, gpu.lanes};
  }

  std::string identity(const ModuleServices& services) const {
    std::string all = services.kernel_source;
    for (const std::string& option : build_options(description_, device_)) all += option + '\n';
    return all + device_.get_info<sycl::info::device::name>() + '\n' +
           device_.get_info<sycl::info::device::driver_version>() + '\n' +
           device_.get_platform().get_info<sycl::info::platform::version>();
  }

  void compile(const ModuleServices& services, bool kept) {
    services.log(LogLevel::info, text("compiling kernels for ", description_.name, kept ? ", once…" : "…"));
    std::string messages;
    try {
      auto source =
          syclex::create_kernel_bundle_from_source(context_, syclex::source_language::sycl, services.kernel_source);
      auto bundle = syclex::build(
          source, {device_},
          syclex::properties{syclex::build_options{build_options(description_, device_)}, syclex::save_log{&messages}});
      for (const int number : numbers_for(description_))
        kernels_[number] = bundle.ext_oneapi_get_kernel(entry_table()[number].name);
    } catch (const sycl::exception& error) {
      fail(Status::compilation_failed, "the kernels cannot be compiled for ", description_.name, ": ", error.what(),
           messages.empty() ? "" : "\n", messages);
    }
  }

  /// Empty, or what is wrong with the binary.
  std::string load(const OpenCl& opencl, const std::string& binary) {
    const cl_context context = sycl::get_native<sycl::backend::opencl>(context_);
    const cl_device_id device = sycl::get_native<sycl::backend::opencl>(device_);
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const std::size_t size = binary.size();
    cl_int status = CL_SUCCESS, error = CL_SUCCESS;
    const cl_program program = opencl.clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error);
    if (!program || error || status) return text("clCreateProgramWithBinary: ", error, ", ", status);
    std::string problem;
    if ((error = opencl.clBuildProgram(program, 1, &device, "", nullptr, nullptr)))
      problem = text("clBuildProgram: ", error);
    try {
      for (const int number : numbers_for(description_)) {
        if (!problem.empty()) break;
        problem = load_kernel(opencl, program, number);
      }
    } catch (const std::exception& error) {
      problem = error.what();
    }
    opencl.clReleaseProgram(program);
    return problem;
  }

  std::string load_kernel(const OpenCl& opencl, cl_program program, int number) {
    const EntryDescription& entry = entry_table()[number];
    cl_int error = CL_SUCCESS;
    const cl_kernel kernel = opencl.clCreateKernel(program, ("__sycl_kernel_" + entry.name).c_str(), &error);
    if (!kernel || error) return text("clCreateKernel ", entry.name, ": ", error);
    cl_uint count = 0;
    opencl.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
    const std::size_t expected = entry.leaves.size() + (entry.group ? 1 : 4);
    if (count == expected) kernels_[number] = sycl::make_kernel<sycl::backend::opencl>(kernel, context_);
    opencl.clReleaseKernel(kernel);
    return count == expected ? "" : text(entry.name, " has ", count, " parameters, expected ", expected);
  }

  std::string binary_of(const OpenCl& opencl) const {
    const cl_kernel kernel = sycl::get_native<sycl::backend::opencl>(*kernels_[numbers_for(description_).front()]);
    cl_program program = nullptr;
    opencl.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
    std::size_t size = 0;
    opencl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
    std::string binary(size, '\0');
    auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
    opencl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr);
    opencl.clReleaseKernel(kernel);
    return binary;
  }

  sycl::context context_;
  sycl::device device_;
  DeviceDescription description_;
  std::size_t largest_group_;
  std::vector<std::optional<sycl::kernel>> kernels_;
};

/// The kernels of one device, built or being built.
struct Build {
  std::shared_future<std::shared_ptr<SyclKernels>> kernels;
  std::thread::id builder;
};

}  // namespace

const char* const sycl_backend_name = "runtime";

// Every context of a device shares its kernels: they are built once per process, without a lock, because building logs
// and a log callback may call the library.
std::shared_ptr<SyclKernels> make_sycl_kernels(const sycl::context& context, const sycl::device& device,
                                               const DeviceDescription& description, const ModuleServices& services) {
  // Never destroyed: at exit the SYCL runtime goes before this module does.
  static std::mutex& mutex = *new std::mutex;
  static auto& builds = *new std::map<std::string, Build>;
  std::promise<std::shared_ptr<SyclKernels>> promise;
  {
    std::unique_lock lock(mutex);
    if (const auto found = builds.find(description.selector); found != builds.end()) {
      const Build build = found->second;
      lock.unlock();
      const bool ready = build.kernels.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
      if (!ready && build.builder == std::this_thread::get_id())
        fail(Status::invalid_argument, description.selector,
             " is being opened by this very thread; a log callback cannot open it");
      return build.kernels.get();
    }
    builds.emplace(description.selector, Build{promise.get_future().share(), std::this_thread::get_id()});
  }
  try {
    auto kernels = std::make_shared<RuntimeKernels>(context, device, description, services);
    promise.set_value(kernels);
    return kernels;
  } catch (...) {
    // The end of a thread in a log callback passes here, too, and is no exception that others could be given.
    std::exception_ptr problem = std::current_exception();
    if (!problem)
      problem =
          std::make_exception_ptr(Error(Status::device_failure, "the thread that compiled the kernels has ended"));
    promise.set_exception(problem);
    const std::lock_guard lock(mutex);
    builds.erase(description.selector);  // the next one may have more luck
    throw;
  }
}

}  // namespace chord
