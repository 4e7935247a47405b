#include "support.hpp"

using namespace testing;

namespace {

struct Case {
  int64_t n, d, batch;
  std::vector<int64_t> offsets;
  bool shared_weights;
};

std::vector<int64_t> chord(int64_t n) {
  std::vector<int64_t> offsets{0};
  for (int64_t o = 1; o < n; o *= 2) offsets.push_back(o);
  return offsets;
}

/// Wrapping, beyond N, negative, repeated, unsorted.
std::vector<int64_t> awkward(int64_t n) { return {3, 0, -1, 2 * n + 1, 5, 5, n, -7 * n - 2, n - 1}; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int64_t n : {1, 2, 3, 17})
    for (const int64_t d : {1, 7, 8, 33, 64, 100})
      for (const int64_t batch : {0, 1, 3})
        for (const bool shared : {false, true}) {
          all.push_back({n, d, batch, chord(n), shared});
          all.push_back({n, d, batch, awkward(n), shared});
        }
  for (const int64_t d : {1, 7, 33, 96}) all.push_back({1000, d, 2, awkward(1000), false});
  all.push_back({4097, 8, 1, chord(4097), false});
  all.push_back({4097, 33, 1, awkward(4097), true});
  all.push_back({17, 0, 2, chord(17), false});
  return all;
}

struct Data {
  Values w, v, g;
  explicit Data(const Case& c)
      : w(random_values((c.shared_weights ? 1 : c.batch) * c.n * c.offsets.size(), 1)),
        v(random_values(c.batch * c.n * c.d, 2)),
        g(random_values(c.batch * c.n * c.d, 3)) {}
};

Shape weights_shape(const Case& c) {
  const int64_t links = int64_t(c.offsets.size());
  return c.shared_weights ? Shape{c.n, links} : Shape{c.batch, c.n, links};
}

