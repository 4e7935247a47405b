// What is to be known of an operation beside its record, so that everything here can be done with it.
//
//   variants()                 sizes and flags to test it with: odd ones, empty ones
//   realistic()                sizes to time it at
//   counted()                  where it is there: the one to count a GPU's work at, instead of the first realistic one
//   gathered()                 where it is there: the arrays whose rows are taken from anywhere, as GPUs are to do well
//   arguments<T>(v, memory)    makes its arrays in a device's memory and names them
//   reference(v, arrays)       what a launch does to these arrays, by the definition and in double precision
//   terms(v)                   how many terms the longest sums have, for the tolerance
//
// Every operation has a case: registry.cpp does not compile without.
#pragma once

#include "dense_matrix.hpp"
#include "memory.hpp"
#include "variants.hpp"

namespace ops {

namespace kernels = chord::kernels;

template <class Operation>
struct Case;

}  // namespace ops
