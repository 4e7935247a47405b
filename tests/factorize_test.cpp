#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "support.hpp"

using namespace testing;
using chord::Factorization;
using chord::Matrix;

namespace {

constexpr int32_t constraints[] = {CHORD_CONSTRAINT_NONE, CHORD_CONSTRAINT_NONNEGATIVE, CHORD_CONSTRAINT_STOCHASTIC,
                                   CHORD_CONSTRAINT_SYMMETRIC, CHORD_CONSTRAINT_SEMIDEFINITE};

chord_factorize_options options(int64_t iterations, int32_t constraint = CHORD_CONSTRAINT_NONE) {
  auto result = chord::factorize_options();
  result.iterations = iterations;
  result.constraint = constraint;
  return result;
}

double distance(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

Values transposed(int64_t n, const Values& matrix) {
  Values result(matrix.size());
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) result[j * n + i] = matrix[i * n + j];
  return result;
}

Values dense_of(Context& context, const Factorization& factorization) {
  const int64_t n = factorization.info().n;
  if (factorization.info().precision == 32) {
    Tensor out = Tensor::empty<float>(context, {n, n});
    factorization.dense(out);
    return values_of<float>(out);
  }
  Tensor out = Tensor::empty<double>(context, {n, n});
  factorization.dense(out);
  return values_of<double>(out);
}

/// A folder that goes with the test.
struct Folder {
  Folder() {
    char name[] = "/tmp/chord-factorize-XXXXXX";
    REQUIRE(mkdtemp(name));
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return path + "/" + name; }
  std::string path;
};

}  // namespace

TEST_CASE("the error is the distance of the matrix from its approximation, whatever the constraint") {
  on_every_device([](Context& context) {
    for (const int64_t n : {1, 2, 3, 17, 33})
      for (const int32_t constraint : constraints)
        for (const int32_t precision : {64, 32}) {
          CAPTURE(n);
          CAPTURE(constraint);
          CAPTURE(precision);
          const Values x = random_values(n * n, unsigned(n));
          auto how = options(40, constraint);
          how.precision = precision;
          const Factorization result = Factorization::fit(Pattern::chord(context, n), Matrix::dense(n, x), how);
          const auto info = result.info();
          const Values found = dense_of(context, result);
          CHECK(info.error == doctest::Approx(distance(x, found)).epsilon(precision == 64 ? 1e-9 : 1e-4));
          CHECK(difference(info.relative_error, info.error / Matrix::dense(n, x).info().norm) < 1e-12);
          CHECK(info.iterations <= 40);
          CHECK(info.nonzeros == int64_t(result.weights().info().bytes) / (precision / 8));
        }
  });
}

TEST_CASE("results have the property their constraint promises") {
  on_every_device([](Context& context) {
    for (const int64_t n : {3, 17, 24})
      for (const int32_t constraint : constraints) {
        CAPTURE(n);
        CAPTURE(constraint);
        const Factorization result = Factorization::fit(
            Pattern::chord(context, n), Matrix::dense(n, random_values(n * n, 5)), options(60, constraint));
        const Values found = dense_of(context, result), weights = values_of<double>(result.weights());
        if (constraint == CHORD_CONSTRAINT_NONNEGATIVE || constraint == CHORD_CONSTRAINT_STOCHASTIC)
          for (const double weight : weights) REQUIRE(weight >= 0);
        if (constraint == CHORD_CONSTRAINT_STOCHASTIC)
          for (int64_t i = 0; i < n; ++i) {
            double sum = 0;
            for (int64_t j = 0; j < n; ++j) sum += found[i * n + j];
            CHECK(sum == doctest::Approx(1).epsilon(1e-13));
          }
        if (constraint == CHORD_CONSTRAINT_SYMMETRIC || constraint == CHORD_CONSTRAINT_SEMIDEFINITE)
          CHECK(difference(found, transposed(n, found)) < 1e-14);
        if (constraint == CHORD_CONSTRAINT_SEMIDEFINITE) {
          CHECK(result.info().factors == 2 * result.weights().info().shape[0]);
          for (unsigned seed = 0; seed < 20; ++seed) {
            const Values v = random_values(n, seed);
            CHECK(reference::inner(v, reference::multiply(n, 1, found, v.data())) >= -1e-12);
          }
        }
      }
  });
}

