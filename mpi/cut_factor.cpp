#include "mpi/cut_factor.hpp"

#include <algorithm>

#include "mpi/device_arrays.hpp"
#include "mpi/rows.hpp"

namespace parallel {

CutFactor::CutFactor(Peers& peers, chord_context* context, chord_type type, const Pieces& blocks,
                     const std::vector<std::int64_t>& offsets, std::int64_t columns)
    : peers_(peers),
      context_(context),
      blocks_(blocks),
      rows_(blocks.batch / blocks.count),
      courier_(peers, context),
      ones_(make_filled(context, type, {rows_, 1}, 1)) {
  const std::vector<LinkGroup> links = link_groups(offsets, blocks.count, rows_);
  for (const LinkGroup& group : links) {
    padded_ = std::max(padded_, group.rows);
    groups_.push_back({group,
                       make_pattern(context, group.rows, group.offsets),
                       make_tensor(context, type, {group.rows, columns}),
                       {}});
    for (std::int64_t i = 0; i < own_count(); ++i)
      groups_.back().gradients.push_back(make_tensor(context, type, {group.rows, columns}));
  }
  parts_ = window_parts(links, blocks.count, rows_);
  padded_values_ = make_tensor(context, type, {padded_, columns});
  received_ = make_tensor(context, type, {rows_, columns});
}

/// All ranks go through blocks and parts in the same order, so that messages meet.
void CutFactor::send(const Values& values) {
  for (std::int64_t block = 0; block < blocks_.count; ++block)
    for (const WindowPart& part : parts_) {
      const std::int64_t from = other(block, part.distance);
      if (is_own(from) && !is_own(block))
        courier_.send(blocks_.owner(block), rows_of(values[std::size_t(from - first_own())]->get(), {0, part.rows}));
    }
}

/// What a group of links reads, for a block.
const chord::Tensor& CutFactor::window(const Values& values, std::size_t own, std::size_t group) {
  const chord::Tensor& window = groups_[group].window;
  for (const WindowPart& part : parts_) {
    if (part.group != group) continue;
    const std::int64_t from = other(first_own() + std::int64_t(own), part.distance);
    chord::Tensor to = rows_of(window.get(), {part.at, part.rows});
    if (is_own(from))
      to.copy_from(rows_of(values[std::size_t(from - first_own())]->get(), {0, part.rows}));
    else
      courier_.receive(blocks_.owner(from), to);
  }
  return window;
}

/// Those of a group's links, for its window's rows.
chord::Tensor CutFactor::columns_of(const chord::Tensor& weights, const Group& group) const {
  const std::int64_t links = weights.info().shape[1];
  return weights.view({group.links.rows, std::int64_t(group.links.offsets.size())}, {links, 1}, group.links.first);
}

void CutFactor::product(const Values& values, std::size_t own, const chord::Tensor& weights, chord::Tensor& out) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    const chord::Tensor &read = window(values, own, i), own_weights = columns_of(weights, group);
    if (group.links.rows == rows_) {
      chord::product(group.pattern, own_weights, read, out, true);
      continue;
    }
    chord::Tensor padded = rows_of(padded_values_.get(), {0, group.links.rows});
    chord::product(group.pattern, own_weights, read, padded);
    add(rows_of(padded.get(), {0, rows_}), out);
  }
}

void CutFactor::gradient_weights(const Values& values, std::size_t own, const chord::Tensor& adjoint,
                                 const chord::Tensor& weights_gradient) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    chord::Tensor own_gradient = columns_of(weights_gradient, groups_[i]);
    chord::product_gradient_weights(groups_[i].pattern, rows_of(adjoint.get(), {0, groups_[i].links.rows}),
                                    window(values, own, i), own_gradient);
  }
}

void CutFactor::gradient_values(std::size_t own, const chord::Tensor& weights, const chord::Tensor& adjoint) {
  for (Group& group : groups_)
    chord::product_gradient_values(group.pattern, columns_of(weights, group),
                                   rows_of(adjoint.get(), {0, group.links.rows}), group.gradients[own]);
}

void CutFactor::exchange(const Values& adjoints) {
  const auto computed = [&](const WindowPart& part, std::int64_t by) {
    return rows_of(groups_[part.group].gradients[std::size_t(by - first_own())].get(), {part.at, part.rows});
  };
  for (std::int64_t block = 0; block < blocks_.count; ++block)
    for (const WindowPart& part : parts_)
      if (const std::int64_t by = other(block, -part.distance); is_own(by) && !is_own(block))
        courier_.send(blocks_.owner(block), computed(part, by));
  for (std::size_t i = 0; i < adjoints.size(); ++i) {
    const chord::Tensor sum = rows_of(adjoints[i]->get(), {0, rows_});
    chord::check(chord_tensor_fill(sum.get(), 0));
    for (const WindowPart& part : parts_) {
      const std::int64_t by = other(first_own() + std::int64_t(i), -part.distance);
      const chord::Tensor to = rows_of(sum.get(), {0, part.rows});
      if (is_own(by)) {
        add(computed(part, by), to);
        continue;
      }
      const chord::Tensor received = rows_of(received_.get(), {0, part.rows});
      courier_.receive(blocks_.owner(by), received);
      add(received, to);
    }
  }
  courier_.flush();
}

void CutFactor::add(const chord::Tensor& from, const chord::Tensor& to) {
  const std::int64_t rows = from.info().shape[0];
  auto known = diagonals_.find(rows);
  if (known == diagonals_.end()) known = diagonals_.emplace(rows, make_pattern(context_, rows, {0})).first;
  chord::check(chord_product(known->second.get(), rows_of(ones_.get(), {0, rows}).get(), from.get(), to.get(), 1));
}

}  // namespace parallel
