// Kernels that are wrong, each in one way.
#include "gpu.hpp"

KERNEL overrun(float* x, unsigned n) {
  if (point() <= n) x[point()] = 1;
}

KERNEL underrun(float* x) { x[int(thread_x()) - 1] = 1; }

extern __attribute__((address_space(3))) float dynamic[];
KERNEL overrun_shared(float* x, int by) {
  dynamic[int(thread_x()) + by] = 1;
  __syncthreads();
  x[thread_x()] = dynamic[thread_x()];
}

KERNEL misaligned(float* x) { *reinterpret_cast<f4*>(x + 1) = f4{1, 2, 3, 4}; }

// Threads 2k and 2k + 1 write to the same place.
KERNEL race_global(float* x) { x[point() / 2] = float(thread_x()); }

// The barrier between reading and writing is missing.
SHARED float reversed[64];
KERNEL missing_barrier(float* out) {
  const unsigned t = thread_x();
  reversed[t] = float(t);
  __syncthreads();
  const float v = reversed[63 - t];
  reversed[t] = v + 1;
  __syncthreads();
  out[t] = reversed[t];
}

// A block reads what the one before it writes.
KERNEL race_blocks(float* x) {
  if (thread_x() == 0) x[block_x() + 1] = x[block_x()];
}

KERNEL race_with_atomic(int* x) {
  if (thread_x())
    __nvvm_atom_add_gen_i(x, 1);
  else
    x[0] = 3;
}

KERNEL copy(const float* x, float* y) { y[thread_x()] = x[thread_x()]; }

SHARED float partly[64];
KERNEL unwritten_shared(float* y) {
  if (thread_x() < 63) partly[thread_x()] = 1;
  __syncthreads();
  y[thread_x()] = partly[thread_x()];
}

KERNEL divergent(int* x) {
  const unsigned t = thread_x();
  if (t % 2)
    asm volatile("bar.sync 0; // odd" ::: "memory");
  else
    asm volatile("bar.sync 0; // even" ::: "memory");
  x[t] = 1;
}

// Some return before the barrier.
SHARED float early[128];
KERNEL early_return(float* x, unsigned n) {
  if (point() >= n) return;
  early[thread_x()] = x[point()];
  __syncthreads();
  x[point()] = early[thread_x() ^ 1];
}

KERNEL two_barriers(int* x) {
  if (thread_x() < 32)
    asm volatile("bar.sync 1, 128;" ::: "memory");
  else
    asm volatile("bar.sync 2, 128;" ::: "memory");
  x[thread_x()] = 1;
}

KERNEL lost_lane(int* x) {
  int v = int(thread_x());
  if (v < 16) v = __nvvm_shfl_sync_bfly_i32(all_lanes, v, 1, whole_warp);
  x[thread_x()] = v;
}

// Rows of 32 bytes that lie anywhere, each taken by one lane: half a sector at a time.
KERNEL gather_by_halves(const f4* in, const unsigned* rows, f4* out) {
  const unsigned row = rows[point()];
  out[2 * point()] = in[2 * row];
  out[2 * point() + 1] = in[2 * row + 1];
}

KERNEL trap(unsigned n) {
  if (thread_x() == n) __builtin_trap();
}
