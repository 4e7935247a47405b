// chord-check: does every device of this machine compute a chain of factors right, and how fast?
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "common/device.hpp"
#include "common/options.hpp"
#include "common/program.hpp"

namespace {

struct Options {
  int64_t length = 1024, columns = 64, batch = 16;
  std::string device;
  bool json = false;
};

struct Outcome {
  chord::DeviceInfo device;
  double error = 0, milliseconds = 0, gflops = 0;
  bool right = false;
};

/// The chain's factors and values, the same for every device.
struct Example {
  int64_t n, factors, links;
  std::vector<int64_t> offsets;
  std::vector<float> weights, values;

  explicit Example(const Options& options) : n(options.length), factors(chord::full_chain_length(n)) {
    chord::Context host("host");
    const auto pattern = chord::Pattern::chord(host, n);
    offsets = pattern.offsets();
    links = pattern.links();
    std::mt19937 random(1);
    // About one per row, so that a long product neither vanishes nor explodes.
    std::normal_distribution<float> weight(0, 1 / std::sqrt(float(links))), value(0, 1);
    weights.resize(factors * n * links);
    values.resize(options.batch * n * options.columns);
    for (float& each : weights) each = weight(random);
    for (float& each : values) each = value(random);
  }
};

/// The product of all factors as a dense matrix, in double precision and by definition, applied to every sequence.
std::vector<double> dense_result(const Example& example, int64_t columns, int64_t batch) {
  const int64_t n = example.n;
  std::vector<double> product(n * n, 0.0);
  for (int64_t i = 0; i < n; ++i) product[i * n + i] = 1;
  for (int64_t m = 0; m < example.factors; ++m) {
    std::vector<double> next(n * n, 0.0);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < example.links; ++k) {
        const double weight = example.weights[(m * n + i) * example.links + k];
        const double* row = &product[(i + example.offsets[k]) % n * n];
        for (int64_t j = 0; j < n; ++j) next[i * n + j] += weight * row[j];
      }
    product = std::move(next);
  }
  std::vector<double> result(batch * n * columns, 0.0);
  for (int64_t b = 0; b < batch; ++b) {
    const float* values = &example.values[b * n * columns];
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t c = 0; c < columns; ++c)
          result[(b * n + i) * columns + c] += product[i * n + j] * values[j * columns + c];
  }
  return result;
}

double relative_error(const std::vector<float>& found, const std::vector<double>& expected) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += (found[i] - expected[i]) * (found[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(difference / norm);
}

Outcome check(chord::Context& context, const Options& options, const Example& example,
              const std::vector<double>& expected) {
  const int64_t n = example.n, d = options.columns;
  const auto pattern = chord::Pattern::chord(context, n);
  const auto weights = chord::Tensor::from(context, {example.factors, n, example.links}, example.weights);
  const auto values = chord::Tensor::from(context, {options.batch, n, d}, example.values);
  auto result = chord::Tensor::empty<float>(context, {options.batch, n, d});
  const chord::Chain chain(pattern, weights);

  Outcome outcome;
  outcome.device = context.device();
  outcome.milliseconds = INFINITY;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    chain.apply(values, result);
    context.wait();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    outcome.milliseconds = std::min(outcome.milliseconds, time.count());
  }
  outcome.gflops = 2e-6 * double(example.factors) * double(n) * double(example.links) * double(d) *
                   double(options.batch) / outcome.milliseconds;
  outcome.error = relative_error(result.to_host<float>(), expected);
  outcome.right = outcome.error < 1e-5;
  return outcome;
}

void print_json(const std::vector<Outcome>& outcomes, const Options& options, const Example& example) {
  nlohmann::json result{{"length", example.n},    {"factors", example.factors},
                        {"links", example.links}, {"columns", options.columns},
                        {"batch", options.batch}, {"devices", nlohmann::json::array()}};
  for (const Outcome& each : outcomes)
    result["devices"].push_back({{"selector", each.device.selector},
                                 {"name", each.device.name},
                                 {"backend", each.device.backend},
                                 {"relative_error", each.error},
                                 {"milliseconds", each.milliseconds},
                                 {"gflops", each.gflops},
                                 {"right", each.right}});
  std::printf("%s\n", result.dump(2).c_str());
}

void print_table(const std::vector<Outcome>& outcomes, const Options& options, const Example& example) {
  std::printf(
      "A chain of %lld factors, %lld × %lld with %lld links each:\n%lld numbers instead of %lld, "
      "applied to a batch of %lld × [%lld × %lld]\nand compared with the dense product in double precision.\n\n",
      (long long)example.factors, (long long)example.n, (long long)example.n, (long long)example.links,
      (long long)(example.factors * example.n * example.links), (long long)(example.n * example.n),
      (long long)options.batch, (long long)example.n, (long long)options.columns);
  std::printf("  %-14s %-12s %14s %10s %8s  %s\n", "device", "backend", "relative error", "ms", "GF/s", "");
  for (const Outcome& each : outcomes)
    std::printf("  %-14s %-12s %14.1e %10.3f %8.1f  %s\n", each.device.selector, each.device.backend, each.error,
                each.milliseconds, each.gflops, each.right ? "right" : "WRONG");
}

int check_devices(int argc, char** argv) {
  CLI::App app("Runs a chain of factors on every device and compares the result with the dense product.",
               "chord-check");
  Options options;
  const auto number = [&](const char* name, int64_t& target, int highest, const std::string& help) {
    program::add_option(app, name, target, program::integers_between(1, highest),
                        help + " (default: " + std::to_string(target) + ")")
        ->option_text("K");
  };
  number("--length", options.length, 8192, "Rows of the matrix");
  number("--columns", options.columns, 4096, "Columns the chain is applied to");
  number("--batch", options.batch, 4096, "Sequences at once");
  app.add_option("--device", options.device, "Only this device (a selector; see chord-info)")->option_text("DEVICE");
  app.add_flag("--json", options.json, "Print one JSON object");
  return program::run(app, argc, argv, [&] {
    // First of all, so that a device that is not there is told at once.
    std::vector<chord::Context> contexts;
    if (options.device.empty())
      for (const auto& device : chord::devices()) contexts.push_back(program::open_device(device.selector, 32));
    else
      contexts.push_back(program::open_device(options.device, 32));
    const Example example(options);
    const std::vector<double> expected = dense_result(example, options.columns, options.batch);
    std::vector<Outcome> outcomes;
    for (chord::Context& context : contexts) outcomes.push_back(check(context, options, example, expected));
    (options.json ? print_json : print_table)(outcomes, options, example);
    return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& each) { return each.right; }) ? 0 : 1;
  });
}

}  // namespace

int main(int argc, char** argv) { return program::guarded(check_devices, argc, argv); }
