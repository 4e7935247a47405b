#include "mpi/shared_fit.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "mpi/agreement.hpp"
#include "mpi/device_arrays.hpp"
#include "mpi/tree_sum.hpp"

namespace parallel {
namespace {

/// What is sent before everything else.
struct Order {
  enum : std::int64_t { none, wrong, fit } kind;
  std::int64_t n, links, pieces, sparse, entries;
  chord_factorize_options options;
};

/// The places and values of a sparse matrix.
struct Entries {
  std::vector<std::int64_t> rows, columns;
  std::vector<double> values;
};

Entries entries_of(const chord_matrix* matrix, std::int64_t n) {
  Entries entries;
  std::vector<double> row(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    chord::check(chord_matrix_rows(matrix, &i, 1, row.data()));
    for (std::int64_t j = 0; j < n; ++j) {
      if (row[std::size_t(j)] == 0) continue;
      entries.rows.push_back(i);
      entries.columns.push_back(j);
      entries.values.push_back(row[std::size_t(j)]);
    }
  }
  return entries;
}

template <class T>
void share(Peers& peers, std::vector<T>& values, std::int64_t count) {
  values.resize(std::size_t(count));
  peers.broadcast(values.data(), values.size() * sizeof(T));
}

struct DestroyMatrix {
  void operator()(chord_matrix* matrix) const { chord_matrix_destroy(matrix); }
};
using OwnedMatrix = std::unique_ptr<chord_matrix, DestroyMatrix>;

/// Sums of the fit's, for its callback.
class Summing {
 public:
  Summing(Peers& peers, std::int64_t pieces) : peers_(peers), pieces_{pieces, pieces, peers.size()} {}

  chord_factorize_peers peers() {
    chord_factorize_peers info = CHORD_FACTORIZE_PEERS_INIT;
    info.pieces = pieces_.count;
    info.first = pieces_.first_of(peers_.rank());
    info.count = pieces_.first_of(peers_.rank() + 1) - info.first;
    info.sum = [](double* values, int64_t, int64_t numbers, void* user) {
      return static_cast<Summing*>(user)->sum(values, numbers);
    };
    info.user = this;
    return info;
  }
  /// Why a sum could not be made.
  const std::exception_ptr& failure() const { return failure_; }

 private:
  std::int32_t sum(double* values, std::int64_t numbers) {
    try {
      const std::size_t bytes = std::size_t(numbers) * sizeof(double);
      if (numbers != numbers_) tree_ = std::make_unique<TreeSum>(peers_, bytes);
      numbers_ = numbers;
      const std::int64_t first = pieces_.first_of(peers_.rank());
      const TreeSum::Message& sum = tree_->sum(
          pieces_,
          [&](std::int64_t piece, TreeSum::Message& into) {
            std::memcpy(into.data(), values + (piece - first) * numbers, bytes);
          },
          [](TreeSum::Message& to, const TreeSum::Message& other) { add_values<double>(to, other); });
      std::memcpy(values, sum.data(), bytes);
      return 0;
    } catch (const std::exception&) {
      failure_ = std::current_exception();
      return 1;
    }
  }