/// Forward (or transposed) reference for the whole batch.
Values expected_product(const Case& c, const Data& data, const Values& v, bool transposed) {
  Values all;
  const std::size_t links = c.offsets.size();
  for (int64_t b = 0; b < c.batch; ++b) {
    const Values matrix =
        reference::dense_factor(c.n, c.offsets, data.w.data() + (c.shared_weights ? 0 : b * c.n * links));
    const Values one = reference::multiply(c.n, c.d, matrix, v.data() + b * c.n * c.d, transposed);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

Values expected_weights_gradient(const Case& c, const Data& data) {
  const std::size_t size = c.n * c.offsets.size();
  Values all(c.shared_weights ? size : size * c.batch, 0.0);
  for (int64_t b = 0; b < c.batch; ++b) {
    const Values one =
        reference::weights_gradient(c.n, c.d, c.offsets, data.g.data() + b * c.n * c.d, data.v.data() + b * c.n * c.d);
    for (std::size_t i = 0; i < size; ++i) all[(c.shared_weights ? 0 : b * size) + i] += one[i];
  }
  return all;
}

template <class T>
void check_case(Context& context, const Case& c) {
  CAPTURE(c.n);
  CAPTURE(c.d);
  CAPTURE(c.batch);
  CAPTURE(c.offsets.size());
  CAPTURE(c.shared_weights);
  const Data data(c);
  const auto pattern = Pattern::custom(context, c.n, c.offsets);
  const Shape values_shape{c.batch, c.n, c.d};
  const Tensor w = tensor<T>(context, weights_shape(c), data.w), v = tensor<T>(context, values_shape, data.v),
               g = tensor<T>(context, values_shape, data.g);

  Tensor z = Tensor::empty<T>(context, values_shape);
  chord::product(pattern, w, v, z);
  const Values product = expected_product(c, data, data.v, false);
  CHECK(difference(values_of<T>(z), product) < tolerance<T>);
  chord::product(pattern, w, v, z, true);
  CHECK(difference(values_of<T>(z), doubled(product)) < tolerance<T>);

  Tensor dv = Tensor::empty<T>(context, values_shape);
  chord::product_gradient_values(pattern, w, g, dv);
  const Values transposed = expected_product(c, data, data.g, true);
  CHECK(difference(values_of<T>(dv), transposed) < tolerance<T>);
  chord::product_gradient_values(pattern, w, g, dv, true);
  CHECK(difference(values_of<T>(dv), doubled(transposed)) < tolerance<T>);

  Tensor dw = Tensor::empty<T>(context, weights_shape(c));
  dw.fill(7);  // must be overwritten, also by a sum over nothing
  chord::product_gradient_weights(pattern, g, v, dw);
  const Values gradient = expected_weights_gradient(c, data);
  const double terms = std::sqrt(double(c.d));  // of numbers of size 1
  CHECK(difference(values_of<T>(dw), gradient, terms) < tolerance<T>);
  chord::product_gradient_weights(pattern, g, v, dw, true);
  CHECK(difference(values_of<T>(dw), doubled(gradient), terms) < tolerance<T>);
}

}  // namespace

TEST_CASE("the product and its gradients equal the dense computation, float32") {
  on_every_device([](Context& context) {
    for (const Case& c : cases()) check_case<float>(context, c);
  });
}

TEST_CASE("the product and its gradients equal the dense computation, float64") {
  on_every_device([](Context& context) {
    for (const Case& c : cases()) check_case<double>(context, c);
  });
}

TEST_CASE("slices of larger arrays need no copy") {
  on_every_device([](Context& context) {
    const int64_t batch = 2, n = 33, d = 10, wide = 16, links = 6;
    const auto pattern = Pattern::chord(context, n, 2, links);
    const Values w = random_values(batch * n * (links + 3), 1), v = random_values(batch * n * wide, 2);
    const Tensor big_w = tensor<float>(context, {batch, n, links + 3}, w);
    const Tensor big_v = tensor<float>(context, {batch, n, wide}, v);
    Tensor big_z = Tensor::empty<float>(context, {batch, n, wide});
    big_z.fill(-5);
    const Shape strides{n * wide, wide, 1};
    Tensor z = big_z.view({batch, n, d}, strides, 3);
    chord::product(pattern, big_w.view({batch, n, links}, {n * (links + 3), links + 3, 1}, 2),
                   big_v.view({batch, n, d}, strides, 1), z);
    const Values result = values_of<float>(big_z);
    for (int64_t b = 0; b < batch; ++b) {
      Values small_w, small_v;
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < links; ++k) small_w.push_back(w[(b * n + i) * (links + 3) + 2 + k]);
        for (int64_t c = 0; c < d; ++c) small_v.push_back(v[(b * n + i) * wide + 1 + c]);
      }
      const Values expected =
          reference::multiply(n, d, reference::dense_factor(n, pattern.offsets(), small_w.data()), small_v.data());
      for (int64_t i = 0; i < n; ++i)
        for (int64_t c = 0; c < wide; ++c) {
          const double found = result[(b * n + i) * wide + c];
          if (c < 3 || c >= 3 + d)
            CHECK(found == -5);
          else
            CHECK(found == doctest::Approx(expected[i * d + c - 3]).epsilon(1e-5));
        }
    }
  });
}

TEST_CASE("the same call gives the same bits, and all devices agree") {
  const int64_t n = 1000, d = 33, links = 10;
  const Values w = random_values(n * links, 1), v = random_values(n * d, 2);
  std::vector<float> first;
  on_every_device([&](Context& context) {
    const auto pattern = Pattern::chord(context, n);
    REQUIRE(pattern.links() == links);
    const Tensor wt = tensor<float>(context, {n, links}, w), vt = tensor<float>(context, {n, d}, v);
    Tensor z = Tensor::empty<float>(context, {n, d});
    chord::product(pattern, wt, vt, z);
    const auto once = z.to_host<float>();
    chord::product(pattern, wt, vt, z);
    CHECK(z.to_host<float>() == once);
    if (first.empty()) first = once;
    CHECK(difference(Values(once.begin(), once.end()), Values(first.begin(), first.end())) < 1e-6);
  });
}

TEST_CASE("the host takes float32 numbers as zero that are too small to be normal, and no others") {
  Context context("host");
  const auto pattern = Pattern::custom(context, 1, {0});
  const auto product_of = [&](auto w, auto v) {
    using T = decltype(w);
    auto z = Tensor::empty<T>(context, {1, 1});
    chord::product(pattern, Tensor::from<T>(context, {1, 1}, {w}), Tensor::from<T>(context, {1, 1}, {v}), z);
    return z.template to_host<T>()[0];
  };
  CHECK(product_of(1e-20f, 1e-20f) == 0);
  CHECK(product_of(1e-20f, 1e-17f) > 0);
  CHECK(product_of(1e-200, 1e-120) > 0);
  volatile float small = 1e-20f;
  CHECK(small * small > 0);  // the caller's arithmetic is left alone
}