TEST_CASE("what has a constraint's form is recovered under it") {
  Context context("host");
  const int64_t n = 12;
  const Pattern pattern = Pattern::chord(context, n);
  const auto offsets = pattern.offsets();
  const int64_t links = pattern.links(), factors = 4;
  for (const int32_t constraint : constraints) {
    CAPTURE(constraint);
    const int64_t stored = constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? factors / 2 : factors;
    Values w = random_values(stored * n * links, 8);
    if (constraint == CHORD_CONSTRAINT_NONNEGATIVE || constraint == CHORD_CONSTRAINT_STOCHASTIC)
      for (double& each : w) each = std::abs(each);
    if (constraint == CHORD_CONSTRAINT_STOCHASTIC)
      for (int64_t row = 0; row < stored * n; ++row) {
        double sum = 0;
        for (int64_t k = 0; k < links; ++k) sum += w[row * links + k];
        for (int64_t k = 0; k < links; ++k) w[row * links + k] /= sum;
      }
    const Values p = reference::chain_matrix(n, offsets, stored, w.data());
    Values x = p;
    const Values pt = transposed(n, p);
    if (constraint == CHORD_CONSTRAINT_SYMMETRIC)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = (p[i] + pt[i]) / 2;
    if (constraint == CHORD_CONSTRAINT_SEMIDEFINITE) x = reference::multiply(n, n, p, pt.data());
    auto how = options(60000, constraint);
    how.factors = factors;
    how.improvement_tolerance = 1e-3;
    CHECK(Factorization::fit(pattern, Matrix::dense(n, x), how).info().relative_error < 1e-3);
  }
}

TEST_CASE("products of factors are recovered") {
  on_every_device([](Context& context) {
    for (const auto& [n, error] : {std::pair<int64_t, double>{2, 1e-7}, {3, 1e-7}, {8, 1e-7}, {17, 1e-3}}) {
      // With more parameters than entries the last digits come slowly: too slowly where a GPU is pretended.
      if (n == 17 && !is_host(context)) continue;
      const int64_t size = n;
      CAPTURE(size);
      const Pattern pattern = Pattern::chord(context, n);
      const int64_t factors = chord::full_chain_length(n);
      const Values w = random_values(factors * n * pattern.links(), 9);
      const Values x = reference::chain_matrix(n, pattern.offsets(), factors, w.data());
      CHECK(Factorization::fit(pattern, Matrix::dense(n, x), options(20000)).info().relative_error < error);
    }
  });
}

TEST_CASE("one factor takes over the entries it can hold") {
  on_every_device([](Context& context) {
    for (const int64_t n : {1, 5, 17, 100}) {
      CAPTURE(n);
      for (const auto& offsets : {std::vector<int64_t>{0, 1, 4}, {0, 3 * n + 2, -1, 2}, {7}}) {
        const Values x = random_values(n * n, 3);
        std::vector<bool> held(x.size());
        for (int64_t i = 0; i < n; ++i)
          for (const int64_t offset : offsets) held[i * n + reference::modulo(i + offset, n)] = true;
        double rest = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
          if (!held[i]) rest += x[i] * x[i];
        auto how = options(500);
        how.factors = 1;
        const auto info = Factorization::fit(Pattern::custom(context, n, offsets), Matrix::dense(n, x), how).info();
        CHECK(info.error == doctest::Approx(std::sqrt(rest)).epsilon(1e-7));
        CHECK(info.nonzeros == n * int64_t(offsets.size()));
      }
    }
  });
}

