// What a GPU is asked to do in a training step and in an evaluation of a fit: few commands, no waits, enough threads,
// little memory beside the model's own. Nothing is computed.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "counting_queue.hpp"
#include "factorize/fit.hpp"
#include "factorize/race.hpp"
#include "nn/model.hpp"
#include "nn/presets.hpp"
#include "operations/copy.hpp"

using namespace chord;
using testing::Commands;
using testing::CountingQueue;

namespace {

struct Device {
  explicit Device(bool recording)
      : context(std::make_shared<Context>(std::make_unique<CountingQueue>(commands, recording))) {}
  std::shared_ptr<Commands> commands = std::make_shared<Commands>();
  std::shared_ptr<Context> context;
};

struct Task {
  const char *name, *description;
  std::int64_t batch;
};

constexpr Task adding_128{"adding, N = 128", R"({"preset":"adding","length":128})", 40};
constexpr Task adding_2048{"adding, N = 2048", R"({"preset":"adding","length":2048})", 40};
constexpr Task adding_16384{"adding, N = 16384", R"({"preset":"adding","length":16384})", 40};
constexpr Task image{"image", R"({"preset":"image"})", 32};
constexpr Task text_task{"text", R"({"preset":"text"})", 32};
constexpr Task listops{"listops", R"({"preset":"listops"})", 32};

/// Of one step, after others like it.
Commands step_of(const Task& task, bool recording) {
  Device device(recording);
  const ModelDescription d = ModelDescription::parse(task.description);
  const auto model = Model::create(device.context, d, 1);
  const bool tokens = d.input == InputKind::tokens;
  const Tensor inputs =
      Tensor::create(device.context, d.input_type(),
                     tokens ? Extents{task.batch, d.length} : Extents{task.batch, d.length, d.features});
  const Tensor labels = Tensor::create(device.context, d.label_type(), {task.batch});
  const std::vector<char> zeros(std::max(inputs.bytes(), labels.bytes()));
  copy_from_host(zeros.data(), inputs);
  copy_from_host(zeros.data(), labels);
  StepOptions options;
  options.memory = Memory::normal;
  for (int i = 0; i < 3; ++i) model->queue_train_step(inputs, labels, options);
  *device.commands = {};
  model->queue_train_step(inputs, labels, options);
  return *device.commands;
}

/// In bytes.
struct WorkingMemory {
  std::int64_t networks;  ///< sums of their workers, and scratch
  std::int64_t chains;    ///< gradients of outputs on the way back
};
WorkingMemory working_memory(const Task& task) {
  Device device(false);
  const ModelDescription d = ModelDescription::parse(task.description);
  const Workspace space(d, ParameterList(d), device.context->device(), {task.batch, true, Memory::normal});
  return {(space.activated_gradient - space.scratch) * std::int64_t(size_of(d.type())), space.chain_bytes};
}

/// For who wants to see the figures: CHORD_SHOW_COMMANDS=1.
void show(const Task& task, const Commands& commands) {
  if (!std::getenv("CHORD_SHOW_COMMANDS")) return;
  std::printf("%s: %d launches, %d copies, %d waits; sums and scratch %.1f MB, and %.1f MB of chains\n", task.name,
              commands.launches, commands.copies, commands.waits, double(working_memory(task).networks) * 1e-6,
              double(working_memory(task).chains) * 1e-6);
  for (const auto& [name, count] : commands.kernels) {
    std::printf("  %-32s x%-3d ", name.c_str(), count.launches);
    if (count.least_threads < SIZE_MAX)
      std::printf("%9zu threads%s, ", count.least_threads, count.group ? " in groups" : "");
    std::printf("%.2e FLOP, %.2e values\n", count.flop, count.values);
  }
}

}  // namespace

TEST_CASE("a training step is few commands and waits for nothing") {
  for (const auto& [task, most] : {std::pair{adding_128, 25}, {adding_2048, 40}}) {
    CAPTURE(task.name);
    const Commands step = step_of(task, false), replayed = step_of(task, true);
    CHECK(step.all() <= most);
    CHECK(step.waits == 0);
    CHECK(step.read_backs == 0);
    CHECK(replayed.replays == 1);
    CHECK(replayed.waits == 0);
  }
}

TEST_CASE("large launches have enough threads to fill a GPU") {
  for (const Task& task : {adding_128, adding_2048, adding_16384, image, text_task, listops}) {
    const Commands step = step_of(task, false);
    show(task, step);
    if (std::string(task.name) == adding_128.name) continue;  // its batch is too small for that
    for (const auto& [name, count] : step.kernels) {
      CAPTURE(task.name);
      CAPTURE(name);
      CHECK(double(count.least_threads) >= CountingQueue::threads_of_gpu);
    }
  }
}

TEST_CASE("sums of workers and scratch memory stay small") {
  const WorkingMemory adding = working_memory(adding_2048), tree = working_memory(listops);
  CHECK(adding.networks + adding.chains <= 64'000'000);
  CHECK(tree.networks + tree.chains <= 128'000'000);
  CHECK(tree.chains <= 2 * 32 * 2000 * 128 * 4);  // two batches of values, and no more
}

TEST_CASE("an evaluation of a fit is six commands and a wait, however many starts it is of") {
  constexpr std::int64_t n = 256, panels = n * 8 / 32;
  for (const std::int64_t starts : {1, 4}) {
    Device device(false);
    const auto pattern = std::make_shared<const Pattern>(device.context, n, chord_offsets(n, 2, 0));
    const Matrix matrix(DenseMatrix{n, std::vector<double>(std::size_t(n * n), 1.0)});
    const FitProblem problem{pattern, &matrix, Constraint::none, full_chain_length(n, 2)};
    REQUIRE(sets_together(problem, sizeof(double), starts) == starts);
    Objective<double> objective(problem, 1, starts);
    // The search is told that its time is over: an iteration is one evaluation.
    Descents<double> descents(objective, *device.context, 12, [] { return true; });
    const Tensor start = Tensor::create(device.context, DataType::float64, {objective.parameters()});
    std::vector<Coroutine<double>> beginnings;
    for (std::int64_t i = 0; i < starts; ++i) beginnings.push_back(descents.start(i, start.data<double>()));
    descents.run(std::move(beginnings));
    *device.commands = {};
    std::vector<int> done(static_cast<std::size_t>(starts));
    descents.iterate(done.size(), [&](std::size_t i, bool) { return !std::exchange(done[i], 1); });
    CHECK(device.commands->all() <= 6);
    CHECK(device.commands->waits == 1);
    // A group for every panel of each.
    const testing::LaunchCount& panels_launch = device.commands->kernels.at("fit_panels_f64");
    CHECK(panels_launch.least_threads == std::size_t(starts * panels * device.context->device().group_lanes));
  }
}
