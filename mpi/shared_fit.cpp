#include "mpi/shared_fit.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "mpi/agreement.hpp"
#include "mpi/device_arrays.hpp"
#include "mpi/shared_matrix.hpp"
#include "mpi/temporary_file.hpp"
#include "mpi/tree_sum.hpp"

namespace parallel {
namespace {

/// What is sent before everything else.
struct Order {
  enum : std::int64_t { none, wrong, fit } kind;
  std::int64_t n, links, pieces, resume_bytes;
  bool by_columns;  // a rank has its own alone
  chord_matrix_info matrix;
  chord_factorize_options options;

  MatrixShare share() const { return {matrix.rows, matrix.columns, pieces, by_columns, matrix.sparse != 0}; }
};

/// Where all ranks have X, each fits starts of its own, until one start is left. That pays where pieces of columns are
/// narrow and starts many; a larger X is shared out.
constexpr std::int64_t largest_for_all = 128;

/// Whether nothing is fitted to all of X at once.
bool factors_alone(const chord_factorize_options& options) {
  const bool no_rank = options.rank == CHORD_NO_PART || (options.rank == 0 && options.numbers == 0);
  return no_rank && options.entries == 0;
}

template <class T>
void share(Peers& peers, std::vector<T>& values, std::int64_t count) {
  together(peers, [&] { values.resize(std::size_t(count)); });
  peers.broadcast(values.data(), values.size() * sizeof(T));
}

/// Rank 0's text of a file, to all: a factorisation is what its file is.
std::vector<char> file_of(const chord_factorization* factorization) {
  const TemporaryFile file;
  chord::check(chord_factorization_save(factorization, file.path().c_str()));
  return file.read();
}

chord::Factorization from_file(chord_context* context, const std::vector<char>& bytes) {
  const TemporaryFile file;
  file.write(bytes);
  chord_factorization* loaded = nullptr;
  chord::check(chord_factorization_load(context, file.path().c_str(), &loaded));
  return chord::Factorization(loaded);
}

/// Sums of the fit's, for its callback. A rank that fails says so before a sum, when others have come to it.
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
      together(peers_, [&] { prepare(numbers, bytes); });
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

  void prepare(std::int64_t numbers, std::size_t bytes) {
    if (numbers == numbers_) return;
    tree_ = std::make_unique<TreeSum>(peers_, bytes);
    tree_->prepare(pieces_);
    numbers_ = numbers;
  }

  Peers& peers_;
  const Pieces pieces_;
  std::int64_t numbers_ = -1;
  std::unique_ptr<TreeSum> tree_;
  std::exception_ptr failure_;
};

/// Whom its callback asks to end asks the others, too, who may be fitting starts of their own.
class Asking {
 public:
  Asking(Peers& peers, chord_factorize_options& options)
      : peers_(peers), callback_(options.callback), user_(options.user) {
    options.callback = [](const chord_factorize_progress* progress, void* user) {
      return static_cast<Asking*>(user)->ask(progress);
    };
    options.user = this;
  }

 private:
  std::int32_t ask(const chord_factorize_progress* progress) {
    try {
      const bool wish = callback_ && callback_(progress, user_) != 0;
      if (wish) peers_.call();
      return wish || peers_.hears_call();
    } catch (const std::exception&) {
      return 1;  // the next sum tells why
    }
  }

  Peers& peers_;
  const chord_factorize_callback callback_;
  void* const user_;
};

/// Whether others do not answer any more, and not only one has failed.
bool are_lost(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const PeerFailed&) {
    return false;
  } catch (const PeersLost&) {
    return true;
  } catch (const std::exception&) {
    return false;
  }
  return false;
}

chord_factorization* fit_together(Peers& peers, const chord_pattern* pattern, const chord_matrix* matrix,
                                  const Order& order) {
  Summing summing(peers, order.pieces);
  chord_factorize_peers info = summing.peers();
  if (order.by_columns) info.whole = &order.matrix;
  chord_factorize_options options = order.options;
  options.peers = &info;
  const Asking asking(peers, options);
  chord_factorization* found = nullptr;
  const chord_status status = chord_factorize(pattern, matrix, &options, &found);
  std::exception_ptr failure = summing.failure();
  try {
    if (!failure) together(peers, [&] { chord::check(status); });
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  if (!are_lost(failure)) peers.end_calls();
  if (!failure) return found;
  chord_factorization_destroy(found);
  std::rethrow_exception(failure);
}

/// Throws where it makes no sense.
Order order_of(const FitOrder& wanted, int ranks) {
  Order order{};
  order.kind = Order::fit;
  order.pieces = wanted.pieces;
  order.matrix = CHORD_MATRIX_INFO_INIT;
  order.options = CHORD_FACTORIZE_OPTIONS_INIT;
  chord::check(chord_pattern_get_size(wanted.pattern, &order.n, &order.links));
  chord::check(chord_matrix_get_info(wanted.matrix, &order.matrix));
  if (wanted.options)
    std::memcpy(&order.options, wanted.options, std::min(wanted.options->struct_size, sizeof order.options));
  order.options.struct_size = sizeof order.options;
  if (order.options.peers) throw std::invalid_argument("peers is given, but the ranks are the peers");
  if (wanted.pieces < ranks)
    throw std::invalid_argument("pieces is " + std::to_string(wanted.pieces) + "; expected " + std::to_string(ranks) +
                                ", the ranks, or more");
  if (order.matrix.n != order.n)
    throw std::invalid_argument("the matrix has " + std::to_string(order.matrix.n) + " rows; the pattern is for " +
                                std::to_string(order.n));
  order.by_columns = factors_alone(order.options) && order.n > largest_for_all;
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
  std::vector<std::int64_t> offsets;
  std::vector<char> resume;
  try {
    order = order_of(wanted, peers.size());
    offsets.resize(std::size_t(order.links));
    chord::check(chord_pattern_get_offsets(wanted.pattern, offsets.data(), order.links));
    if (order.options.resume && peers.size() > 1) resume = file_of(order.options.resume);
    order.resume_bytes = std::int64_t(resume.size());
  } catch (const std::exception&) {
    order.kind = Order::wrong;
    tell(peers, order);
    throw;
  }
  tell(peers, order);
  share(peers, offsets, order.links);
  share(peers, resume, order.resume_bytes);
  send_matrix(peers, wanted.matrix, order.share());
  expect_success(peers, nullptr);
  return fit_together(peers, wanted.pattern, wanted.matrix, order);
}

chord_factorization* follow_fit(Peers& peers, chord_context* context, chord_factorize_callback callback) {
  Order order{};
  peers.broadcast(&order, sizeof order);
  if (order.kind == Order::none) return nullptr;
  if (order.kind == Order::wrong) throw PeerFailed("rank 0 has failed");
  std::vector<std::int64_t> offsets;
  std::vector<char> resume;
  share(peers, offsets, order.links);
  share(peers, resume, order.resume_bytes);
  const OwnedMatrix matrix = receive_matrix(peers, order.share());
  std::optional<chord::Pattern> pattern;
  std::optional<chord::Factorization> resumed;
  together(peers, [&] {
    pattern.emplace(make_pattern(context, order.n, offsets));
    if (!resume.empty()) resumed.emplace(from_file(context, resume));
  });
  if (resumed) order.options.resume = resumed->get();
  order.options.callback = callback;
  return fit_together(peers, pattern->get(), matrix.get(), order);
}

void end_fits(Peers& peers) { tell(peers, Order{}); }

}  // namespace parallel
