// How operations read tensors: batches of row-major matrices of one type in one context.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "common/error.hpp"
#include "operations/pattern.hpp"
#include "operations/tensor.hpp"

namespace chord {

/// [sequences, rows, columns] or, without a batch, [rows, columns]: one sequence.
struct Matrices {
  std::int64_t sequences, rows, columns;
  std::int64_t sequence_stride, row_stride;
};

/// `leading` dimensions come before the matrices (a chain's factors) and are left to the caller.
Matrices matrices(const char* name, const Tensor& tensor, int leading = 0);

/// All float32 or all float64 on the context of the pattern; returns which.
DataType common_type(const Pattern& pattern, std::initializer_list<std::pair<const char*, const Tensor*>> tensors);

/// Throws unless `tensor`, called `name`, has these extents.
void expect_matrices(const char* name, const Matrices& found, std::int64_t sequences, std::int64_t rows,
                     std::int64_t columns);

/// Throws where an output shares memory with an input, or with itself.
void expect_apart(const char* output_name, const Tensor& output, const char* input_name, const Tensor& input);

/// Runs action with a zero of the C++ type: with_type(type, [](auto zero) { using T = decltype(zero); … }).
template <class Action>
void with_type(DataType type, Action action) {
  if (type == DataType::float32)
    action(float());
  else
    action(double());
}

}  // namespace chord
