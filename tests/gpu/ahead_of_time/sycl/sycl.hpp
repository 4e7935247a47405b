// As much of SYCL as device/sycl/compiled_launch.hpp needs, for a Clang that compiles HIP or CUDA and has neither's
// headers: a kernel becomes what AdaptiveCpp makes of it for such a GPU.
#pragma once

#include <cstddef>

namespace sycl {

class context {};
class device {};

template <int>
struct range {
  explicit range(std::size_t) {}
};
template <int>
struct nd_range {
  nd_range(std::size_t, std::size_t) {}
};

template <int>
struct group {};

template <int>
class nd_item {
 public:
#ifdef __AMDGCN__
  std::size_t get_group(int) const { return __builtin_amdgcn_workgroup_id_x(); }
  std::size_t get_local_id(int) const { return __builtin_amdgcn_workitem_id_x(); }
  std::size_t get_local_range(int) const { return __builtin_amdgcn_workgroup_size_x(); }
#elif defined(__NVPTX__)
  std::size_t get_group(int) const { return __nvvm_read_ptx_sreg_ctaid_x(); }
  std::size_t get_local_id(int) const { return __nvvm_read_ptx_sreg_tid_x(); }
  std::size_t get_local_range(int) const { return __nvvm_read_ptx_sreg_ntid_x(); }
#endif
  std::size_t get_global_id(int) const { return get_group(0) * get_local_range(0) + get_local_id(0); }
  sycl::group<1> get_group() const { return {}; }
};

inline void group_barrier(group<1>) {
#ifdef __AMDGCN__
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#elif defined(__NVPTX__)
  __syncthreads();
#endif
}

class handler;
extern __attribute__((shared)) char local_memory[];

template <class T, int>
struct local_accessor {
  local_accessor(range<1>, handler&) {}
  T& operator[](std::size_t i) const { return reinterpret_cast<T*>(local_memory)[i]; }
};

template <class Body>
__attribute__((global)) void kernel(Body body) {
  body(nd_item<1>());
}

class handler {
 public:
  template <class Body>
  void parallel_for(nd_range<1>, const Body&) {
    launched = reinterpret_cast<const void*>(&kernel<Body>);
  }
  const void* launched = nullptr;
};

class queue {
 public:
  template <class Submit>
  void submit(Submit submit) {
    handler here;
    submit(here);
  }
  template <class Body>
  void parallel_for(nd_range<1> range, const Body& body) {
    handler().parallel_for(range, body);
  }
};

}  // namespace sycl
