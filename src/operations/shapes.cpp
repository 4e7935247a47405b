#include "operations/shapes.hpp"

namespace chord {

BatchShape batch_shape(const char* name, const Tensor& tensor, int leading) {
  const int rank = tensor.rank() - leading;
  if (rank != 2 && rank != 3)
    fail(Status::invalid_shape, name, " has shape ", describe(tensor.shape), "; expected ",
         leading ? "[factors, " : "[", "rows, columns] or ", leading ? "[factors, " : "[", "batch, rows, columns]");
  const int row = tensor.rank() - 2, column = tensor.rank() - 1;
  if (tensor.shape[column] > 1 && tensor.strides[column] != 1)
    fail(Status::invalid_shape, name, " has stride ", tensor.strides[column],
         " along its last dimension; expected 1 (rows and batches may be strided, values of a row not)");
  return {rank == 3 ? tensor.shape[leading] : 1, tensor.shape[row], tensor.shape[column]};
}

DataType common_type(const Pattern& pattern, std::initializer_list<NamedTensor> tensors) {
  const auto& [first_name, first] = *tensors.begin();
  for (const auto& [name, tensor] : tensors) {
    if (!tensor) continue;
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

void expect_shape(const char* name, const BatchShape& found, const BatchShape& expected) {
  if (!(found == expected))
    fail(Status::invalid_shape, name, " is a batch of ", found.sequences, " matrices of ", found.rows, " × ",
         found.columns, "; expected ", expected.sequences, " of ", expected.rows, " × ", expected.columns);
}

void expect_apart(const char* name, const Tensor& output, std::initializer_list<NamedTensor> inputs) {
  expect_writable(name, output);
  for (const auto& [input_name, input] : inputs)
    if (input && overlap(output, *input)) fail(Status::invalid_argument, name, " shares memory with ", input_name);
}

}  // namespace chord
