// Factorising a matrix that is known by its products alone, through the interface: exact recovery, errors against dense
// sums, limits, files.
#include "support.hpp"

using namespace testing;
using chord::Factorization;

namespace {

/// A band of the pattern's links and a low rank.
struct Mixture {
  std::int64_t n, rank;
  std::vector<std::int64_t> offsets;
  Values band, u, v;

  Mixture(const chord::Pattern& pattern, std::int64_t low_rank)
      : n(pattern.n()),
        rank(low_rank),
        offsets(pattern.offsets()),
        band(random_values(n * offsets.size(), 1)),
        u(random_values(n * rank, 2)),
        v(random_values(n * rank, 3)) {}

  double at(std::int64_t row, std::int64_t column) const {
    double sum = 0;
    for (std::size_t k = 0; k < offsets.size(); ++k)
      if (((row + offsets[k]) % n + n) % n == column) sum += band[row * offsets.size() + k];
    for (std::int64_t r = 0; r < rank; ++r) sum += u[row * rank + r] * v[column * rank + r];
    return sum;
  }
};

/// Any matrix as an operator.
struct Dense {
  std::int64_t n;
  Values values;

  explicit Dense(const Mixture& mixture) : n(mixture.n), values(std::size_t(n * n)) {
    for (std::int64_t i = 0; i < n * n; ++i) values[i] = mixture.at(i / n, i % n);
  }
  void operator()(const double* in, double* out, std::int64_t columns, bool transposed) const {
    for (std::int64_t i = 0; i < n; ++i) {
      std::fill_n(out + i * columns, columns, 0.0);
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t c = 0; c < columns; ++c)
          out[i * columns + c] += values[transposed ? j * n + i : i * n + j] * in[j * columns + c];
    }
  }
  double norm() const {
    double sum = 0;
    for (const double each : values) sum += each * each;
    return std::sqrt(sum);
  }
  /// ‖X − X̂‖
  double distance(Context& context, const Factorization& found) const {
    auto out = chord::Tensor::empty<double>(context, {n, n});
    found.dense(out);
    const auto made = out.to_host<double>();
    double sum = 0;
    for (std::size_t i = 0; i < made.size(); ++i) sum += (values[i] - made[i]) * (values[i] - made[i]);
    return std::sqrt(sum);
  }
};

}  // namespace

TEST_CASE("one factor beside a low rank is found exactly, on every device") {
  on_every_device([](Context& context) {
    const auto pattern = chord::Pattern::chord(context, 32);
    const Dense x(Mixture(pattern, 2));
    auto options = chord::factorize_options();
    options.factors = 1;
    options.rank = 2;
    options.iterations = 600;
    const auto found = Factorization::fit(pattern, x, options);
    CHECK(x.distance(context, found) < 1e-5 * x.norm());
    CHECK(found.parts().size() == 2);
  });
}

TEST_CASE("the estimated error is the error as far as its standard error tells, and exact where that is asked for") {
  Context context("host");
  const auto pattern = chord::Pattern::chord(context, 128);
  const Dense x(Mixture(pattern, 20));
  auto options = chord::factorize_options();
  options.factors = 2;
  options.rank = 2;
  options.iterations = 40;
  std::int64_t told = 0;
  options.callback = [](const chord_factorize_progress* now, void* user) {
    *static_cast<std::int64_t*>(user) += now->standard_error > 0 && now->best_error > now->standard_error;
    return 0;
  };
  options.user = &told;
  options.callback_seconds = 1e-9;
  const auto estimated = Factorization::fit(pattern, x, options);
  const double error = x.distance(context, estimated);
  CHECK(estimated.info().standard_error > 0);
  CHECK(estimated.info().standard_error < 0.1 * error);
  CHECK(std::abs(estimated.info().error - error) < 5 * estimated.info().standard_error);
  CHECK(told > 0);

  options.exact_error = 1;
  const auto exact = Factorization::fit(pattern, x, options);
  CHECK(exact.info().error == doctest::Approx(error).epsilon(1e-10));
  CHECK(exact.info().standard_error == 0);
  auto one = chord::Tensor::empty<double>(context, {128, 128}),
       other = chord::Tensor::empty<double>(context, {128, 128});
  estimated.dense(one);
  exact.dense(other);
  CHECK(one.to_host<double>() == other.to_host<double>());  // the same run, to the bit
}

TEST_CASE("numbers are split as it turns out best, and the result is not worse than the randomised SVD") {
  Context context("host");
  const auto pattern = chord::Pattern::chord(context, 128);
  const Dense x(Mixture(pattern, 4));
  auto options = chord::factorize_options();
  options.numbers = 128 * 2 * 12;
  options.iterations = 200;
  const auto found = Factorization::fit(pattern, x, options);
  CHECK(found.info().nonzeros <= options.numbers);
  options.numbers = 0;
  options.factors = CHORD_NO_PART;
  options.rank = 12;
  const auto svd = Factorization::fit(pattern, x, options);
  CHECK(svd.info().factors == 0);
  CHECK(x.distance(context, found) < 0.5 * x.distance(context, svd));
}