TEST_CASE("a factorisation is applied, transposed and read by rows as its dense form says") {
  on_every_device([](Context& context) {
    for (const int64_t n : {3, 17, is_host(context) ? 300 : 65})
      for (const int32_t constraint : constraints) {
        CAPTURE(n);
        CAPTURE(constraint);
        const Factorization result = Factorization::fit(
            Pattern::chord(context, n), Matrix::dense(n, random_values(n * n, 2)), options(3, constraint));
        const Values dense = dense_of(context, result);
        const int64_t d = 5;
        const Values v = random_values(n * d, 4);
        const Tensor in = tensor<double>(context, {n, d}, v);
        Tensor out = Tensor::empty<double>(context, {n, d});
        result.apply(in, out);
        CHECK(difference(values_of<double>(out), reference::multiply(n, d, dense, v.data())) < 1e-12);
        result.apply_transposed(in, out);
        CHECK(difference(values_of<double>(out), reference::multiply(n, d, dense, v.data(), true)) < 1e-12);
        Tensor rows = Tensor::empty<double>(context, {2, n});
        result.rows({n - 1, 1}, rows);
        Values expected(dense.end() - n, dense.end());
        expected.insert(expected.end(), dense.begin() + n, dense.begin() + 2 * n);
        CHECK(difference(values_of<double>(rows), expected) < 1e-12);
        // P as a chain
        Tensor p = Tensor::empty<double>(context, {n, n});
        result.chain().dense(p);
        const Values weights = values_of<double>(result.weights());
        CHECK(difference(values_of<double>(p),
                         reference::chain_matrix(n, result.pattern().offsets(), result.weights().info().shape[0],
                                                 weights.data())) < 1e-12);
      }
  });
}

TEST_CASE("the scale of a matrix does not matter and is spread evenly") {
  Context context("host");
  const int64_t n = 24;
  const Values x = random_values(n * n, 6);
  const auto fit = [&](double scale) {
    Values scaled = x;
    for (double& each : scaled) each *= scale;
    return Factorization::fit(Pattern::chord(context, n), Matrix::dense(n, scaled), options(100));
  };
  const double error = fit(1).info().error;
  for (const double scale : {1e-150, 1e-6, 1e5, 1e150}) {
    CAPTURE(scale);
    const Factorization result = fit(scale);
    CHECK(result.info().error / scale == doctest::Approx(error).epsilon(1e-3));
    const Values weights = values_of<double>(result.weights());
    const std::size_t factor = weights.size() / std::size_t(result.info().factors);
    const double first = distance(Values(weights.begin(), weights.begin() + factor), Values(factor, 0.0));
    for (std::size_t start = 0; start < weights.size(); start += factor)
      CHECK(distance(Values(weights.begin() + start, weights.begin() + start + factor), Values(factor, 0.0)) ==
            doctest::Approx(first));
  }
}

TEST_CASE("entries beyond what can be computed with are refused, and those below are not") {
  on_every_device([](Context& context) {
    const Pattern two = Pattern::chord(context, 2);
    const double huge = 1.7e308;
    const auto fit = [&](const Pattern& pattern, const Matrix& matrix, chord_factorize_options wanted) {
      chord_factorization* result = nullptr;
      const chord_status status = chord_factorize(pattern.get(), matrix.get(), &wanted, &result);
      if (result) chord_factorization_destroy(result);
      return status;
    };
    expect(fit(two, Matrix::dense(2, {huge, -huge, huge, huge}), options(5)), CHORD_ERROR_TOO_LARGE,
           "the norm of the matrix is inf; expected at most 1.79769e+308");
    expect(fit(Pattern::chord(context, 1), Matrix::dense(1, {huge}), options(5, CHORD_CONSTRAINT_STOCHASTIC)),
           CHORD_ERROR_TOO_LARGE, "the norm of the matrix is 1.7e+308; expected at most 6.7");
    auto single = options(5);
    single.precision = 32;
    expect(fit(two, Matrix::dense(2, {1e39, 0, 0, 1}), single), CHORD_ERROR_TOO_LARGE, "for a fit in 32 bits");
    CHECK(fit(two, Matrix::dense(2, {1e300, -1e300, 1e300, 1e300}), options(5)) == CHORD_SUCCESS);
    CHECK(fit(two, Matrix::dense(2, {1e-300, -1e-300, 1e-300, 1e-300}), options(5)) == CHORD_SUCCESS);
  });
}

TEST_CASE("the zero matrix has zero factors") {
  Context context("host");
  const Factorization result = Factorization::fit(Pattern::chord(context, 9), Matrix::dense(9, Values(81, 0.0)));
  CHECK(result.info().error == 0);
  CHECK(result.info().relative_error == 0);
  CHECK(dense_of(context, result) == Values(81, 0.0));
}

