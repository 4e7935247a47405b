// Factorisations that are a sum of parts: files made by hand, against dense sums in double precision.
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "support.hpp"

using namespace testing;
using chord::Factorization;

namespace {

constexpr std::int64_t n = 11, factors = 3, rank = 2;
const std::vector<std::int64_t> offsets = {0, 1, 2, 4, 8};

/// A file's content as another program would write it, tensor by tensor.
class File {
 public:
  nlohmann::json metadata = {{"format", "chord-factorization 2"},
                             {"constraint", "none"},
                             {"iterations", "7"},
                             {"seconds", "1.5"},
                             {"error", "0.25"},
                             {"relative_error", "0.5"},
                             {"stop", "seconds"},
                             {"seed", "3"}};

  template <class T>
  void add(const std::string& name, const std::string& dtype, const std::vector<std::int64_t>& shape,
           const std::vector<T>& values) {
    const std::size_t begin = data_.size();
    data_ += files::bytes(values);
    header_[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  void add_reals(const std::string& name, int precision, const std::vector<std::int64_t>& shape, const Values& values) {
    if (precision == 64)
      add<double>(name, "F64", shape, values);
    else
      add<float>(name, "F32", shape, std::vector<float>(values.begin(), values.end()));
  }
  std::string content() const {
    nlohmann::json header = header_;
    header["__metadata__"] = metadata;
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return files::little<std::uint64_t>(text.size()) + text + data_;
  }

 private:
  nlohmann::json header_;
  std::string data_;
};

/// What the parts are made of, and their sum.
struct Mixture {
  std::string parts;
  Values weights = random_values(factors * n * offsets.size(), 1), u = random_values(n * rank, 2),
         v = random_values(n * rank, 3), values = {2, -1, 0.5, 4};
  std::vector<std::int32_t> rows = {3, 0, 3, 10}, columns = {7, 0, 2, 10};

  bool has(const std::string& part) const { return parts.find(part) != std::string::npos; }

  File file(int precision) const {
    File file;
    file.metadata["parts"] = parts;
    const auto links = std::int64_t(offsets.size());
    if (has("factors")) file.add_reals("weights", precision, {factors, n, links}, weights);
    file.add("offsets", "I64", {links}, offsets);
    if (has("low_rank")) {
      file.add_reals("u", precision, {n, rank}, u);
      file.add_reals("v", precision, {n, rank}, v);
    }
    if (has("entries")) {
      file.add("entry_rows", "I32", {4}, rows);
      file.add("entry_columns", "I32", {4}, columns);
      file.add_reals("entry_values", precision, {4}, values);
    }
    return file;
  }

  Values sum() const {
    Values x(n * n);
    if (has("factors")) x = reference::chain_matrix(n, offsets, factors, weights.data());
    for (std::size_t i = 0; i < n && has("low_rank"); ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < rank; ++k) x[i * n + j] += u[i * rank + k] * v[j * rank + k];
    for (std::size_t e = 0; e < values.size() && has("entries"); ++e)
      x[std::size_t(rows[e]) * n + std::size_t(columns[e])] += values[e];
    return x;
  }
};

Mixture mixture(const std::string& parts) {
  Mixture result;
  result.parts = parts;
  return result;
}

Factorization loaded(Context& context, const std::string& content) {
  const files::Folder folder;
  files::save(folder / "mixed.safetensors", content);
  return Factorization::load(context, folder / "mixed.safetensors");
}

Values transposed(const Values& x) {
  Values t(x.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) t[j * n + i] = x[i * n + j];
  return t;
}

/// X̂ applied, to a batch in strided memory, too; its rows; itself.
template <class T>
void check_sum(Context& context, const Factorization& mixed, const Values& x) {
  const std::int64_t columns = 5, batch = 2;
  const Values v = random_values(std::size_t(batch * n * columns), 9);
  const Tensor wide = Tensor::empty<T>(context, {batch, n, columns + 2});
  Tensor z = wide.view({batch, n, columns}, {n * (columns + 2), columns + 2, 1}, 1);
  for (const bool back : {false, true}) {
    Values expected;
    for (std::int64_t b = 0; b < batch; ++b) {
      const Values part = reference::multiply(n, columns, back ? transposed(x) : x, v.data() + b * n * columns);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    if (back)
      mixed.apply_transposed(tensor<T>(context, {batch, n, columns}, v), z);
    else
      mixed.apply(tensor<T>(context, {batch, n, columns}, v), z);
    CHECK(difference(values_of<T>(z), expected) < tolerance<T>);
  }
  Tensor dense = Tensor::empty<T>(context, {n, n}), rows = Tensor::empty<T>(context, {3, n});
  mixed.dense(dense);
  CHECK(difference(values_of<T>(dense), x) < tolerance<T>);
  mixed.rows({10, 0, 3}, rows);
  Values expected(x.begin() + 10 * n, x.end());
  expected.insert(expected.end(), x.begin(), x.begin() + n);
  expected.insert(expected.end(), x.begin() + 3 * n, x.begin() + 4 * n);
  CHECK(difference(values_of<T>(rows), expected) < tolerance<T>);
}

const char* const mixtures[] = {"factors",         "low_rank",         "factors low_rank",
                                "factors entries", "low_rank entries", "factors low_rank entries"};

}  // namespace

TEST_CASE("a sum of parts is applied, read by rows and made dense by all of them") {
  on_every_device([](Context& context) {
    for (const char* const parts : mixtures) {
      CAPTURE(parts);
      const Mixture given = mixture(parts);
      check_sum<float>(context, loaded(context, given.file(32).content()), given.sum());
      if (context.device().has_float64)
        check_sum<double>(context, loaded(context, given.file(64).content()), given.sum());
    }
  });
}

TEST_CASE("parts are listed, with the numbers they store") {
  Context context("host");
  const Mixture given = mixture("factors low_rank entries");
  const Factorization mixed = loaded(context, given.file(64).content());
  const auto parts = mixed.parts();
  REQUIRE(parts.size() == 3);
  const std::int64_t sizes[] = {factors, rank, 4}, numbers[] = {factors * n * 5, 2 * n * rank, 8};
  for (int i = 0; i < 3; ++i) {
    CHECK(parts[std::size_t(i)].kind == i);
    CHECK(parts[std::size_t(i)].size == sizes[i]);
    CHECK(parts[std::size_t(i)].numbers == numbers[i]);
  }
  CHECK(mixed.info().nonzeros == numbers[0] + numbers[1] + numbers[2]);
  CHECK(mixed.info().n == n);
  CHECK(mixed.info().precision == 64);
  CHECK(mixed.info().error == 0.25);
  CHECK(values_of<double>(mixed.tensor("u")) == given.u);
  CHECK(values_of<double>(mixed.weights()) == given.weights);
  CHECK(mixed.tensor("entry_rows").to_host<std::int32_t>() == std::vector<std::int32_t>{0, 3, 3, 10});
  CHECK(std::string(chord::part_kinds().at(CHORD_PART_LOW_RANK).name) == "low_rank");

  chord_tensor* none = nullptr;
  expect(chord_factorization_get_tensor(mixed.get(), "s", &none), CHORD_ERROR_INVALID_ARGUMENT,
         "no tensor \"s\"; there are: weights, u, v, entry_rows, entry_columns, entry_values");
  chord_part_info info = CHORD_PART_INFO_INIT;
  expect(chord_factorization_get_part(mixed.get(), 3, &info), CHORD_ERROR_INVALID_ARGUMENT, "index is 3");
}

TEST_CASE("a fit has one part, its factors") {
  Context context("host");
  auto options = chord::factorize_options();
  options.iterations = 3;
  const Factorization fitted =
      Factorization::fit(Pattern::chord(context, 8), chord::Matrix::dense(8, random_values(64, 1)), options);
  REQUIRE(fitted.parts().size() == 1);
  CHECK(fitted.parts()[0].kind == CHORD_PART_FACTORS);
  CHECK(fitted.parts()[0].numbers == fitted.info().nonzeros);
  CHECK(fitted.info().nonzeros == 3 * 8 * 4);
}

TEST_CASE("a sum of parts survives its file; factors alone are written as 0.1 reads them") {
  on_every_device([](Context& context) {
    const files::Folder folder;
    for (const char* const parts : mixtures) {
      CAPTURE(parts);
      const Mixture given = mixture(parts);
      const Factorization first = loaded(context, given.file(32).content());
      first.save(folder / "again.safetensors");
      const std::string content = files::content_of(folder / "again.safetensors");
      const bool alone = given.parts == "factors";
      CHECK((content.find("chord-factorization 1") != std::string::npos) == alone);
      CHECK(content.find("\"parts\":\"" + given.parts + "\"") != std::string::npos);
      const Factorization second = Factorization::load(context, folder / "again.safetensors");
      check_sum<float>(context, second, given.sum());
      CHECK(second.parts().size() == first.parts().size());
    }
  });
}

TEST_CASE("what a sum of parts is not, it does not say to be") {
  Context context("host");
  const Factorization mixed = loaded(context, mixture("factors low_rank").file(64).content());
  const Factorization bare = loaded(context, mixture("low_rank").file(64).content());
  chord_chain* chain = nullptr;
  expect(chord_factorization_get_chain(mixed.get(), &chain), CHORD_ERROR_UNSUPPORTED, "it is no chain");
  expect(chord_factorization_get_chain(bare.get(), &chain), CHORD_ERROR_UNSUPPORTED, "it is no chain");
  chord_tensor* weights = nullptr;
  expect(chord_factorization_get_weights(bare.get(), &weights), CHORD_ERROR_UNSUPPORTED, "no factors among its parts");
  CHECK(bare.pattern().offsets() == offsets);
  CHECK(bare.info().factors == 0);

  auto options = chord::factorize_options();
  options.resume = mixed.get();
  chord_factorization* result = nullptr;
  const chord::Matrix x = chord::Matrix::dense(n, random_values(n * n, 1));
  options.factors = factors;
  expect(chord_factorize(mixed.pattern().get(), x.get(), &options, &result), CHORD_ERROR_INVALID_ARGUMENT,
         "has rank 2; expected 0");

  Tensor v = Tensor::empty<double>(context, {n, 2}), few = Tensor::empty<double>(context, {n - 1, 2});
  Tensor single = Tensor::empty<float>(context, {n, 2});
  expect(chord_factorization_apply(bare.get(), v.get(), v.get(), 0), CHORD_ERROR_INVALID_ARGUMENT, "shares memory");
  expect(chord_factorization_apply(bare.get(), few.get(), few.get(), 0), CHORD_ERROR_INVALID_SHAPE, "expected 1 of 11");
  expect(chord_factorization_apply(bare.get(), single.get(), v.get(), 0), CHORD_ERROR_INVALID_TYPE, "v is float32");
  const std::int64_t beyond = n;
  Tensor row = Tensor::empty<double>(context, {1, n});
  expect(chord_factorization_rows(bare.get(), &beyond, 1, row.get()), CHORD_ERROR_INVALID_ARGUMENT,
         "there is no row 11; rows are 0 to 10");
}

TEST_CASE("files with parts that are none are refused, and say which") {
  Context context("host");
  const files::Folder folder;
  const auto load = [&](const File& file) {
    files::save(folder / "bad.safetensors", file.content());
    chord_factorization* result = nullptr;
    const chord_status status = chord_factorization_load(context.get(), (folder / "bad.safetensors").c_str(), &result);
    CHECK(chord_factorization_destroy(result) == CHORD_SUCCESS);
    return status;
  };
  const Mixture all = mixture("factors low_rank entries");
  const auto with = [&](const char* key, const char* value) {
    File file = all.file(64);
    file.metadata[key] = value;
    return load(file);
  };
  CHECK(load(all.file(64)) == CHORD_SUCCESS);
  expect(with("parts", "factors wavelets"), CHORD_ERROR_UNSUPPORTED,
         "a part \"wavelets\", which this version does not");
  expect(with("parts", "factors factors"), CHORD_ERROR_INVALID_FILE, "\"factors\" twice");
  expect(with("parts", " "), CHORD_ERROR_INVALID_FILE, "\"parts\" is empty");
  expect(with("parts", "entries"), CHORD_ERROR_UNSUPPORTED, "\"entries\" alone");
  expect(with("format", "chord-factorization 3"), CHORD_ERROR_INVALID_FILE, "no \"rows\"");
  expect(with("format", "chord-factorization 4"), CHORD_ERROR_INVALID_FILE, "expected \"chord-factorization 1\"");
  expect(with("constraint", "symmetric"), CHORD_ERROR_UNSUPPORTED, "under the constraint \"symmetric\"");
  File without = all.file(64);
  without.metadata.erase("parts");
  expect(load(without), CHORD_ERROR_INVALID_FILE, "no \"parts\"");

  Mixture wrong = all;
  wrong.rows[1] = 11;
  expect(load(wrong.file(64)), CHORD_ERROR_INVALID_FILE, "entry_rows has 11 at place 1; expected 0 to 10");
  wrong = all;
  wrong.u[5] = INFINITY;
  expect(load(wrong.file(64)), CHORD_ERROR_INVALID_FILE, "u has a number at place 5 that is not finite");
  File odd = mixture("factors").file(64);
  odd.metadata["parts"] = "factors low_rank";
  odd.add_reals("u", 32, {n, rank}, all.u);
  odd.add_reals("v", 32, {n, rank}, all.v);
  expect(load(odd), CHORD_ERROR_INVALID_FILE, "expected the type of the others");
  File small = mixture("factors").file(64);
  small.metadata["parts"] = "factors low_rank";
  small.add_reals("u", 64, {2, 2}, {1, 2, 3, 4});
  small.add_reals("v", 64, {2, 2}, {1, 2, 3, 4});
  expect(load(small), CHORD_ERROR_INVALID_FILE, "expected n × rank, n being 11");
}

namespace {

chord_factorize_options within(std::int64_t numbers, std::int64_t iterations) {
  auto options = chord::factorize_options();
  options.numbers = numbers;
  options.iterations = iterations;
  return options;
}

std::int64_t size_of_part(const Factorization& factorization, chord_part_kind kind) {
  for (const chord_part_info& part : factorization.parts())
    if (part.kind == kind) return part.size;
  return 0;
}

double distance(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

Values dense_of(Context& context, const Factorization& factorization) {
  const std::int64_t size = factorization.info().n;
  if (factorization.info().precision == 64) {
    Tensor out = Tensor::empty<double>(context, {size, size});
    factorization.dense(out);
    return values_of<double>(out);
  }
  Tensor out = Tensor::empty<float>(context, {size, size});
  factorization.dense(out);
  return values_of<float>(out);
}

/// Of a rank, beside factors of a pattern, or of either alone.
Values sum_of(std::int64_t size, std::int64_t columns, const Pattern& pattern, std::int64_t count) {
  Values sum(std::size_t(size * size), 0.0);
  const Values u = random_values(size * columns, 1), v = random_values(size * columns, 2);
  for (std::int64_t i = 0; i < size; ++i)
    for (std::int64_t j = 0; j < size; ++j)
      for (std::int64_t k = 0; k < columns; ++k) sum[i * size + j] += u[i * columns + k] * v[j * columns + k];
  if (count == 0) return sum;
  const Values weights = random_values(count * size * pattern.links(), 3);
  const Values product = reference::chain_matrix(size, pattern.offsets(), count, weights.data());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += product[i];
  return sum;
}

}  // namespace

TEST_CASE("with numbers to split, a fit has no more of them and is never worse than the truncated SVD") {
  on_every_device([](Context& context) {
    for (const std::int64_t size : {1, 2, 3, 17, 33})
      for (const int precision : {64, 32}) {
        CAPTURE(size);
        CAPTURE(precision);
        const Pattern pattern = Pattern::chord(context, size);
        const std::int64_t numbers = std::max<std::int64_t>(chord::full_chain_length(size), 1) * size * pattern.links();
        const Values x = random_values(size * size, unsigned(size));
        const chord::Matrix matrix = chord::Matrix::dense(size, x);
        auto options = within(numbers, 40);
        options.precision = precision;
        const Factorization found = Factorization::fit(pattern, matrix, options);
        const auto info = found.info();
        CHECK(info.nonzeros <= numbers);
        CHECK(info.error == doctest::Approx(distance(x, dense_of(context, found))).epsilon(1e-4).scale(0.01));
        double svd = 0;
        const std::int64_t equal = std::min(size, numbers / (2 * size));
        chord::check(chord_matrix_truncated_svd(matrix.get(), equal, &svd, nullptr, nullptr));
        CHECK(info.error <= svd * (1 + 1e-6) + 1e-6);
      }
  });
}

TEST_CASE("a matrix of low rank beside factors is recovered, and so is either alone") {
  Context context("host");
  const std::int64_t size = 24;
  const Pattern pattern = Pattern::chord(context, size);
  struct Case {
    std::int64_t rank, factors;
  };
  for (const auto& [columns, count] : {Case{3, 1}, {2, 2}, {5, 0}, {0, 2}}) {
    const std::int64_t wanted_rank = columns, wanted_factors = count;
    CAPTURE(wanted_rank);
    CAPTURE(wanted_factors);
    const Values x = sum_of(size, columns, pattern, count);
    auto options = within(0, 30000);
    options.rank = columns > 0 ? columns : CHORD_NO_PART;
    options.factors = count > 0 ? count : CHORD_NO_PART;
    const Factorization found = Factorization::fit(pattern, chord::Matrix::dense(size, x), options);
    CHECK(found.info().relative_error < 1e-6);
    CHECK(size_of_part(found, CHORD_PART_LOW_RANK) == columns);
    CHECK(size_of_part(found, CHORD_PART_FACTORS) == count);
  }
}

TEST_CASE("a low rank beside factors keeps the promise of a constraint, and its file") {
  on_every_device([](Context& context) {
    const std::int64_t size = 17;
    const Pattern pattern = Pattern::chord(context, size);
    const Values x = random_values(size * size, 5);
    const files::Folder folder;
    for (const int32_t constraint :
         {CHORD_CONSTRAINT_NONE, CHORD_CONSTRAINT_SYMMETRIC, CHORD_CONSTRAINT_SEMIDEFINITE}) {
      CAPTURE(constraint);
      auto options = within(0, 60);
      options.constraint = constraint;
      options.factors = 2;
      options.rank = 3;
      const Factorization found = Factorization::fit(pattern, chord::Matrix::dense(size, x), options);
      const Values dense = dense_of(context, found);
      CHECK(found.info().error == doctest::Approx(distance(x, dense)).epsilon(1e-9));
      for (std::int64_t i = 0; constraint != CHORD_CONSTRAINT_NONE && i < size; ++i)
        for (std::int64_t j = 0; j < i; ++j) CHECK(difference(dense[i * size + j], dense[j * size + i]) < 1e-13);
      for (unsigned seed = 0; constraint == CHORD_CONSTRAINT_SEMIDEFINITE && seed < 20; ++seed) {
        const Values v = random_values(size, seed);
        CHECK(reference::inner(v, reference::multiply(size, 1, dense, v.data())) >= -1e-12);
      }
      const std::int64_t sides = constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? 1 : 2;
      CHECK(found.parts()[1].numbers == sides * size * 3);
      found.save(folder / "sum.safetensors");
      const Factorization again = Factorization::load(context, folder / "sum.safetensors");
      CHECK(difference(dense_of(context, again), dense) < 1e-15);
      // A run goes on from there and is never worse.
      options.resume = again.get();
      const Factorization better = Factorization::fit(pattern, chord::Matrix::dense(size, x), options);
      CHECK(better.info().error <= found.info().error * (1 + 1e-9));
      CHECK(better.info().iterations > found.info().iterations);
      options.rank = 4;
      chord_factorization* none = nullptr;
      expect(chord_factorize(pattern.get(), chord::Matrix::dense(size, x).get(), &options, &none),
             CHORD_ERROR_INVALID_ARGUMENT, "has rank 3; expected 4");
    }
  });
}

TEST_CASE("single entries are the largest that the other parts leave over") {
  Context context("host");
  const std::int64_t size = 20, few = 4;
  const Pattern pattern = Pattern::chord(context, size);
  Values x = sum_of(size, 2, pattern, 1);
  const Values smooth = x;
  const std::vector<std::size_t> places = {7, 151, 230, 399};
  for (const std::size_t place : places) x[place] += 40;
  auto options = within(0, 20000);
  options.factors = 1;
  options.rank = 2;
  options.entries = few;
  const Factorization found = Factorization::fit(pattern, chord::Matrix::dense(size, x), options);
  const auto info = found.info();
  CHECK(size_of_part(found, CHORD_PART_ENTRIES) == few);
  CHECK(info.nonzeros == size * pattern.links() + 2 * 2 * size + 2 * few);
  CHECK(info.error == doctest::Approx(distance(x, dense_of(context, found))).epsilon(1e-9).scale(1e-6));
  CHECK(info.relative_error < 1e-3);
  const auto rows = found.tensor("entry_rows").to_host<std::int32_t>();
  const auto columns = found.tensor("entry_columns").to_host<std::int32_t>();
  for (std::size_t k = 0; k < places.size(); ++k) CHECK(std::size_t(rows[k] * size + columns[k]) == places[k]);
  options.resume = found.get();
  options.iterations = 10;
  CHECK(Factorization::fit(pattern, chord::Matrix::dense(size, x), options).info().error <=
        info.error * (1 + 1e-9) + 1e-12);
}

TEST_CASE("a run uses the time it was given, and no more") {
  Context context("host");
  const std::int64_t size = 6;
  const Pattern pattern = Pattern::chord(context, size, 2, 2);
  auto options = chord::factorize_options();
  options.factors = 1;
  options.seconds = 0.5;
  const chord::Matrix x = chord::Matrix::dense(size, random_values(size * size, 1));
  const auto info = Factorization::fit(pattern, x, options).info();
  CHECK(info.stop == CHORD_STOP_SECONDS);
  CHECK(info.seconds >= 0.5);
  CHECK(info.seconds < 1);
  // What is exact is not done again, nor what is good enough for the caller.
  options.seconds = 20;
  options.improvement_tolerance = 0.01;
  CHECK(Factorization::fit(pattern, x, options).info().seconds < 10);
  options.improvement_tolerance = 0;
  options.factors = CHORD_NO_PART;
  options.rank = size;
  CHECK(Factorization::fit(pattern, x, options).info().seconds < 10);
}
