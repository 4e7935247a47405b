#include "finite_differences.hpp"
#include "support.hpp"

using namespace testing;

namespace {

struct Case {
  int64_t n, d, batch, factors;
  bool shared_weights, residual;
};

std::vector<int64_t> offsets_for(int64_t n) {
  std::vector<int64_t> offsets{0, 1};
  for (int64_t o = 2; o < n; o *= 2) offsets.push_back(o);
  return offsets;
}

// Batches and widths on both sides of what makes a CPU run a whole chain per worker.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int64_t n : {1, 2, 3, 17})
    for (const int64_t d : {1, 7, 33, 64, 101})
      for (const int64_t batch : {0, 1, 5})
        for (const bool shared : {false, true})
          for (const bool residual : {false, true}) all.push_back({n, d, batch, 1 + (n + d) % 4, shared, residual});
  for (const bool residual : {false, true}) {
    all.push_back({1000, 7, 3, 3, false, residual});
    all.push_back({1000, 77, 1, 2, true, residual});
  }
  all.push_back({4097, 8, 2, 2, false, true});
  all.push_back({4097, 33, 1, 2, true, false});
  all.push_back({17, 9, 2, 0, true, false});
  all.push_back({17, 9, 2, 0, false, true});
  all.push_back({1, 3, 4, 0, true, false});
  return all;
}

struct Problem {
  Case c;
  std::vector<int64_t> offsets;
  Values w, v, g;

  explicit Problem(const Case& each)
      : c(each),
        offsets(offsets_for(c.n)),
        w(random_values(c.factors * (c.shared_weights ? 1 : c.batch) * c.n * offsets.size(), 1)),
        v(random_values(c.batch * c.n * c.d, 2)),
        g(random_values(c.batch * c.n * c.d, 3)) {}

  int64_t links() const { return int64_t(offsets.size()); }
  Shape weights_shape() const {
    return c.shared_weights ? Shape{c.factors, c.n, links()} : Shape{c.factors, c.batch, c.n, links()};
  }
  Shape values_shape() const { return {c.batch, c.n, c.d}; }

  /// The factors of one sequence, one after the other.
  Values factors_of(int64_t b) const {
    Values own;
    const int64_t size = c.n * links(), count = c.shared_weights ? 1 : c.batch;
    for (int64_t m = 0; m < c.factors; ++m) {
      const auto first = w.begin() + (m * count + (c.shared_weights ? 0 : b)) * size;
      own.insert(own.end(), first, first + size);
    }
    return own;
  }

