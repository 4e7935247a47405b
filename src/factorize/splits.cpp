#include "factorize/splits.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "operations/pattern.hpp"

namespace chord {
namespace {

// A low rank or entries beside factors are fitted to a dense X: a sparse one must not be larger than this.
constexpr std::int64_t largest_made_dense = 4096;
// Of factors whose weights are to be found: many times as many as connect every row with every column.
constexpr std::int64_t most_factors = 4096;

void expect_at_least(std::int64_t value, const char* name, std::int64_t least) {
  if (value < least) fail(Status::invalid_argument, name, " is ", value, "; expected ", least, " or more");
}

}  // namespace

bool by_products(const FitProblem& problem) {
  const bool large = problem.matrix && problem.given_sparse() && problem.pattern->n() > largest_made_dense;
  return !problem.matrix || (large && problem.constraint == Constraint::none && !problem.has_columns());
}

namespace {

class Splitter {
 public:
  Splitter(const std::shared_ptr<const Pattern>& pattern, const Matrix* matrix, Constraint constraint,
           const PartsWanted& wanted)
      : empty_{pattern, matrix, constraint, 0, 0, wanted.entries, {}},
        wanted_(wanted),
        n_(pattern->n()),
        factor_(checked_multiply(n_, pattern->links())),
        shape_(empty_.shape()),
        column_(constraint == Constraint::semidefinite ? n_ : shape_.rows + shape_.columns) {
    if (shape_.n() != n_)
      fail(Status::invalid_shape, "the matrix has ", shape_.square() ? "" : "a longer side ", "n = ", shape_.n(),
           ", the pattern n = ", n_);
    expect_at_least(wanted.numbers, "numbers", 0);
    expect_at_least(wanted.factors, "factors", no_part);
    if (wanted.factors > most_factors)
      fail(Status::too_large, "factors is ", wanted.factors, "; expected at most ", most_factors);
    expect_at_least(wanted.rank, "rank", no_part);
    expect_at_least(wanted.entries, "entries", 0);
    check_others();
  }

  Splits all() const {
    if (wanted_.numbers == 0) return {with(stored(wanted_.factors), std::max<std::int64_t>(wanted_.rank, 0))};
    const std::int64_t spent = checked_multiply(2, wanted_.entries) + fixed_numbers();
    if (wanted_.numbers < spent)
      fail(Status::invalid_argument, "numbers is ", wanted_.numbers, "; the parts asked for have ", spent);
    const std::int64_t left = wanted_.numbers - spent;
    Splits splits;
    for (const std::int64_t factors : choices(left)) {
      const std::int64_t rank = wanted_.rank > 0      ? wanted_.rank
                                : low_rank_possible() ? std::min(highest_rank(), (left - chosen(factors)) / column_)
                                                      : 0;
      if (factors + rank > 0) splits.push_back(with(factors, rank));
    }
    if (splits.empty())
      fail(Status::invalid_argument, "numbers is ", wanted_.numbers, "; expected at least ", factor_, " for a factor",
           low_rank_possible() ? text(", or ", column_, " for a column of each side of a low rank") : "");
    return splits;
  }

