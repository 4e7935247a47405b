#include "operations/shapes.hpp"

#include "common/size.hpp"

namespace chord {

Matrices matrices(const char* name, const Tensor& tensor, int leading) {
  const int rank = tensor.rank() - leading;
  if (rank != 2 && rank != 3)
    fail(Status::invalid_shape, name, " has shape ", describe(tensor.shape), "; expected ",
         leading ? "[factors, " : "[", "rows, columns] or ", leading ? "[factors, " : "[", "batch, rows, columns]");
  const int row = tensor.rank() - 2, column = tensor.rank() - 1;
  if (tensor.shape[column] > 1 && tensor.strides[column] != 1)
    fail(Status::invalid_shape, name, " has stride ", tensor.strides[column],
         " along its last dimension; expected 1 (rows and batches may be strided, values of a row not)");
  const bool batched = rank == 3;
  checked_int32(tensor.shape[column], "the number of columns");
  return {batched ? tensor.shape[leading] : 1, tensor.shape[row], tensor.shape[column],
          batched ? tensor.strides[leading] : 0, tensor.strides[row]};
}

DataType common_type(const Pattern& pattern, std::initializer_list<std::pair<const char*, const Tensor*>> tensors) {
  const auto& [first_name, first] = *tensors.begin();
  for (const auto& [name, tensor] : tensors) {
    if (tensor->type != DataType::float32 && tensor->type != DataType::float64)
      fail(Status::invalid_type, name, " is ", name_of(tensor->type), "; expected float32 or float64");
    if (tensor->type != first->type)
      fail(Status::invalid_type, name, " is ", name_of(tensor->type), ", but ", first_name, " is ",
           name_of(first->type), "; expected one type");
    if (&tensor->context() != pattern.context().get())
      fail(Status::context_mismatch, name, " and the pattern belong to different contexts");
  }
  if (first->type == DataType::float64 && !pattern.context()->device().has_float64)
    fail(Status::unsupported, pattern.context()->device().name, " has no float64");
  return first->type;
}

void expect_matrices(const char* name, const Matrices& found, std::int64_t sequences, std::int64_t rows,
                     std::int64_t columns) {
  if (found.sequences != sequences || found.rows != rows || found.columns != columns)
    fail(Status::invalid_shape, name, " is a batch of ", found.sequences, " matrices of ", found.rows, " × ",
         found.columns, "; expected ", sequences, " of ", rows, " × ", columns);
}

void expect_apart(const char* output_name, const Tensor& output, const char* input_name, const Tensor& input) {
  expect_writable(output_name, output);
  if (overlap(output, input)) fail(Status::invalid_argument, output_name, " shares memory with ", input_name);
}

}  // namespace chord
