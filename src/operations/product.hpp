// The Chord product of one factor and its gradients, as launches. w is [N, links] (one factor for the whole batch) or
// [batch, N, links]; v, z and their gradients are [N, D] or [batch, N, D].
#pragma once

#include "operations/pattern.hpp"
#include "operations/shapes.hpp"

namespace chord {

/// z (+)= W v
void product(const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z, bool accumulate);

/// z (+)= Wᵀ v: the gradient with respect to the values.
void product_transposed(const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z, bool accumulate);

/// dw (+)= the gradient with respect to the weights; summed over the batch where dw has none.
void product_weights(const Pattern& pattern, const Tensor& dz, const Tensor& v, const Tensor& dw, bool accumulate);

/// A batch of matrices in device memory; a sequence stride of zero repeats one matrix.
template <class T>
struct Rows {
  T* data = nullptr;
  std::int64_t sequence = 0, row = 0;

  operator Rows<const T>() const { return {data, sequence, row}; }
};

template <class T>
Rows<T> rows_of(const Tensor& tensor, const Matrices& shape) {
  return {tensor.data<T>(), shape.sequence_stride, shape.row_stride};
}

/// The same launches on bare pointers, for operations made of several.
template <class T>
void launch_product(Queue& queue, bool transposed, const Pattern& pattern, std::int64_t sequences, std::int64_t columns,
                    Rows<const T> w, Rows<const T> v, Rows<T> z, Rows<const T> add);
template <class T>
void launch_product_weights(Queue& queue, const Pattern& pattern, std::int64_t sequences, std::int64_t summed,
                            std::int64_t columns, Rows<const T> dz, Rows<const T> v, Rows<T> dw, bool accumulate);

}  // namespace chord