TEST_CASE("a sparse matrix is fitted like the same dense one") {
  on_every_device([](Context& context) {
    const int64_t n = 40;
    std::vector<int64_t> rows, columns;
    for (int64_t i = 0; i < n; ++i)
      for (const int64_t j : {i, (3 * i + 1) % n, (7 * i + 2) % n}) {
        rows.push_back(i);
        columns.push_back(j);
      }
    const Matrix sparse = Matrix::sparse(n, rows, columns, random_values(rows.size(), 7));
    const Matrix dense = Matrix::dense(n, sparse.to_dense());
    const Pattern pattern = Pattern::chord(context, n);
    CHECK(Factorization::fit(pattern, sparse, options(50)).info().error ==
          doctest::Approx(Factorization::fit(pattern, dense, options(50)).info().error).epsilon(1e-6));
  });
}

TEST_CASE("the same run gives the same bits, another seed others") {
  on_every_device([](Context& context) {
    const int64_t n = 50;
    const Matrix x = Matrix::dense(n, random_values(n * n, 11));
    const auto weights = [&](uint64_t seed) {
      auto how = options(100);
      how.seed = seed;
      return values_of<double>(Factorization::fit(Pattern::chord(context, n), x, how).weights());
    };
    const Values first = weights(1);
    CHECK(first == weights(1));
    CHECK(first != weights(2));
  });
}

TEST_CASE("limits, convergence and the callback end a run, each with its reason") {
  Context context("host");
  const int64_t n = 30;
  const Matrix x = Matrix::dense(n, random_values(n * n, 12));
  const Pattern pattern = Pattern::chord(context, n);
  const auto stop = [&](const chord_factorize_options& how) { return Factorization::fit(pattern, x, how).info().stop; };
  CHECK(stop(options(7)) == CHORD_STOP_ITERATIONS);
  CHECK(Factorization::fit(pattern, x, options(7)).info().iterations == 7);
  auto how = options(0);
  how.seconds = 0.05;
  CHECK(stop(how) == CHORD_STOP_SECONDS);
  how = options(100000);
  how.gradient_tolerance = 1e9;
  CHECK(stop(how) == CHORD_STOP_GRADIENT);
  how = options(100000);
  how.improvement_tolerance = 0.9;
  CHECK(stop(how) == CHORD_STOP_IMPROVEMENT);
  how = options(0);
  struct Seen {
    int calls = 0;
    double best = 1e300;
  } seen;
  how.user = &seen;
  how.callback_seconds = 1e-9;
  how.callback = [](const chord_factorize_progress* progress, void* user) -> int32_t {
    Seen& calls = *static_cast<Seen*>(user);
    CHECK(progress->struct_size == sizeof *progress);
    CHECK(progress->start >= 0);
    CHECK(progress->start < progress->starts);
    CHECK(progress->best_error <= progress->error);
    CHECK(progress->best_error <= calls.best);
    calls.best = progress->best_error;
    return ++calls.calls == 50;
  };
  const Factorization cancelled = Factorization::fit(pattern, x, how);
  CHECK(cancelled.info().stop == CHORD_STOP_CANCELLED);
  CHECK(seen.calls == 50);
  CHECK(cancelled.info().error == seen.best);
}

TEST_CASE("a factorisation survives its file, and a run goes on from it") {
  const Folder folder;
  on_every_device([&](Context& context) {
    const int64_t n = 30;
    const Matrix x = Matrix::dense(n, random_values(n * n, 13));
    for (const int32_t constraint : constraints)
      for (const int32_t precision : {64, 32}) {
        CAPTURE(constraint);
        CAPTURE(precision);
        const Pattern pattern = Pattern::custom(context, n, {0, 1, 2, 4, 8, -3, n + 5});
        auto how = options(30, constraint);
        how.precision = precision;
        how.seed = 0xFFFFFFFFFFFFFFFF;
        const Factorization first = Factorization::fit(pattern, x, how);
        const std::string path = folder.file("result.safetensors");
        first.save(path);
        const Factorization loaded = Factorization::load(context, path);
        CHECK(loaded.pattern().offsets() == pattern.offsets());
        CHECK(dense_of(context, loaded) == dense_of(context, first));
        const auto a = first.info(), b = loaded.info();
        CHECK(std::memcmp(&a, &b, sizeof a) == 0);

        how.resume = loaded.get();
        const auto more = Factorization::fit(pattern, x, how).info();
        CHECK(more.error <= b.error * (precision == 64 ? 1 : 1.0001));
        CHECK(more.iterations == b.iterations + 30);
        CHECK(more.seconds > b.seconds);
      }
  });
}

