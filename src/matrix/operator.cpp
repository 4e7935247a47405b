#include "matrix/operator.hpp"

#include <algorithm>

namespace chord {
namespace {

/// to(:, to_first …) = from(:, from_first …)
void copy_columns(const Panel& from, std::int64_t from_first, std::int64_t count, Panel& to, std::int64_t to_first) {
  for (std::int64_t row = 0; row < from.n; ++row)
    std::copy_n(from.row(row) + from_first, count, to.row(row) + to_first);
}

}  // namespace

Panel leading_columns(const Panel& panel, std::int64_t count) {
  Panel result(panel.n, std::min(count, panel.columns));
  copy_columns(panel, 0, result.columns, result, 0);
  return result;
}

Panel Operator::times(const Panel& in, bool transposed) const {
  Panel out(in.n, in.columns);
  for (std::int64_t first = 0; first < in.columns; first += widest) {
    const std::int64_t count = std::min(widest, in.columns - first);
    if (count == in.columns) {
      apply(in.values.data(), out.values.data(), count, transposed);
      break;
    }
    Panel some(in.n, count), product(in.n, count);
    copy_columns(in, first, count, some, 0);
    apply(some.values.data(), product.values.data(), count, transposed);
    copy_columns(product, 0, count, out, first);
  }
  return out;
}

}  // namespace chord