 private:
  void check_others() const {
    const auto refuse = [&](const char* part, const char* why) {
      fail(Status::unsupported, part, " under the constraint \"", traits(empty_.constraint).name, "\": ", why);
    };
    const bool signs = traits(empty_.constraint).weights != kernels::weights_free;
    if (wanted_.rank > 0 && signs) refuse("a low rank", "it would break it; expected factors alone");
    if (wanted_.entries > 0 && empty_.constraint != Constraint::none)
      refuse("single entries", "they would break it; expected none");
    if (!shape_.square() && empty_.constraint != Constraint::none && empty_.constraint != Constraint::nonnegative)
      fail(Status::unsupported, "the constraint \"", traits(empty_.constraint).name, "\" is one for square matrices; ",
           "this one has ", shape_.rows, " rows and ", shape_.columns, " columns");
    if (!shape_.square() && by_products(empty_))
      fail(Status::unsupported, "a sparse matrix with more than ", largest_made_dense, " rows or columns is expected ",
           "to be square; this one has ", shape_.rows, " rows and ", shape_.columns, " columns");
    if (wanted_.rank > highest_rank())
      fail(Status::invalid_argument, "rank is ", wanted_.rank, "; expected at most ",
           shape_.square() ? "n, " : "the shorter side, ", highest_rank());
    if (wanted_.entries > 0 && wanted_.entries > checked_multiply(shape_.rows, shape_.columns))
      fail(Status::invalid_argument, "entries is ", wanted_.entries, "; expected at most ",
           shape_.square() ? "n², " : "rows · columns, ", shape_.rows * shape_.columns);
    if (!empty_.matrix && empty_.constraint != Constraint::none)
      refuse("factors of an operator", "there are none yet; expected no constraint");
    if (wanted_.entries > 0 && by_products(empty_))
      fail(Status::unsupported, "single entries of an operator, or of a sparse matrix with n above ",
           largest_made_dense, ": they are not looked for; expected none");
    if (wanted_.rank > 0 && !dense_possible() && !by_products(empty_))
      fail(Status::too_large, "a sparse matrix with n = ", n_, " is not made dense, which a low rank needs under the ",
           "constraint \"", traits(empty_.constraint).name, "\"; expected at most ", largest_made_dense);
    if (wanted_.factors == no_part && (wanted_.rank == no_part || (wanted_.rank == 0 && wanted_.numbers == 0)))
      fail(Status::invalid_argument, "factors is ", no_part, ", none, and so is the rank: nothing is left");
  }

  std::int64_t highest_rank() const { return std::min(shape_.rows, shape_.columns); }
  bool dense_possible() const { return empty_.matrix && (!empty_.matrix->sparse() || n_ <= largest_made_dense); }
  bool low_rank_possible() const {
    return wanted_.rank != no_part && traits(empty_.constraint).weights == kernels::weights_free &&
           (dense_possible() || by_products(empty_));
  }

  FitProblem with(std::int64_t factors, std::int64_t rank) const {
    FitProblem problem = empty_;
    problem.stored_factors = checked_int32(factors, "the number of factors");
    problem.rank = rank;
    return problem;
  }

  /// How many are stored for so many in the product.
  std::int64_t stored(std::int64_t factors) const {
    if (factors == no_part) return 0;
    const std::int64_t uses = uses_of_factor(empty_.constraint);
    if (factors == 0) factors = std::max<std::int64_t>(1, full_chain_length(n_, 2));
    return (factors + uses - 1) / uses;
  }

  /// Of the parts whose size is given.
  std::int64_t fixed_numbers() const {
    const std::int64_t factors = wanted_.factors > 0 ? checked_multiply(stored(wanted_.factors), factor_) : 0;
    return factors + (wanted_.rank > 0 ? checked_multiply(wanted_.rank, column_) : 0);
  }

  /// What factors take of the numbers that are left for parts whose size is not given.
  std::int64_t chosen(std::int64_t factors) const { return wanted_.factors > 0 ? 0 : factors * factor_; }

  /// Numbers of factors to try.
  std::vector<std::int64_t> choices(std::int64_t left) const {
    if (wanted_.factors != 0) return {stored(wanted_.factors)};
    const std::int64_t most = left / factor_;
    if (wanted_.rank > 0 || !low_rank_possible()) return {most};
    std::vector<std::int64_t> result = {most};
    for (std::int64_t power = 1; power < most; power *= 2) result.push_back(power);
    if (most > 0) result.push_back(0);
    std::sort(result.rbegin(), result.rend());
    return result;
  }

  FitProblem empty_;
  PartsWanted wanted_;
  std::int64_t n_, factor_;  // numbers of one factor
  MatrixShape shape_;
  std::int64_t column_;  // numbers of one column of each side
};

}  // namespace

Splits splits_of(const std::shared_ptr<const Pattern>& pattern, const Matrix* matrix, Constraint constraint,
                 const PartsWanted& wanted) {
  return Splitter(pattern, matrix, constraint, wanted).all();
}

}  // namespace chord