TEST_CASE("checkpoints hold the best so far") {
  const Folder folder;
  Context context("host");
  const int64_t n = 30;
  const std::string path = folder.file("checkpoint.safetensors");
  auto how = options(200);
  how.checkpoint = path.c_str();
  how.checkpoint_seconds = 1e-9;
  const Matrix x = Matrix::dense(n, random_values(n * n, 14));
  const auto last = Factorization::fit(Pattern::chord(context, n), x, how).info();
  const Factorization saved = Factorization::load(context, path);
  CHECK(saved.info().error >= last.error);
  CHECK(saved.info().error == doctest::Approx(distance(x.to_dense(), dense_of(context, saved))));
  CHECK(saved.info().iterations <= 200);
  CHECK(saved.info().iterations > 0);
  // A checkpoint that cannot be written is no reason to lose the run.
  how.checkpoint = "/nowhere/at/all";
  CHECK(Factorization::fit(Pattern::chord(context, n), x, how).info().error == last.error);
}

TEST_CASE("a run takes no more memory than it said") {
  on_every_device([](Context& context) {
    for (const int64_t n : {17, is_host(context) ? 300 : 100})
      for (const int32_t constraint : constraints) {
        CAPTURE(n);
        CAPTURE(constraint);
        Context fresh(context.device().selector);
        const Pattern pattern = Pattern::chord(fresh, n);
        const Matrix x = Matrix::dense(n, random_values(n * n, 15));
        const auto how = options(4, constraint);
        uint64_t planned = 0;
        chord::check(chord_factorize_memory(pattern.get(), x.get(), &how, &planned));
        const uint64_t before = fresh.memory().bytes_in_use;
        Factorization::fit(pattern, x, how);
        // The pool hands out blocks of sizes of its own.
        CHECK(fresh.memory().peak_bytes - before <= planned + planned / 4 + 65536);
        CHECK(fresh.memory().peak_bytes - before >= planned / 2);
      }
  });
}

