// What the tests of chord_mpi.h share: this rank, what went wrong at it, and checksums of bits.
#pragma once

#include <chord/chord_mpi.h>
#include <mpi.h>

#include <chord/chord.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

inline int rank, ranks, mistakes;

/// Ends all ranks where a call has failed.
inline void mpi(chord_status status) {
  if (status == CHORD_SUCCESS) return;
  std::fprintf(stderr, "rank %d: %s\n", rank, chord_mpi_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// That a call has failed, with this in its message.
inline void expect_told(chord_status found, chord_status wanted, const char* message) {
  if (found == wanted && std::strstr(chord_mpi_last_error(), message)) return;
  std::fprintf(stderr, "rank %d: status %d, '%s'; expected %d, '%s'\n", rank, found, chord_mpi_last_error(), wanted,
               message);
  ++mistakes;
}

/// Goes on from another one's.
inline std::uint64_t checksum(const std::vector<double>& values, std::uint64_t sum = 1469598103934665603U) {
  for (const double value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    sum = (sum ^ bits) * 1099511628211U;
  }
  return sum;
}

/// A tensor's values, of 32 or 64 bits.
inline std::vector<double> numbers_of(const chord::Tensor& tensor) {
  if (tensor.info().type == CHORD_FLOAT64) return tensor.to_host<double>();
  const std::vector<float> values = tensor.to_host<float>();
  return {values.begin(), values.end()};
}

/// A test: its argument is a device, the host unless given. Returns main's result.
template <class Work>
int run_test(int argc, char** argv, const Work& work) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    chord::Context context(argc > 1 ? argv[1] : "host");
    work(context);
  }
  MPI_Finalize();
  return mistakes != 0;
}
