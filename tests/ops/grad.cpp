// chord-ops grad: gradients against finite differences of the forward operation, both on the same device in double
// precision.
#include <numeric>

#include "../finite_differences.hpp"
#include "cases/chains.hpp"
#include "cases/fit.hpp"
#include "cases/head.hpp"
#include "cases/inputs.hpp"
#include "cases/networks.hpp"
#include "cases/products.hpp"
#include "cases/rows.hpp"
#include "commands.hpp"
#include "device/devices.hpp"
#include "report.hpp"

namespace ops {
namespace {

constexpr double allowed = 1e-6;

double inner(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double sum_of(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// The loss is ⟨cotangent, output⟩.
Values cotangent_of(const Values& output) { return uniform("cotangent", output.size()); }

/// Σ over the parts of an array, each of which begins `apart` numbers behind the last.
Values sum_of_parts(const Values& all, std::size_t size, std::size_t apart) {
  Values sum(size);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % apart < size) sum[i % apart] += all[i];
  return sum;
}
Values sum_of_parts(const Values& all, std::size_t size) { return sum_of_parts(all, size, size); }

/// How far gradients are from the slopes of a loss along random directions, relative to what such slopes are like.
template <class Loss>
double worst_error(const Loss& loss, const Arrays& at, const Arrays& gradients) {
  constexpr double step = 1e-4;
  constexpr int directions = 3;
  double worst = 0;
  for (const auto& [name, gradient] : gradients)
    for (int i = 0; i < directions; ++i) {
      const Values direction = uniform(name + std::to_string(i), gradient.size());
      const auto loss_at = [&, &name = name](const Values& values) {
        Arrays moved = at;
        moved[name] = values;
        return loss(moved);
      };
      const double expected = testing::slope(loss_at, at.at(name), direction, step);
      const double usual = std::sqrt(inner(gradient, gradient) / 3) + 1e-6;
      const double error = std::abs(inner(gradient, direction) - expected) / usual;
      if (!(error <= worst)) worst = std::isfinite(error) ? error : INFINITY;
    }
  return worst;
}

using Queue = chord::Queue;

double product_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::product>(queue, v);
  const Values c = cotangent_of(at.at("z"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::product>(queue, v, x).at("z")); };
  const Variant plain = v.with("accumulate", 0);
  return worst_error(
      loss, at,
      {{"v", run<kernels::product_gradient_values>(queue, v, {{"w", at.at("w")}, {"v", c}}).at("z")},
       {"w", run<kernels::product_gradient_weights>(queue, plain, {{"dz", c}, {"v", at.at("v")}}).at("dw")}});
}

/// A chain is linear in v: its transpose is the gradient.
double local_chain_error(Queue& queue, const Variant& v) {
  const Variant forward = v.with("transposed", 0), back = v.with("transposed", 1);
  const Arrays at = run<kernels::chain_local>(queue, forward);
  const Values c = cotangent_of(at.at("z"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::chain_local>(queue, forward, x).at("z")); };
  return worst_error(loss, at, {{"v", run<kernels::chain_local>(queue, back, {{"w", at.at("w")}, {"v", c}}).at("z")}});
}

double chain_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::chain_apply>(queue, v);
  const Values c = cotangent_of(at.at("z"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::chain_apply>(queue, v, x).at("z")); };
  const Variant back = v.with("accumulate_dw", 0).with("accumulate_dv", 0).with("dv", 1);
  Arrays given = {{"w", at.at("w")}, {"v", at.at("v")}, {"g", c}};
  if (v["tape"]) given["tape"] = at.at("tape");
  const Arrays found = run<kernels::chain_gradient>(queue, back, given);
  const Box sums = Case<kernels::chain_gradient>::dw(back);
  Values dw(at.at("w").size());
  for (std::int64_t f = 0; f < sums.factors; ++f)
    for (std::int64_t s = 0; s < sums.sequences; ++s)
      put(matrix_of(found.at("dw"), sums, f, s), dw, ChainSizes::w(v), f, s, true);
  return worst_error(loss, at, {{"v", found.at("dv")}, {"w", dw}});
}

double mlp_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::mlp_forward>(queue, v);
  const Values c = cotangent_of(at.at("out"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::mlp_forward>(queue, v, x).at("out")); };
  const Arrays found = run<kernels::mlp_backward>(
      queue, v.with("accumulate", 0), {{"in", at.at("in")}, {"parameters", at.at("parameters")}, {"dout", c}});
  const auto apart = std::size_t(Case<kernels::mlp_backward>::apart_of(v));
  const Values gradient = sum_of_parts(found.at("partial"), at.at("parameters").size(), apart);
  return worst_error(loss, at, {{"in", found.at("din")}, {"parameters", gradient}});
}

