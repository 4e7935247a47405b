// The library's operations on every device, through its public interface.
#include <chord/chord.hpp>
#include <memory>

#include "kernels/list.hpp"
#include "work.hpp"

namespace {

namespace kernels = chord::kernels;
using chord::Context;
using chord::Pattern;
using chord::Tensor;

kernels::Links links_for(std::int64_t n) { return {nullptr, n, links_of(n)}; }

/// What the records of operations say about their work.
template <class Op, class T>
kernels::Work work_of(const typename Op::template Arguments<T>& arguments) {
  return Op::template work<T>(arguments);
}

/// Tensors of one benchmark; weights small enough for long chains not to overflow.
struct Setting {
  Context context;
  Pattern pattern;
  Tensor w, v, z, dw;

  Setting(const std::string& device, std::int64_t n, std::int64_t d, std::int64_t batch, std::int64_t factors,
          bool shared)
      : context(device), pattern(Pattern::chord(context, n)) {
    const std::int64_t links = pattern.links();
    const chord::Shape weights = shared ? chord::Shape{factors, n, links} : chord::Shape{factors, batch, n, links};
    w = Tensor::empty<float>(context, weights);
    w.fill(1.0 / double(links));
    v = Tensor::empty<float>(context, {batch, n, d});
    v.fill(0.5);
    z = Tensor::empty<float>(context, {batch, n, d});
    z.fill(0.25);
    dw = Tensor::empty<float>(context, weights);
    dw.fill(0);
    context.wait();
  }
  Tensor factor(const Tensor& stack, std::int64_t m, std::int64_t batch, bool shared) const {
    const std::int64_t n = pattern.n(), links = pattern.links(), size = n * links;
    return shared ? stack.view({n, links}, {}, m * size) : stack.view({batch, n, links}, {}, m * batch * size);
  }
};

void register_products(const Machine& machine, const std::string& device) {
  for (const std::int64_t n : lengths)
    for (const std::int64_t d : widths) {
      const auto add = [&](const char* name, const kernels::Work& work, auto call) {
        register_work(machine, {name, device, n, d, 1, work.flop, work.bytes}, [=] {
          auto s = std::make_shared<Setting>(device, n, d, 1, 1, false);
          auto w = std::make_shared<Tensor>(s->factor(s->w, 0, 1, false));
          auto dw = std::make_shared<Tensor>(s->factor(s->dw, 0, 1, false));
          return [=] {
            call(*s, *w, *dw);
            s->context.wait();
          };
        });
      };
      kernels::ProductArguments<float> product{};
      product.links = links_for(n);
      product.sequences = 1;
      product.columns = d;
      kernels::product_gradient_weights::Arguments<float> weights{};
      weights.links = links_for(n);
      weights.sequences = weights.summed = 1;
      weights.columns = d;
      add("product", work_of<kernels::product, float>(product),
          [](Setting& s, Tensor& w, Tensor&) { chord::product(s.pattern, w, s.v, s.z); });
      add("product_gradient_values", work_of<kernels::product_gradient_values, float>(product),
          [](Setting& s, Tensor& w, Tensor&) { chord::product_gradient_values(s.pattern, w, s.v, s.z); });
      add("product_gradient_weights", work_of<kernels::product_gradient_weights, float>(weights),
          [](Setting& s, Tensor&, Tensor& dw) { chord::product_gradient_weights(s.pattern, s.z, s.v, dw); });
    }
}

/// A batch of values far larger than the caches, through all factors: as a chain and factor by factor.
void register_chains(const Machine& machine, const std::string& device) {
  constexpr double batch_bytes = 40 << 20;
  for (const std::int64_t n : lengths)
    for (const std::int64_t d : widths) {
      const std::int64_t factors = factors_of(n),
                         batch = std::max<std::int64_t>(1, std::int64_t(batch_bytes) / (4 * n * d));
      kernels::chain_apply::Arguments<float> apply{};
      apply.links = links_for(n);
      apply.factors = factors;
      apply.sequences = batch;
      apply.columns = d;
      kernels::chain_gradient::Arguments<float> gradient{};
      gradient.links = links_for(n);
      gradient.factors = factors;
      gradient.sequences = batch;
      gradient.columns = d;
      gradient.shared = true;
      const auto forward = work_of<kernels::chain_apply, float>(apply);
      const auto back = work_of<kernels::chain_gradient, float>(gradient);
      register_work(machine, {"chain", device, n, d, batch, forward.flop, forward.bytes}, [=] {
        auto s = std::make_shared<Setting>(device, n, d, batch, factors, true);
        auto chain = std::make_shared<chord::Chain>(s->pattern, s->w);
        return [=] {
          chain->apply(s->v, s->z);
          s->context.wait();
        };
      });
      register_work(machine, {"factor by factor", device, n, d, batch, forward.flop, forward.bytes}, [=] {
        auto s = std::make_shared<Setting>(device, n, d, batch, factors, true);
        auto w = std::make_shared<std::vector<Tensor>>();
        for (std::int64_t m = 0; m < factors; ++m) w->push_back(s->factor(s->w, m, batch, true));
        return [=] {
          for (std::int64_t m = 0; m < factors; ++m) {
            if (m % 2 == 0)
              chord::product(s->pattern, (*w)[m], s->v, s->z);
            else
              chord::product(s->pattern, (*w)[m], s->z, s->v);
          }
          s->context.wait();
        };
      });
      register_work(machine, {"chain gradient", device, n, d, batch, back.flop, back.bytes}, [=] {
        auto s = std::make_shared<Setting>(device, n, d, batch, factors, true);
        auto chain = std::make_shared<chord::Chain>(s->pattern, s->w);
        auto dv = std::make_shared<Tensor>(Tensor::empty<float>(s->context, {batch, n, d}));
        return [=] {
          chain->gradient(s->v, nullptr, s->z, s->dw, dv.get());
          s->context.wait();
        };
      });
    }
}

/// Twenty iterations of a fit in float64: objective, gradient and descent.
void register_fits(const Machine& machine, const std::string& device) {
  constexpr std::int64_t iterations = 20;
  for (const std::int64_t n : {256, 1024}) {
    kernels::fit_panels::Arguments<double> evaluation{};
    evaluation.links = links_for(n);
    evaluation.factors = factors_of(n);
    evaluation.x.width = n;
    const double operations = double(iterations) * work_of<kernels::fit_panels, double>(evaluation).flop;
    register_work(machine, {"fit, float64", device, n, n, 1, operations, 8 * double(n) * double(n)}, [=] {
      auto context = std::make_shared<Context>(device);
      auto pattern = std::make_shared<Pattern>(Pattern::chord(*context, n));
      std::vector<double> values(std::size_t(n * n));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i * 2654435761u % 1000);
      auto matrix = std::make_shared<chord::Matrix>(chord::Matrix::dense(n, values));
      auto options = chord::factorize_options();
      options.iterations = iterations;
      options.restarts = 1;
      return [=] { chord::Factorization::fit(*pattern, *matrix, options); };
    });
  }
}

}  // namespace

void register_operations(const Machine& machine) {
  for (const auto& device : chord::devices()) {
    register_products(machine, device.selector);
    register_chains(machine, device.selector);
    register_fits(machine, device.selector);
  }
}