TEST_CASE("a fit goes on from a file, and ends when it is told to") {
  Context context("host");
  const auto pattern = chord::Pattern::chord(context, 64);
  const Dense x(Mixture(pattern, 2));
  auto options = chord::factorize_options();
  options.factors = 1;
  options.rank = 2;
  options.iterations = 20;
  const auto first = Factorization::fit(pattern, x, options);
  options.resume = first.get();
  options.iterations = 400;
  const auto later = Factorization::fit(pattern, x, options);
  CHECK(x.distance(context, later) < 0.5 * x.distance(context, first));
  CHECK(later.info().iterations > first.info().iterations);

  options.callback = [](const chord_factorize_progress*, void*) { return 1; };
  CHECK(Factorization::fit(pattern, x, options).info().stop == CHORD_STOP_CANCELLED);
  options.callback = nullptr;
  options.resume = nullptr;
  options.factors = 0;
  options.iterations = 0;
  options.seconds = 0.3;
  const auto began = std::chrono::steady_clock::now();
  Factorization::fit(pattern, x, options);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < 5);
}

TEST_CASE("a fit that goes on from a low rank alone splits its numbers") {
  Context context("host");
  const auto pattern = chord::Pattern::chord(context, 64);
  const Dense x(Mixture(pattern, 2));
  auto options = chord::factorize_options();
  options.factors = CHORD_NO_PART;
  options.rank = 8;
  const auto first = Factorization::fit(pattern, x, options);
  options.resume = first.get();
  CHECK(Factorization::fit(pattern, x, options).info().factors == 0);  // which it was told
  options.factors = options.rank = 0;
  options.numbers = first.info().nonzeros;
  options.iterations = 200;
  const auto later = Factorization::fit(pattern, x, options);
  CHECK(later.info().factors > 0);
  CHECK(later.info().nonzeros <= first.info().nonzeros);
  CHECK(x.distance(context, later) < 0.5 * x.distance(context, first));
  // What has factors keeps its parts.
  options.resume = later.get();
  chord_factorization* result = nullptr;
  const chord_operator_apply unused = [](const double*, double*, int64_t, chord_flag, void*) { return int32_t(1); };
  expect(chord_factorize_operator(pattern.get(), unused, nullptr, &options, &result), CHORD_ERROR_INVALID_ARGUMENT,
         "expected one of them");
}

TEST_CASE("a sparse matrix beyond 4096 rows is fitted as its operator is") {
  Context context("host");
  const std::int64_t n = 4200;
  const auto pattern = chord::Pattern::chord(context, n);
  std::vector<std::int64_t> rows, columns;
  Values values;
  for (std::int64_t i = 0; i < n; ++i)
    for (const std::int64_t step : {0, 1, 3}) {
      rows.push_back(i);
      columns.push_back((i + step) % n);
      values.push_back(1 + std::sin(double(i * (step + 1))));
    }
  const auto apply = [&](const double* in, double* out, std::int64_t width, bool transposed) {
    std::fill_n(out, n * width, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::int64_t to = transposed ? columns[k] : rows[k], from = transposed ? rows[k] : columns[k];
      for (std::int64_t c = 0; c < width; ++c) out[to * width + c] += values[k] * in[from * width + c];
    }
  };
  auto options = chord::factorize_options();
  options.factors = 1;
  options.rank = 1;
  options.iterations = 20;
  const auto by_matrix = Factorization::fit(pattern, chord::Matrix::sparse(n, rows, columns, values), options);
  const auto by_operator = Factorization::fit(pattern, apply, options);
  CHECK(by_matrix.info().error == doctest::Approx(by_operator.info().error).epsilon(1e-6));
  CHECK(by_matrix.info().relative_error < 0.7);  // what is three places away is left
  CHECK(Factorization::memory(pattern, options) > 0);
}

TEST_CASE("what cannot be is said") {
  Context context("host");
  const auto pattern = chord::Pattern::chord(context, 16);
  chord_factorization* handle = nullptr;
  expect(chord_factorize_operator(pattern.get(), nullptr, nullptr, nullptr, &handle), CHORD_ERROR_INVALID_ARGUMENT,
         "apply is NULL");
  const chord_operator_apply stops = [](const double*, double*, int64_t, chord_flag, void*) { return int32_t(7); };
  expect(chord_factorize_operator(pattern.get(), stops, nullptr, nullptr, &handle), CHORD_ERROR_STOPPED,
         "apply returned 7");
  const chord_operator_apply infinite = [](const double*, double* out, int64_t columns, chord_flag, void*) {
    std::fill_n(out, 16 * columns, std::numeric_limits<double>::infinity());
    return int32_t(0);
  };
  expect(chord_factorize_operator(pattern.get(), infinite, nullptr, nullptr, &handle), CHORD_ERROR_INVALID_ARGUMENT,
         "not finite");
  const chord_operator_apply nothing = [](const double*, double* out, int64_t columns, chord_flag, void*) {
    std::fill_n(out, 16 * columns, 0.0);
    return int32_t(0);
  };
  CHECK(chord_factorize_operator(pattern.get(), nothing, nullptr, nullptr, &handle) == CHORD_SUCCESS);
  CHECK(Factorization(handle).info().error == 0);
  const auto throws = [](const double*, double*, std::int64_t, bool) { throw std::runtime_error("mine"); };
  CHECK_THROWS_WITH(Factorization::fit(pattern, throws), "mine");
  auto options = chord::factorize_options();
  options.constraint = CHORD_CONSTRAINT_SYMMETRIC;
  expect(chord_factorize_operator(pattern.get(), nothing, nullptr, &options, &handle), CHORD_ERROR_UNSUPPORTED,
         "expected no constraint");
}