  Peers& peers_;
  const Pieces pieces_;
  std::int64_t numbers_ = -1;
  std::unique_ptr<TreeSum> tree_;
  std::exception_ptr failure_;
};

chord_factorization* fit_together(Peers& peers, const chord_pattern* pattern, const chord_matrix* matrix,
                                  chord_factorize_options options, std::int64_t pieces) {
  Summing summing(peers, pieces);
  const chord_factorize_peers info = summing.peers();
  options.peers = &info;
  chord_factorization* found = nullptr;
  const chord_status status = chord_factorize(pattern, matrix, &options, &found);
  if (summing.failure()) std::rethrow_exception(summing.failure());
  chord::check(status);
  return found;
}

/// Throws where it makes no sense.
Order order_of(const FitOrder& wanted, int ranks) {
  Order order{Order::fit, 0, 0, wanted.pieces, 0, 0, CHORD_FACTORIZE_OPTIONS_INIT};
  chord::check(chord_pattern_get_size(wanted.pattern, &order.n, &order.links));
  chord_matrix_info info = CHORD_MATRIX_INFO_INIT;
  chord::check(chord_matrix_get_info(wanted.matrix, &info));
  if (wanted.options)
    std::memcpy(&order.options, wanted.options, std::min(wanted.options->struct_size, sizeof order.options));
  order.options.struct_size = sizeof order.options;
  if (order.options.resume)
    throw std::invalid_argument("resume is given, but ranks cannot go on from a factorisation yet");
  if (order.options.peers) throw std::invalid_argument("peers is given, but the ranks are the peers");
  if (wanted.pieces < ranks)
    throw std::invalid_argument("pieces is " + std::to_string(wanted.pieces) + "; expected " + std::to_string(ranks) +
                                ", the ranks, or more");
  order.sparse = info.sparse;
  if (info.n != order.n)
    throw std::invalid_argument("the matrix has " + std::to_string(info.n) + " rows; the pattern is for " +
                                std::to_string(order.n));
  return order;
}

void tell(Peers& peers, Order order) {
  // Addresses are nobody else's.
  order.options.resume = nullptr;
  order.options.checkpoint = nullptr;
  order.options.callback = nullptr;
  order.options.user = nullptr;
  order.options.peers = nullptr;
  peers.broadcast(&order, sizeof order);
}

}  // namespace

chord_factorization* lead_fit(Peers& peers, const FitOrder& wanted) {
  Order order{};
  Entries entries;
  std::vector<double> dense;
  std::vector<std::int64_t> offsets;
  try {
    order = order_of(wanted, peers.size());
    offsets.resize(std::size_t(order.links));
    chord::check(chord_pattern_get_offsets(wanted.pattern, offsets.data(), order.links));
    if (peers.size() > 1 && order.sparse) {
      entries = entries_of(wanted.matrix, order.n);
      order.entries = std::int64_t(entries.values.size());
    } else if (peers.size() > 1) {
      dense.resize(std::size_t(order.n * order.n));
      chord::check(chord_matrix_to_dense(wanted.matrix, dense.data(), dense.size() * sizeof(double)));
    }
  } catch (const std::exception&) {
    order.kind = Order::wrong;
    tell(peers, order);
    throw;
  }
  tell(peers, order);
  share(peers, offsets, order.links);
  if (order.sparse) {
    share(peers, entries.rows, order.entries);
    share(peers, entries.columns, order.entries);
    share(peers, entries.values, order.entries);
  } else {
    share(peers, dense, peers.size() > 1 ? order.n * order.n : 0);
  }
  entries = {};
  dense = {};
  expect_success(peers, nullptr);
  return fit_together(peers, wanted.pattern, wanted.matrix, order.options, order.pieces);
}

chord_factorization* follow_fit(Peers& peers, chord_context* context) {
  Order order{};
  peers.broadcast(&order, sizeof order);
  if (order.kind == Order::none) return nullptr;
  if (order.kind == Order::wrong) throw PeersLost("rank 0 has failed");
  std::vector<std::int64_t> offsets;
  Entries entries;
  std::vector<double> dense;
  share(peers, offsets, order.links);
  if (order.sparse) {
    share(peers, entries.rows, order.entries);
    share(peers, entries.columns, order.entries);
    share(peers, entries.values, order.entries);
  } else {
    share(peers, dense, order.n * order.n);
  }
  OwnedMatrix matrix;
  std::optional<chord::Pattern> pattern;
  together(peers, [&] {
    chord_matrix* made = nullptr;
    chord::check(order.sparse ? chord_matrix_create_sparse(order.n, order.entries, entries.rows.data(),
                                                           entries.columns.data(), entries.values.data(), &made)
                              : chord_matrix_create_dense(order.n, dense.data(), &made));
    matrix.reset(made);
    pattern.emplace(make_pattern(context, order.n, offsets));
  });
  entries = {};
  dense = {};
  return fit_together(peers, pattern->get(), matrix.get(), order.options, order.pieces);
}

void end_fits(Peers& peers) { tell(peers, Order{}); }

}  // namespace parallel
