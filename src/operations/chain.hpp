// A chain of factors that share a pattern: the product W⁽ᴹ⁾…W⁽¹⁾, applied without ever being formed.
#pragma once

#include <memory>
#include <vector>

#include "kernels/walk.hpp"
#include "operations/pattern.hpp"

namespace chord {

class Chain {
 public:
  /// weights: [factors, N, links], or [factors, batch, N, links] with factors of each sequence's own. The chain looks
  /// at the tensor, it does not copy it. `residual`: the first values are added again after each factor. `form`: what
  /// the factors make, P itself or a symmetric matrix (kernels/walk.hpp); the latter has no tape and no gradient here.
  Chain(std::shared_ptr<const Pattern> pattern, Tensor weights, bool residual,
        std::int32_t form = kernels::form_product);

  const Pattern& pattern() const { return *pattern_; }
  const Tensor& weights() const { return weights_; }
  std::int64_t factors() const { return weights_.shape[0]; }
  bool residual() const { return residual_; }
  std::int32_t form() const { return form_; }
  /// Whether all sequences have the same factors.
  bool shared_weights() const { return weights_.rank() == 3; }
  /// Sequences with factors of their own; one where they share them.
  std::int64_t sequences() const { return shared_weights() ? 1 : weights_.shape[1]; }

  /// z = chain(v); factors are applied in stored order. Where `tape` is given ([factors − 1, …] of v's shape), the
  /// outputs of all factors but the last are left in it.
  void apply(const Tensor& v, const Tensor& z, const Tensor* tape) const;

  /// z = the transpose of the same linear map, residuals included.
  void apply_transposed(const Tensor& v, const Tensor& z) const;

  /// out[…, r, :] = row indices[r] of the product of the factors, residuals left out.
  void rows(const std::vector<std::int64_t>& indices, const Tensor& out) const;

  /// out[…, :, :] = the product of the factors as a matrix, residuals left out.
  void dense(const Tensor& out) const;

  /// The gradient of ⟨g, chain(v)⟩: (+)= into dw (the weights' shape) and, where given, dv (v's shape). Without a tape
  /// the intermediates are computed again.
  void gradient(const Tensor& v, const Tensor* tape, const Tensor& g, const Tensor& dw, const Tensor* dv,
                bool accumulate) const;

 private:
  std::shared_ptr<const Pattern> pattern_;
  Tensor weights_;
  bool residual_;
  std::int32_t form_;
};

/// The memory that apply, and gradient with a tape, take for themselves at most, with factors of each sequence's own.
std::int64_t chain_scratch_bytes(const DeviceDescription& device, DataType type, std::int64_t n, std::int64_t factors,
                                 std::int64_t sequences, std::int64_t columns);

}  // namespace chord
