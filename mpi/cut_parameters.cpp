#include "mpi/cut_parameters.hpp"

#include <algorithm>

namespace parallel {
namespace {

void add_run(std::vector<CutParameters::Run>& runs, std::int64_t first, std::int64_t count) {
  if (!runs.empty() && runs.back().first + runs.back().count == first)
    runs.back().count += count;
  else
    runs.push_back({first, count});
}

}  // namespace

CutParameters::CutParameters(const chord::Model& block, const ModelText& description, std::int64_t blocks) {
  const bool flatten = description.has("pooling", "\"flatten\"");
  const auto kind_of = [&](const std::string& name) {
    if (name == "pos_embedding.weight") return Kind::cut;
    if (name.rfind("final", 0) != 0) return Kind::shared;
    return flatten && (name == "final.weight" || name == "final.0.weight") ? Kind::cut : Kind::of_first;
  };
  std::int64_t first = 0;
  for (const std::string& name : block.parameter_names()) {
    const chord_tensor_info info = block.parameter(name).info();
    std::int64_t count = 1;
    for (int i = 0; i < info.rank; ++i) count *= info.shape[i];
    const Kind kind = kind_of(name);
    // Positions are rows, which is one row of them all; a head's weights have a row for each output.
    const std::int64_t rows = name.rfind("final", 0) == 0 ? info.shape[0] : 1;
    const std::int64_t columns = count / std::max<std::int64_t>(rows, 1);
    pieces_.push_back({kind, rows, columns, first, kind == Kind::cut ? columns * blocks : columns, whole_size_});
    if (kind == Kind::shared) add_run(shared_, first, count);
    if (kind == Kind::of_first) add_run(of_first_, first, count);
    first += count;
    whole_size_ += rows * pieces_.back().whole_columns;
  }
}

std::int64_t CutParameters::shared_size() const {
  std::int64_t size = 0;
  for (const Run& run : shared_) size += run.count;
  return size;
}

/// move(place in the block's, place in the whole model's, how many)
template <class Move>
void CutParameters::for_each_row(std::int64_t block, const Move& move) const {
  for (const Piece& piece : pieces_) {
    if (piece.kind == Kind::of_first && block != 0) continue;
    const std::int64_t skipped = piece.kind == Kind::cut ? block * piece.columns : 0;
    for (std::int64_t row = 0; row < piece.rows; ++row)
      move(piece.first + row * piece.columns, piece.whole_first + row * piece.whole_columns + skipped, piece.columns);
  }
}

template <class T>
void CutParameters::cut(const std::vector<T>& whole, std::int64_t block, std::vector<T>& part) const {
  std::fill(part.begin(), part.end(), T(0));
  for_each_row(block, [&](std::int64_t to, std::int64_t from, std::int64_t count) {
    std::copy_n(whole.begin() + from, count, part.begin() + to);
  });
}

template <class T>
void CutParameters::join(const std::vector<T>& part, std::int64_t block, std::vector<T>& whole) const {
  for_each_row(block, [&](std::int64_t from, std::int64_t to, std::int64_t count) {
    std::copy_n(part.begin() + from, count, whole.begin() + to);
  });
}

template void CutParameters::cut(const std::vector<float>&, std::int64_t, std::vector<float>&) const;
template void CutParameters::cut(const std::vector<double>&, std::int64_t, std::vector<double>&) const;
template void CutParameters::join(const std::vector<float>&, std::int64_t, std::vector<float>&) const;
template void CutParameters::join(const std::vector<double>&, std::int64_t, std::vector<double>&) const;

}  // namespace parallel
