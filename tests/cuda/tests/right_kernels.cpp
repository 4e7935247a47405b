// Kernels that are right, in all the ways the stand-in has to understand.
#include "gpu.hpp"

KERNEL axpy(float a, const float* x, float* y, unsigned n) {
  if (point() < n) y[point()] += a * x[point()];
}

SHARED float left_tile[16][16];
SHARED float right_tile[16][17];
KERNEL matmul(const float* a, const float* b, float* c, unsigned n) {
  const unsigned x = thread_x(), y = thread_y(), row = block_y() * 16 + y, column = block_x() * 16 + x;
  float sum = 0;
  for (unsigned t = 0; t < n; t += 16) {
    left_tile[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;
    right_tile[y][x] = column < n && t + y < n ? b[(t + y) * n + column] : 0;
    __syncthreads();
    for (unsigned k = 0; k < 16; ++k) sum += left_tile[y][k] * right_tile[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// Loads of 16 bytes, dynamic shared memory, and a barrier in every round.
extern __attribute__((address_space(3))) float dynamic[];
KERNEL block_sums(const f4* in, float* out) {
  const unsigned t = thread_x();
  const f4 v = in[point()];
  dynamic[t] = v[0] + v[1] + v[2] + v[3];
  __syncthreads();
  for (unsigned s = threads_x() / 2; s > 0; s /= 2) {
    if (t < s) dynamic[t] += dynamic[t + s];
    __syncthreads();
  }
  if (t == 0) out[block_x()] = dynamic[0];
}

// Rows of 32 bytes that lie anywhere: two lanes have one together.
KERNEL gather_by_pairs(const f4* in, const unsigned* rows, f4* out) {
  out[point()] = in[2 * rows[point() / 2] + point() % 2];
}

SHARED f4 vectors[64];
KERNEL reverse_vectors(const f4* in, f4* out) {
  vectors[thread_x()] = in[point()];
  __syncthreads();
  const f4 v = vectors[63 - thread_x()];
  out[point()] = f4{v[3], v[2], v[1], v[0]};
}

SHARED float square[32][32];
SHARED float padded_square[32][33];
template <class Square>
inline void transpose(Square& tile, const float* in, float* out, unsigned n) {
  const unsigned x = thread_x();
  for (unsigned r = thread_y(); r < 32; r += threads_y())
    tile[r][x] = in[(block_y() * 32 + r) * n + block_x() * 32 + x];
  __syncthreads();
  for (unsigned r = thread_y(); r < 32; r += threads_y())
    out[(block_x() * 32 + r) * n + block_y() * 32 + x] = tile[x][r];
}
KERNEL transpose_with_conflicts(const float* in, float* out, unsigned n) { transpose(square, in, out, n); }
KERNEL transpose_padded(const float* in, float* out, unsigned n) { transpose(padded_square, in, out, n); }

KERNEL shuffles(const int* in, int* out) {
  const int v = in[thread_x()];
  int* o = out + 7 * thread_x();
  o[0] = __nvvm_shfl_sync_bfly_i32(all_lanes, v, 5, whole_warp);
  o[1] = __nvvm_shfl_sync_up_i32(all_lanes, v, 3, 0);
  o[2] = __nvvm_shfl_sync_down_i32(all_lanes, v, 3, whole_warp);
  o[3] = __nvvm_shfl_sync_idx_i32(all_lanes, v, 2, 0x1800 | 7);  // in segments of eight
  o[4] = int(__nvvm_vote_ballot_sync(all_lanes, v & 1));
  o[5] = __nvvm_vote_any_sync(all_lanes, v > 100) + 2 * __nvvm_vote_all_sync(all_lanes, v >= 0);
  const bool low = thread_x() % 32 < 16;  // two halves that do not meet
  o[6] = __nvvm_shfl_sync_bfly_i32(low ? 0xffffu : 0xffff0000u, v, low ? 1 : 2, whole_warp);
}

KERNEL atomics(int* i, float* f, double* d, unsigned long long* l) {
  const int t = int(point());
  __nvvm_atom_add_gen_i(i, t);
  __nvvm_atom_max_gen_i(i + 1, t);
  __nvvm_atom_min_gen_i(i + 2, -t);
  __nvvm_atom_or_gen_i(i + 3, 1 << (t & 31));
  __nvvm_atom_xor_gen_i(i + 4, t);
  __nvvm_atom_cas_gen_i(i + 5, 7, t);
  __nvvm_atom_xchg_gen_i(i + 6, 5);
  __nvvm_atom_add_gen_f(f, 0.5f);
  __nvvm_atom_add_gen_d(d, 0.25);
  __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(l), 1ll << 33);
}

SHARED unsigned halves[128];
KERNEL named_barriers(unsigned* out) {
  const unsigned t = thread_x();
  halves[t] = t;
  if (t < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  out[t] = halves[t ^ 32];
}

// A barrier orders global memory within a block.
KERNEL through_global(float* x) {
  x[point()] = float(thread_x());
  __syncthreads();
  const float v = x[point() ^ 1];
  __syncthreads();
  x[point()] = v;
}

KERNEL bytes(unsigned char* x) { x[point()] = static_cast<unsigned char>(thread_x()); }

__attribute__((address_space(4))) extern const float table[4];
__attribute__((address_space(4))) const float table[4] = {1, 2, 4, 8};
__attribute__((address_space(1))) int factor = 5;
KERNEL variables(float* out) { out[thread_x()] = table[thread_x() & 3] * float(factor); }

// A function that is called, waits, gives back a value and keeps an array on the stack; a jump by a table.
SHARED int exchanged[64];
[[gnu::noinline]] int next_of(int v) {
  exchanged[thread_x()] = v;
  __syncthreads();
  v = exchanged[(thread_x() + 1) % 64];
  __syncthreads();
  return v;
}
[[gnu::noinline]] void store_all(volatile int* values, int n) {
  for (int i = 0; i < n; ++i) values[i] = i * i;
}
KERNEL calls(const int* which, int* out) {
  volatile int squares[8];
  store_all(squares, 8);
  int v = next_of(next_of(int(thread_x())));
  switch (which[thread_x()]) {
    case 0: v += squares[7]; break;
    case 1: v *= 3; break;
    case 2: v = __builtin_popcount(unsigned(v)); break;
    case 3: v -= 1000; break;
    case 4: v ^= 0x5555; break;
    case 5: v = -v; break;
    default: v = 0;
  }
  out[thread_x()] = v;
}

SHARED float ring[128];
KERNEL rounds(float* x, int n) {
  const unsigned t = thread_x();
  ring[t] = float(t);
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    const float v = ring[(t + 1) % 128];
    __syncthreads();
    ring[t] = v;
  }
  x[point()] = ring[t];
}
