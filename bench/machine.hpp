// What this machine can do at best, measured just before the benchmarks: the two lines of the roofline.
#pragma once

struct Machine {
  double bandwidth;  ///< bytes per second of a[i] = b[i] + s·c[i] over arrays far larger than the caches
  double peak;       ///< float32 operations per second of independent fused multiply-adds in registers
};

Machine measure_machine();

/// The least time that so much work can take.
double roofline_seconds(const Machine& machine, double operations, double bytes);
