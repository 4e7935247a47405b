// What Clang offers to kernels for NVIDIA GPUs, under shorter names.
#pragma once

#define KERNEL extern "C" __attribute__((nvptx_kernel)) void
#define SHARED static __attribute__((address_space(3)))

using f4 = __attribute__((vector_size(16))) float;

inline unsigned thread_x() { return __nvvm_read_ptx_sreg_tid_x(); }
inline unsigned thread_y() { return __nvvm_read_ptx_sreg_tid_y(); }
inline unsigned block_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
inline unsigned block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
inline unsigned threads_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
inline unsigned threads_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
/// Of a launch in one dimension.
inline unsigned point() { return block_x() * threads_x() + thread_x(); }

inline constexpr unsigned all_lanes = ~0u, whole_warp = 31;