  Values expected() const {
    Values all;
    for (int64_t b = 0; b < c.batch; ++b) {
      const Values one =
          reference::chain(c.n, c.d, offsets, c.factors, factors_of(b).data(), &v[b * c.n * c.d], c.residual);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  /// By the chain rule on dense matrices, one factor at a time.
  void expected_gradient(Values& dw, Values& dv) const {
    dw.assign(w.size(), 0.0);
    dv.clear();
    const int64_t size = c.n * links(), count = c.shared_weights ? 1 : c.batch;
    for (int64_t b = 0; b < c.batch; ++b) {
      const Values own = factors_of(b);
      std::vector<Values> inputs{Values(&v[b * c.n * c.d], &v[b * c.n * c.d] + c.n * c.d)};
      for (int64_t m = 0; m < c.factors; ++m) {
        inputs.push_back(reference::chain(c.n, c.d, offsets, 1, &own[m * size], inputs[m].data(), false));
        for (int64_t i = 0; c.residual && i < c.n * c.d; ++i) inputs[m + 1][i] += inputs[0][i];
      }
      Values adjoint(&g[b * c.n * c.d], &g[b * c.n * c.d] + c.n * c.d), first(c.n * c.d, 0.0);
      for (int64_t m = c.factors - 1; m >= 0; --m) {
        const Values one = reference::weights_gradient(c.n, c.d, offsets, adjoint.data(), inputs[m].data());
        for (int64_t i = 0; i < size; ++i) dw[(m * count + (c.shared_weights ? 0 : b)) * size + i] += one[i];
        if (c.residual)
          for (std::size_t i = 0; i < first.size(); ++i) first[i] += adjoint[i];
        adjoint =
            reference::multiply(c.n, c.d, reference::dense_factor(c.n, offsets, &own[m * size]), adjoint.data(), true);
      }
      for (std::size_t i = 0; i < first.size(); ++i) dv.push_back(first[i] + adjoint[i]);
    }
  }
};

// Sums run through up to five factors: rounding adds up.
template <class T>
constexpr double loose = 10 * tolerance<T>;

/// What dense matrices make of a problem: slow, and the same for all devices and types.
struct Expected {
  Values z, dw, dv;

  explicit Expected(const Problem& p) : z(p.expected()) { p.expected_gradient(dw, dv); }
};

template <class T>
void check_case(Context& context, const Problem& p, const Expected& expected) {
  const Case& c = p.c;
  const auto pattern = Pattern::custom(context, c.n, p.offsets);
  const Tensor w = tensor<T>(context, p.weights_shape(), p.w), v = tensor<T>(context, p.values_shape(), p.v),
               g = tensor<T>(context, p.values_shape(), p.g);
  const chord::Chain chain(pattern, w, c.residual);

  Tensor z = Tensor::empty<T>(context, p.values_shape());
  chain.apply(v, z);
  CHECK(difference(values_of<T>(z), expected.z) < loose<T>);

  Tensor tape = Tensor::empty<T>(context, {std::max<int64_t>(c.factors - 1, 0), c.batch, c.n, c.d});
  z.fill(0);
  chain.apply(v, z, tape);
  CHECK(difference(values_of<T>(z), expected.z) < loose<T>);

  Tensor transposed = Tensor::empty<T>(context, p.values_shape());
  chain.apply_transposed(g, transposed);
  CHECK(difference(values_of<T>(transposed), expected.dv) < loose<T>);

  Tensor dw = Tensor::empty<T>(context, p.weights_shape()), dv = Tensor::empty<T>(context, p.values_shape());
  for (const Tensor* stored : {static_cast<const Tensor*>(nullptr), static_cast<const Tensor*>(&tape)}) {
    CAPTURE(stored != nullptr);
    dw.fill(9);
    dv.fill(9);
    chain.gradient(v, stored, g, dw, &dv);
    CHECK(difference(values_of<T>(dw), expected.dw) < loose<T>);
    CHECK(difference(values_of<T>(dv), expected.dv) < loose<T>);
    chain.gradient(v, stored, g, dw, &dv, true);
    CHECK(difference(values_of<T>(dw), doubled(expected.dw)) < loose<T>);
    CHECK(difference(values_of<T>(dv), doubled(expected.dv)) < loose<T>);
    chain.gradient(v, stored, g, dw, nullptr);
    CHECK(difference(values_of<T>(dw), expected.dw) < loose<T>);
  }
}

}  // namespace

TEST_CASE("a chain and its gradients equal the dense computation") {
  std::vector<Context> contexts;
  for (const auto& device : chord::devices()) contexts.emplace_back(device.selector);
  for (const Case& c : cases()) {
    CAPTURE(c.n);
    CAPTURE(c.d);
    CAPTURE(c.batch);
    CAPTURE(c.factors);
    CAPTURE(c.shared_weights);
    CAPTURE(c.residual);
    const Problem p(c);
    const Expected expected(p);
    for (Context& context : contexts) {
      CAPTURE(context.device().selector);
      check_case<float>(context, p, expected);
      check_case<double>(context, p, expected);
    }
  }
}

TEST_CASE("the gradient of a chain is that of finite differences") {
  on_every_device([](Context& context) {
    for (const bool residual : {false, true}) {
      const Problem p({11, 4, 3, 4, false, residual});
      const auto pattern = Pattern::custom(context, p.c.n, p.offsets);
      const Tensor g = tensor<double>(context, p.values_shape(), p.g);
      const auto objective = [&](const Values& weights, const Values& values) {
        const Tensor w = tensor<double>(context, p.weights_shape(), weights);
        Tensor z = Tensor::empty<double>(context, p.values_shape());
        chord::Chain(pattern, w, residual).apply(tensor<double>(context, p.values_shape(), values), z);
        return reference::inner(values_of<double>(z), p.g);
      };
      const Tensor w = tensor<double>(context, p.weights_shape(), p.w),
                   v = tensor<double>(context, p.values_shape(), p.v);
      Tensor dw = Tensor::empty<double>(context, p.weights_shape()),
             dv = Tensor::empty<double>(context, p.values_shape());
      chord::Chain(pattern, w, residual).gradient(v, nullptr, g, dw, &dv);
      const Values found_w = values_of<double>(dw), found_v = values_of<double>(dv);
      const double h = 1e-4;
      const auto of_weights = [&](const Values& weights) { return objective(weights, p.v); };
      const auto of_values = [&](const Values& values) { return objective(p.w, values); };
      for (std::size_t i = 0; i < p.w.size(); i += 13)
        CHECK(found_w[i] == doctest::Approx(slope(of_weights, p.w, i, h)).epsilon(1e-7));
      for (std::size_t i = 0; i < p.v.size(); i += 7)
        CHECK(found_v[i] == doctest::Approx(slope(of_values, p.v, i, h)).epsilon(1e-7));
    }
  });
}

TEST_CASE("rows and the dense product are those of the multiplied matrices, residuals left out") {
  on_every_device([](Context& context) {
    for (const int64_t n : {1, 2, 3, 17, 300})
      for (const bool shared : {true, false}) {
        CAPTURE(n);
        CAPTURE(shared);
        const Problem p({n, 1, 2, 3, shared, true});
        const auto pattern = Pattern::custom(context, n, p.offsets);
        const Tensor w = tensor<double>(context, p.weights_shape(), p.w);
        const chord::Chain chain(pattern, w, true);
        const int64_t batch = shared ? 1 : 2;
        Tensor dense = Tensor::empty<double>(context, {batch, n, n});
        chain.dense(dense);
        Values expected;
        for (int64_t b = 0; b < batch; ++b) {
          const Values one = reference::chain_matrix(n, p.offsets, 3, p.factors_of(b).data());
          expected.insert(expected.end(), one.begin(), one.end());
        }
        CHECK(difference(values_of<double>(dense), expected) < 1e-13);

        const std::vector<int64_t> wanted{n - 1, 0, n / 2, 0};
        Tensor rows = Tensor::empty<double>(context, {batch, 4, n});
        chain.rows(wanted, rows);
        Values expected_rows;
        for (int64_t b = 0; b < batch; ++b)
          for (const int64_t row : wanted)
            expected_rows.insert(expected_rows.end(), expected.begin() + (b * n + row) * n,
                                 expected.begin() + (b * n + row + 1) * n);
        CHECK(difference(values_of<double>(rows), expected_rows) < 1e-13);
      }
  });
}

TEST_CASE("a full chain of a chord pattern connects every row with every column") {
  Context context("host");
  for (const int64_t base : {2, 3, 5})
    for (const int64_t n : {1, 2, 3, 17, 64, 100}) {
      CAPTURE(base);
      CAPTURE(n);
      const auto pattern = Pattern::chord(context, n, base, 0);
      const int64_t links = pattern.links(), factors = chord::full_chain_length(n, base);
      Tensor weights = Tensor::empty<double>(context, {factors, n, links});
      weights.fill(1);
      Tensor dense = Tensor::empty<double>(context, {n, n});
      chord::Chain(pattern, weights).dense(dense);
      for (const double entry : dense.to_host<double>()) REQUIRE(entry > 0);
    }
}

TEST_CASE("a repeated chain allocates nothing once it is warm") {
  on_every_device([](Context& context) {
    const Problem p({1000, 33, 4, 3, true, true});
    const auto pattern = Pattern::custom(context, p.c.n, p.offsets);
    const Tensor w = tensor<float>(context, p.weights_shape(), p.w), v = tensor<float>(context, p.values_shape(), p.v),
                 g = tensor<float>(context, p.values_shape(), p.g);
    Tensor z = Tensor::empty<float>(context, p.values_shape()), dw = Tensor::empty<float>(context, p.weights_shape()),
           dv = Tensor::empty<float>(context, p.values_shape());
    const chord::Chain chain(pattern, w, true);
    const auto step = [&] {
      chain.apply(v, z);
      chain.apply_transposed(g, z);
      chain.gradient(v, nullptr, g, dw, &dv);
      context.wait();
    };
    step();
    const auto warm = context.memory();
    for (int i = 0; i < 10; ++i) step();
    CHECK(context.memory().device_allocations == warm.device_allocations);
    CHECK(context.memory().bytes_in_use == warm.bytes_in_use);
    CHECK(warm.peak_bytes > warm.bytes_in_use);
  });
}