Values positions_gradient(Queue& queue, const Variant& v, const Values& c) {
  return run<kernels::positions_gradient>(queue, v.with("accumulate", 0), {{"gradient", c}}).at("out");
}

double tokens_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::embed_tokens>(queue, v);
  const Values c = cotangent_of(at.at("out"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::embed_tokens>(queue, v, x).at("out")); };
  const std::int64_t rows = v["sequences"] * v["length"];
  const Variant back = v.with("rows", rows).with("rows_each", 6).with("workers", (rows + 5) / 6).with("padding", -1);
  const Values partial = run<kernels::embed_tokens_gradient>(queue, back, {{"gradient", c}}).at("partial");
  return worst_error(
      loss, at,
      {{"table", sum_of_parts(partial, at.at("table").size())}, {"positions", positions_gradient(queue, v, c)}});
}

double reals_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::embed_reals>(queue, v);
  const Values c = cotangent_of(at.at("out"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::embed_reals>(queue, v, x).at("out")); };
  const std::int64_t rows = v["sequences"] * v["length"];
  const Variant back = v.with("rows", rows).with("rows_each", 6).with("workers", (rows + 5) / 6);
  const std::size_t weights = at.at("weight").size(), biases = at.at("bias").size();
  const Values both = sum_of_parts(
      run<kernels::embed_reals_gradient>(queue, back, {{"in", at.at("in")}, {"gradient", c}}).at("partial"),
      weights + biases);
  const auto middle = both.begin() + std::ptrdiff_t(weights);
  return worst_error(loss, at,
                     {{"weight", Values(both.begin(), middle)},
                      {"bias", Values(middle, both.end())},
                      {"positions", positions_gradient(queue, v, c)}});
}

double dense_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::dense_forward>(queue, v);
  // A GPU puts out the sums of pieces, all of which count for the same number.
  Values each = cotangent_of(at.at("out")), c = each;
  c.resize(std::size_t(v["rows"] * v["outs"]));
  for (std::size_t i = 0; i < each.size(); ++i) each[i] = c[i % c.size()];
  const auto loss = [&](const Arrays& x) { return inner(each, run<kernels::dense_forward>(queue, v, x).at("out")); };
  const Arrays input = run<kernels::dense_gradient_input>(queue, v, {{"dout", c}, {"weight", at.at("weight")}});
  const Arrays weights =
      run<kernels::dense_gradient_weights>(queue, v.with("accumulate", 0), {{"dout", c}, {"in", at.at("in")}});
  return worst_error(loss, at,
                     {{"in", input.at("din")}, {"weight", weights.at("dweight")}, {"bias", weights.at("dbias")}});
}

double gelu_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::gelu_forward>(queue, v);
  const Values c = cotangent_of(at.at("out"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::gelu_forward>(queue, v, x).at("out")); };
  return worst_error(
      loss, at, {{"in", run<kernels::gelu_backward>(queue, v, {{"in", at.at("in")}, {"gradient", c}}).at("gradient")}});
}

double cross_entropy_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::cross_entropy>(queue, v);
  const auto loss = [&](const Arrays& x) {
    const Arrays found = run<kernels::cross_entropy>(queue, v, x);
    double sum = 0;
    for (std::size_t row = 0; row < found.at("sums").size(); ++row)
      sum += std::log(found.at("sums")[row]) + found.at("gaps")[row];
    return LossCase::scale * sum;
  };
  return worst_error(loss, at, {{"outputs", at.at("gradient")}});
}

double squared_error_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::squared_error>(queue, v);
  const auto loss = [&](const Arrays& x) {
    return LossCase::scale * sum_of(run<kernels::squared_error>(queue, v, x).at("losses"));
  };
  return worst_error(loss, at, {{"outputs", at.at("gradient")}});
}

double fit_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::fit_panels>(queue, v);
  const auto loss = [&](const Arrays& x) { return 0.5 * sum_of(run<kernels::fit_panels>(queue, v, x).at("squares")); };
  return worst_error(loss, at, {{"w", sum_of_parts(at.at("dw"), at.at("w").size())}});
}

/// The values are left as the gradient of half the squares.
double residual_error(Queue& queue, const Variant& v) {
  const Arrays found = run<kernels::fit_residual>(queue, v);
  Arrays at = found;
  at["values"] = uniform("values", found.at("values").size());
  const auto loss = [&](const Arrays& x) {
    return 0.5 * sum_of(run<kernels::fit_residual>(queue, v, x).at("squares"));
  };
  return worst_error(loss, at, {{"values", found.at("values")}});
}

