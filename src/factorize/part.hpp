// What X̂ may have beside a product of factors: a matrix of another kind that is added to it.
#pragma once

#include <string>
#include <vector>

#include "operations/tensor.hpp"

namespace chord {

/// The values of CHORD_PART_… in chord.h.
enum class PartKind : std::int32_t { factors = 0, low_rank = 1, entries = 2 };

struct PartTraits {
  const char* name;  ///< in files
  const char* meaning;
};

inline constexpr PartTraits part_traits[] = {
    {"factors", "Chord factors, of whose product the constraint makes a matrix"},
    {"low_rank", "U Vᵀ with few columns"},
    {"entries", "single entries"},
};

/// What is to be known of a part without computing.
struct PartSize {
  PartKind kind;
  std::int64_t size;     ///< stored factors, rank, or entries
  std::int64_t numbers;  ///< that are stored; an entry and its place are two
};

struct NamedPartTensor {
  std::string name;  ///< in files and for chord_factorization_get_tensor
  Tensor tensor;
};

/// A part beside the factors.
class Part {
 public:
  virtual ~Part() = default;
  virtual PartSize size() const = 0;
  virtual std::vector<NamedPartTensor> tensors() const = 0;
  /// z += part · v, or its transpose; both are batches of n rows, of the part's type.
  virtual void add(const Tensor& v, const Tensor& z, bool transposed) const = 0;
};

}  // namespace chord
