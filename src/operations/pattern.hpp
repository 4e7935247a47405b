// The pattern all factors of a chain share: row i has its non-zeros at columns (i + o_k) mod N.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/product.hpp"
#include "operations/tensor.hpp"

namespace chord {

/// Throws unless a pattern can have so many links.
void expect_link_count(std::int64_t links);

class Pattern {
 public:
  Pattern(const std::shared_ptr<Context>& context, std::int64_t n, std::vector<std::int64_t> offsets);

  std::int64_t n() const { return n_; }
  std::int64_t links() const { return std::int64_t(offsets_.size()); }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }  ///< as given, not reduced
  const std::shared_ptr<Context>& context() const { return reduced_.storage->shared_context(); }
  /// On the device, offsets reduced to 0 ≤ o < n, as kernels want them.
  kernels::Links device_links() const { return {reduced_.data<std::int32_t>(), n_, links()}; }

 private:
  std::int64_t n_;
  std::vector<std::int64_t> offsets_;
  Tensor reduced_;
};

/// 0, 1, b, b², …: `links` of them, the diagonal included. Zero links mean ⌊log2 n⌋ + 1 for base 2,
/// as the paper's code has it, and all powers below n for others.
std::vector<std::int64_t> chord_offsets(std::int64_t n, std::int64_t base, std::int64_t links);

/// 0, 1, −1, b, −b, …; zero links mean all powers up to n / 2.
std::vector<std::int64_t> symmetric_chord_offsets(std::int64_t n, std::int64_t base, std::int64_t links);

/// (b − 1)·⌈log_b n⌉: with so many factors every row reaches every column, a digit of their distance in base b being
/// walked off in at most b − 1 steps. None for n = 1.
std::int64_t full_chain_length(std::int64_t n, std::int64_t base);

}  // namespace chord