double constraint_error(Queue& queue, const Variant& v) {
  const Arrays at = run<kernels::fit_weights>(queue, v);
  const Values c = cotangent_of(at.at("w"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::fit_weights>(queue, v, x).at("w")); };
  const Arrays found = run<kernels::fit_gradient>(
      queue, v.with("partials", 1), {{"partial", c}, {"parameters", at.at("parameters")}, {"w", at.at("w")}});
  return worst_error(loss, at, {{"parameters", found.at("gradient")}});
}

/// Linear: its gradient is the same map, applied to the cotangent.
double dropout_error(Queue& queue, const Variant& v) {
  const Arrays at = {{"x", uniform("x", std::size_t(v["count"]))}};
  const Values c = cotangent_of(at.at("x"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::dropout>(queue, v, x).at("x")); };
  return worst_error(loss, at, {{"x", run<kernels::dropout>(queue, v, {{"x", c}}).at("x")}});
}

/// Linear and its own transpose, likewise.
double padding_error(Queue& queue, const Variant& v) {
  const Arrays at = {{"x", uniform("x", Case<kernels::clear_padding>::box(v).size())}};
  const Values c = cotangent_of(at.at("x"));
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::clear_padding>(queue, v, x).at("x")); };
  return worst_error(loss, at, {{"x", run<kernels::clear_padding>(queue, v, {{"x", c}}).at("x")}});
}

/// The gradient is the product with the transpose.
double entries_error(Queue& queue, const Variant& v) {
  const Variant forward = v.with("transposed", 0), back = v.with("transposed", 1);
  const Values start = uniform("z", Case<kernels::add_entries>::box(v).size()), c = cotangent_of(start);
  const Arrays at = {{"v", uniform("v", start.size())}};
  const auto loss = [&](const Arrays& x) { return inner(c, run<kernels::add_entries>(queue, forward, x).at("z")); };
  const Arrays found = run<kernels::add_entries>(queue, back, {{"v", c}, {"z", Values(c.size())}});
  return worst_error(loss, at, {{"v", found.at("z")}});
}

struct Check {
  const char* forward;
  std::vector<std::string> gradients;
  Variants variants;
  double (*error)(Queue&, const Variant&);

  bool asked_for(const Wanted& wanted) const {
    return wanted.has(forward) ||
           std::any_of(gradients.begin(), gradients.end(), [&](const std::string& each) { return wanted.has(each); });
  }
  /// Whether a device has all of it, in double precision.
  bool is_for(const chord::DeviceDescription& device) const {
    std::vector<std::string> needed = gradients;
    needed.push_back(forward);
    return std::all_of(needed.begin(), needed.end(), [&](const std::string& name) {
      return std::any_of(subjects().begin(), subjects().end(), [&](const Subject& each) {
        return each.operation == name && each.type == "f64" && entry_for(each, device) >= 0;
      });
    });
  }
};