TEST_CASE("wrong arguments are refused with what was expected") {
  Context context("host");
  const Pattern pattern = Pattern::chord(context, 8);
  const Matrix x = Matrix::dense(8, random_values(64, 1)), other = Matrix::dense(4, random_values(16, 1));
  chord_factorization* out = nullptr;
  const auto attempt = [&](auto change) {
    auto how = options(1);
    change(how);
    return chord_factorize(pattern.get(), x.get(), &how, &out);
  };
  expect(attempt([](auto& how) { how.constraint = 5; }), CHORD_ERROR_INVALID_ARGUMENT, "constraint is 5");
  expect(attempt([](auto& how) { how.precision = 16; }), CHORD_ERROR_INVALID_ARGUMENT, "precision is 16");
  expect(attempt([](auto& how) { how.iterations = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "iterations is -1");
  expect(attempt([](auto& how) { how.seconds = -1; }), CHORD_ERROR_INVALID_ARGUMENT, "seconds is -1");
  expect(attempt([](auto& how) { how.seconds = NAN; }), CHORD_ERROR_INVALID_ARGUMENT, "seconds is");
  expect(attempt([](auto& how) { how.factors = -3; }), CHORD_ERROR_INVALID_ARGUMENT, "factors is -3");
  expect(attempt([](auto& how) { how.factors = int64_t(1) << 60; }), CHORD_ERROR_TOO_LARGE, "");
  expect(attempt([](auto& how) { how.struct_size = 3; }), CHORD_ERROR_INVALID_ARGUMENT, "struct_size is 3");
  expect(chord_factorize(pattern.get(), other.get(), nullptr, &out), CHORD_ERROR_INVALID_SHAPE, "n = 4");
  expect(chord_factorize(pattern.get(), nullptr, nullptr, &out), CHORD_ERROR_INVALID_HANDLE, "matrix is NULL");
  expect(chord_factorize(pattern.get(), x.get(), nullptr, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
         "factorization is NULL");
  CHECK(out == nullptr);

  const Factorization result = Factorization::fit(pattern, x, options(1));
  auto how = options(1, CHORD_CONSTRAINT_SYMMETRIC);
  how.resume = result.get();
  expect(chord_factorize(pattern.get(), x.get(), &how, &out), CHORD_ERROR_INVALID_ARGUMENT, "expected symmetric");
  how = options(1);
  how.resume = result.get();
  how.factors = 5;
  expect(chord_factorize(pattern.get(), x.get(), &how, &out), CHORD_ERROR_INVALID_ARGUMENT, "stored factors: 3");
  how.factors = 0;
  const Pattern shifted = Pattern::custom(context, 8, {1, 2, 3, 4});
  expect(chord_factorize(shifted.get(), x.get(), &how, &out), CHORD_ERROR_INVALID_ARGUMENT, "other offsets");
  expect(chord_factorization_save(result.get(), "/nowhere/at/all"), CHORD_ERROR_IO_FAILURE, "/nowhere/at/all");
}

TEST_CASE("files that are no factorisation are refused") {
  const Folder folder;
  Context context("host");
  const std::string path = folder.file("result.safetensors");
  Factorization::fit(Pattern::chord(context, 6), Matrix::dense(6, random_values(36, 1)), options(2)).save(path);
  std::ifstream in(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  const auto load = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    chord_factorization* out = nullptr;
    const chord_status status = chord_factorization_load(context.get(), path.c_str(), &out);
    chord_factorization_destroy(out);
    return status;
  };
  CHECK(load(good) == CHORD_SUCCESS);
  const auto with = [&](const std::string& from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    std::string content = good;
    const std::size_t at = content.find(from);
    REQUIRE(at != std::string::npos);
    return content.replace(at, from.size(), to);
  };
  expect(load(with("chord-factorization 1", "chord-factorization 9")), CHORD_ERROR_INVALID_FILE, "the format is");
  expect(load(with("\"constraint\":\"none\"", "\"constraint\":\"some\"")), CHORD_ERROR_INVALID_FILE,
         "which is unknown");
  expect(load(with("\"iterations\":\"2\"", "\"iterations\":\"x\"")), CHORD_ERROR_INVALID_FILE, "expected a number");
  expect(load(with("\"seed\"", "\"sead\"")), CHORD_ERROR_INVALID_FILE, "no \"seed\"");
  expect(load(with("\"offsets\"", "\"offzets\"")), CHORD_ERROR_INVALID_FILE, "offzets");
  expect(load(with("[3,6,3]", "[9,6,1]")), CHORD_ERROR_INVALID_FILE, "expected one I64 per link");
  for (std::size_t length = 0; length < good.size(); length += 5)
    CHECK(load(good.substr(0, length)) == CHORD_ERROR_INVALID_FILE);
}

TEST_CASE("the truncated SVD is the best approximation of its rank") {
  const int64_t n = 20;
  const Values x = random_values(n * n, 21);
  const Matrix matrix = Matrix::dense(n, x);
  const Values singular = matrix.singular_values();
  CHECK(std::is_sorted(singular.rbegin(), singular.rend()));
  double all = 0;
  for (const double value : singular) all += value * value;
  CHECK(std::sqrt(all) == doctest::Approx(matrix.info().norm));
  for (const int64_t rank : {int64_t(0), int64_t(1), int64_t(7), n}) {
    CAPTURE(rank);
    double error = 0;
    Values approximation(x.size());
    chord::check(chord_matrix_truncated_svd(matrix.get(), rank, &error, nullptr, approximation.data()));
    CHECK(error == doctest::Approx(distance(x, approximation)).epsilon(1e-10));
    // Orthogonal to what is left: ⟨X_r, X − X_r⟩ = 0, and of norm √(σ₁² + … + σ_r²).
    Values rest = x;
    double squares = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= approximation[i];
    for (int64_t k = 0; k < rank; ++k) squares += singular[k] * singular[k];
    CHECK(std::abs(reference::inner(approximation, rest)) < 1e-10);
    CHECK(distance(approximation, Values(x.size(), 0.0)) == doctest::Approx(std::sqrt(squares)));
  }
  const Matrix diagonal = Matrix::sparse(3, {0, 1, 2}, {0, 1, 2}, {2, -5, 1});
  CHECK(difference(diagonal.singular_values(), {5, 2, 1}) < 1e-14);
  expect(chord_matrix_truncated_svd(matrix.get(), 21, nullptr, nullptr, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
         "rank is 21; expected 0 to n, 20");
  expect(chord_matrix_truncated_svd(matrix.get(), -1, nullptr, nullptr, nullptr), CHORD_ERROR_INVALID_ARGUMENT,
         "rank is -1");
}
