#include "machine.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>

#include "kernels/vector.hpp"

namespace {

template <class Body>
double best_seconds(int repetitions, Body body) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double stream_bandwidth() {
  const std::size_t count = std::size_t(32) << 20;
  const std::unique_ptr<float[]> a(new float[count]), b(new float[count]), c(new float[count]);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) a[i] = b[i] = c[i] = float(i);
  const double seconds = best_seconds(8, [&] {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + 3.0f * c[i];
  });
  return 3.0 * sizeof(float) * double(count) / seconds;
}

#if defined(__AVX512F__)
constexpr int width = 16;
#else
constexpr int width = 8;
#endif
using Vector = chord::kernels::vector<float, width>;

/// Twelve independent chains hide the latency of a fused multiply-add on every processor of today.
float multiply_add(long iterations, float start) {
  Vector x0 = Vector{} + start, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6,
         x7 = x0 + 7, x8 = x0 + 8, x9 = x0 + 9, xa = x0 + 10, xb = x0 + 11;
  const Vector scale = Vector{} + 0.999f;
  for (long i = 0; i < iterations; ++i) {
    x0 = x0 * scale + scale, x1 = x1 * scale + scale, x2 = x2 * scale + scale, x3 = x3 * scale + scale;
    x4 = x4 * scale + scale, x5 = x5 * scale + scale, x6 = x6 * scale + scale, x7 = x7 * scale + scale;
    x8 = x8 * scale + scale, x9 = x9 * scale + scale, xa = xa * scale + scale, xb = xb * scale + scale;
  }
  const Vector sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + xa + xb;
  return sum[0];
}

double multiply_add_peak() {
  const long iterations = 4'000'000;
  volatile float sink = 0;
  const double seconds = best_seconds(8, [&] {
    float total = 0;
#pragma omp parallel reduction(+ : total)
    total += multiply_add(iterations, float(omp_get_thread_num()));
    sink = total;
  });
  return 2.0 * 12 * width * double(iterations) * omp_get_max_threads() / seconds;
}

}  // namespace

Machine measure_machine() { return {stream_bandwidth(), multiply_add_peak()}; }

double roofline_seconds(const Machine& machine, double operations, double bytes) {
  return std::max(operations / machine.peak, bytes / machine.bandwidth);
}
