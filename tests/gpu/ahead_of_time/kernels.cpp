// Every entry as DPC++ and AdaptiveCpp compile it ahead of time for a GPU (ahead_of_time_test). It is compiled as HIP
// or CUDA, where functions are for the host unless they say otherwise; SYCL's compilers ask nobody to say it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#pragma clang force_cuda_host_device begin
#include "device/sycl/compiled_launch.hpp"
#pragma clang force_cuda_host_device end

const void* all_of_them() { return chord::compiled::launches(chord::kernels::Entries()); }