std::vector<Check> checks() {
  return {
      {"product",
       {"product_gradient_values", "product_gradient_weights"},
       all({{"n", {1, 2, 3, 17}},
            {"d", {1, 7, 8}},
            {"links", {1, 6}},
            {"sequences", {2}},
            {"add", {0}},
            {"gap", {0}},
            {"shared", {0, 1}},
            {"collect", {0}},
            {"factors", {1}}}),
       product_error},
      {"chain_local",
       {},
       all({{"n", {1, 3, 17}},
            {"d", {1, 7, 8}},
            {"factors", {1, 3}},
            {"links", {5}},
            {"sequences", {2}},
            {"gap", {0}},
            {"residual", {0, 1}},
            {"tape", {0}},
            {"shared", {0, 1}}}),
       local_chain_error},
      {"chain_apply",
       {"chain_gradient"},
       all({{"n", {1, 3, 17}},
            {"d", {1, 7}},
            {"factors", {1, 3}},
            {"links", {5}},
            {"sequences", {2}},
            {"panel", {4}},
            {"workers", {2}},
            {"gap", {0}},
            {"form", {0}},
            {"residual", {0, 1}},
            {"transposed", {0}},
            {"tape", {0, 1}},
            {"shared", {0, 1}}}),
       chain_error},
      {"fit_panels",
       {},
       all({{"n", {1, 3, 17}},
            {"links", {5}},
            {"factors", {1, 3}},
            {"panel", {8}},
            {"workers", {1, 3}},
            {"form", {0, 1, 2}},
            {"sparse", {0, 1}},
            {"cut", {0, 1, 2}},
            {"sets", {1}},
            {"pieces", {0}}}) +
           all({{"n", {17}},
                {"links", {5}},
                {"factors", {3}},
                {"panel", {8}},
                {"workers", {1, 3}},
                {"form", {0, 1, 2}},
                {"sparse", {0, 1}},
                {"cut", {0, 2}},
                {"sets", {1}},
                {"pieces", {4}}}),
       fit_error},
      {"fit_residual",
       {},
       all({{"n", {17}},
            {"first", {0, 2}},
            {"columns", {8}},  // the whole panel: what is beside it is no gradient
            {"panel", {8}},
            {"others", {0, 1}},
            {"sparse", {0, 1}},
            {"cut", {0, 1}}}),
       residual_error},
      {"fit_weights",
       {"fit_gradient"},
       all({{"rows", {1, 17}}, {"links", {1, 7}}, {"kind", {1, 2}}, {"sets", {1}}}),
       constraint_error},
      {"embed_tokens",
       {"embed_tokens_gradient", "positions_gradient"},
       all({{"sequences", {1, 3}}, {"length", {1, 17}}, {"vocabulary", {1, 5}}, {"width", {1, 7}}, {"positions", {1}}}),
       tokens_error},
      {"embed_reals",
       {"embed_reals_gradient", "positions_gradient"},
       all({{"sequences", {1, 3}}, {"length", {1, 17}}, {"features", {1, 3}}, {"width", {1, 7}}, {"positions", {1}}}),
       reals_error},
      {"mlp_forward",
       {"mlp_backward"},
       all({{"rows", {1, 17, 100}},
            {"ins", {1, 7}},
            {"hidden", {1, 6}},
            {"outs", {1, 3}},
            {"networks", {1, 3}},
            {"tiles_each", {1, 2}}}),
       mlp_error},
      {"dropout",
       {},
       all({{"count", {17, 5000}}, {"place", {3}}, {"threshold", {20000}}, {"step", {2}}, {"layer", {1}}}),
       dropout_error},
      {"clear_padding",
       {},
       all({{"factors", {1, 3}}, {"sequences", {5}}, {"rows", {17}}, {"columns", {7}}, {"gap", {0}}}),
       padding_error},
      {"add_entries",
       {},
       all({{"sequences", {2}}, {"rows", {17}}, {"columns", {1, 7}}, {"entries", {40}}, {"gap", {0}}}),
       entries_error},
      {"dense_forward",
       {"dense_gradient_input", "dense_gradient_weights"},
       all({{"rows", {1, 3}}, {"ins", {1, 33, 1500}}, {"outs", {1, 10}}, {"gap", {0}}}),
       dense_error},
      {"gelu_forward", {"gelu_backward"}, all({{"count", {1, 17, 1000}}}), gelu_error},
      {"cross_entropy", {}, all({{"rows", {1, 17}}, {"classes", {1, 2, 10}}}), cross_entropy_error},
      {"squared_error", {}, all({{"rows", {1, 17}}, {"classes", {1, 2, 10}}}), squared_error_error},
  };
}

std::string names_of(const std::vector<std::string>& gradients) {
  std::string all;
  for (const std::string& each : gradients) all += (all.empty() ? "" : ", ") + each;
  return all.empty() ? "its own" : all;
}

}  // namespace

int grad_command(const Wanted& wanted) {
  Table table(3, {"forward", "gradients", "device", "variants", "error"});
  nlohmann::json json = nlohmann::json::array();
  std::vector<std::string> problems;
  std::size_t variants = 0;
  const std::vector<Check> every = checks();
  Progress progress(wanted.devices.size() * every.size());
  for (const chord::DeviceDescription& device : wanted.devices) {
    const auto queue = chord::open_device(device.selector);
    for (const Check& check : every) {
      const std::string name = std::string(check.forward) + " on " + device.selector;
      progress.step(name);
      if (!check.asked_for(wanted) || !check.is_for(device)) continue;
      double worst = 0;
      for (const Variant& variant : check.variants) {
        const double error = check.error(*queue, variant);
        worst = std::max(worst, error);
        if (error > allowed) problems.push_back(name + ", " + variant.text() + ": off by " + printed("%.1e", error));
      }
      variants += check.variants.size();
      table.add({check.forward, names_of(check.gradients), device.selector, std::to_string(check.variants.size()),
                 printed("%.1e", worst)});
      json.push_back({{"forward", check.forward},
                      {"gradients", check.gradients},
                      {"device", device.selector},
                      {"variants", check.variants.size()},
                      {"error", worst}});
    }
  }
  progress.clear();
  if (wanted.json) {
    const nlohmann::json all_of_it = {
        {"results", json}, {"problems", problems}, {"variants", variants}, {"allowed", allowed}};
    std::puts(all_of_it.dump(2).c_str());
  } else {
    table.print();
    for (const std::string& each : problems) std::printf("\n%s", each.c_str());
    std::printf("\n%zu variants, %zu failed (allowed: %.0e)\n", variants, problems.size(), allowed);
  }
  return problems.empty() ? 0 : 1;
}

}  // namespace ops
