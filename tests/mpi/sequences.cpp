// Models whose sequences ranks share, against the same models whole, which rank 0 trains beside: loss, answers, dropout
// and every parameter after some steps. Prints a checksum of all bits, which is the same for any number of ranks.
#include <cmath>
#include <string>

#include "support.hpp"

namespace {

constexpr int64_t batch = 3, steps = 3;

void expect(bool right, const char* what, double found, double wanted) {
  if (right) return;
  std::fprintf(stderr, "rank %d: %s is %.17g; expected %.17g\n", rank, what, found, wanted);
  ++mistakes;
}

struct Case {
  const char* description;
  int64_t length, pieces, features;  // features: 0 for tokens
  bool real_labels;
};

// Blocks that are powers of two, so that links read whole ones; and some that are not, so that all windows overlap.
const Case cases[] = {
    {R"({"input":"reals","features":2,"length":64,"width":5,"hidden_f":6,"hidden_g":4,"channels":3,"residual":true,
         "classes":1,"loss":"mse","precision":64,"dropout_input":0.2,"dropout_values":0.25,"dropout_output":0.3})",
     64, 8, 2, true},
    {R"({"input":"tokens","vocabulary":7,"length":72,"width":4,"hidden_f":5,"hidden_g":4,"channels":2,"positions":true,
         "pooling":"cls","head_hidden":6,"classes":3,"precision":64,"padding":0})",
     72, 8, 0, false},
    {R"({"input":"tokens","vocabulary":7,"length":60,"width":4,"hidden_f":5,"hidden_g":4,"channels":2,"positions":true,
         "head_hidden":6,"classes":3,"precision":64,"dropout_output":0.5})",
     60, 10, 0, false},
    {R"({"input":"reals","features":1,"length":8,"width":3,"hidden_f":3,"hidden_g":3,"channels":2,"classes":2})", 8, 4,
     1, false},
};

/// The same at every rank.
double number(int64_t seed) { return std::sin(double(seed) * 12.9898) * 0.5 + 0.5; }

/// Rows first … first + count − 1 of every sequence.
chord::Tensor inputs_of(chord::Context& context, const Case& each, bool single, int64_t step, int64_t first,
                        int64_t count) {
  std::vector<double> reals;
  std::vector<int32_t> tokens;
  for (int64_t s = 0; s < batch; ++s)
    for (int64_t row = first; row < first + count; ++row) {
      const int64_t place = (step * batch + s) * each.length + row;
      if (each.features == 0) tokens.push_back(int32_t(number(place) * 6.99));
      for (int64_t i = 0; i < each.features; ++i) reals.push_back(number(2 * place + i));
    }
  if (each.features == 0) return chord::Tensor::from<int32_t>(context, {batch, count}, tokens);
  if (!single) return chord::Tensor::from<double>(context, {batch, count, each.features}, reals);
  return chord::Tensor::from<float>(context, {batch, count, each.features},
                                    std::vector<float>(reals.begin(), reals.end()));
}

chord::Tensor labels_of(chord::Context& context, const Case& each, int64_t step) {
  std::vector<double> reals;
  std::vector<int32_t> classes;
  for (int64_t s = 0; s < batch; ++s) {
    reals.push_back(number(step * batch + s + 1000));
    classes.push_back(int32_t(number(step * batch + s) * 1.99));
  }
  return each.real_labels ? chord::Tensor::from<double>(context, {batch}, reals)
                          : chord::Tensor::from<int32_t>(context, {batch}, classes);
}

uint64_t run(chord::Context& context, const Case& each) {
  const bool single = !std::strstr(each.description, "\"precision\":64");
  const double tolerance = single ? 1e-4 : 1e-10;
  chord::Model whole(context, each.description, 5), collected(context, each.description, 6);
  chord_mpi_sequence* cut = nullptr;
  mpi(chord_mpi_sequence_create(MPI_Comm_c2f(MPI_COMM_WORLD), context.get(), rank == 0 ? whole.get() : nullptr,
                                each.pieces, &cut));
  int64_t first = 0, count = 0;
  mpi(chord_mpi_sequence_get_share(cut, &first, &count));
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.learning_rate = 0.01;
  options.weight_decay = 0.1;
  uint64_t sum = 0;
  const auto compare = [&](const chord_step_result& found, const chord_step_result& wanted) {
    expect(std::abs(found.loss - wanted.loss) <= tolerance * std::abs(wanted.loss), "the loss", found.loss,
           wanted.loss);
    expect(found.correct == wanted.correct && found.count == batch, "the right answers", double(found.correct),
           double(wanted.correct));
    sum = checksum({found.loss}, sum);
  };
  for (int64_t step = 0; step <= steps; ++step) {
    const chord::Tensor all = inputs_of(context, each, single, step, 0, each.length),
                        labels = labels_of(context, each, step),
                        own = inputs_of(context, each, single, step, first, count);
    chord_step_result found = CHORD_STEP_RESULT_INIT;
    if (step == steps) {
      mpi(chord_mpi_sequence_evaluate(cut, own.get(), rank == 0 ? labels.get() : nullptr, &found));
      compare(found, whole.evaluate(all, labels));
    } else {
      mpi(chord_mpi_sequence_train_step(cut, own.get(), rank == 0 ? labels.get() : nullptr, &options, &found));
      compare(found, whole.train_step(all, labels, options));
    }
  }
  mpi(chord_mpi_sequence_collect(cut, rank == 0 ? collected.get() : nullptr));
  if (rank == 0) {
    expect(collected.info().step == steps, "the step", double(collected.info().step), double(steps));
    const std::vector<double> found = numbers_of(collected.parameters()), wanted = numbers_of(whole.parameters());
    for (std::size_t i = 0; i < found.size(); ++i)
      expect(std::abs(found[i] - wanted[i]) <= 1e3 * tolerance, "a parameter", found[i], wanted[i]);
    sum = checksum(numbers_of(collected.moments().first), checksum(found, sum));
  }
  mpi(chord_mpi_sequence_destroy(cut));
  return sum;
}

/// What is wrong is told at every rank.
void expect_mistakes(chord::Context& context) {
  const int32_t world = MPI_Comm_c2f(MPI_COMM_WORLD);
  const Case& each = cases[1];
  chord::Model model(context, each.description, 5);
  chord::Model two(context, std::string(each.description, std::strlen(each.description) - 1) + R"(,"blocks":2})", 5);
  chord_mpi_sequence* cut = nullptr;
  const auto invalid = CHORD_ERROR_INVALID_ARGUMENT;
  expect_told(chord_mpi_sequence_create(world, context.get(), nullptr, 8, &cut), invalid, "rank 0: no model");
  expect_told(chord_mpi_sequence_create(world, rank == 0 ? context.get() : nullptr, model.get(), 8, &cut), invalid,
              "rank 1: no context");
  expect_told(chord_mpi_sequence_create(world, context.get(), model.get(), 7, &cut), invalid, "7 pieces do not divide");
  expect_told(chord_mpi_sequence_create(world, context.get(), model.get(), 1, &cut), invalid, "too few for 2 ranks");
  expect_told(chord_mpi_sequence_create(world, context.get(), two.get(), 8, &cut), invalid, "several blocks");
  mpi(chord_mpi_sequence_create(world, context.get(), rank == 0 ? model.get() : nullptr, 8, &cut));
  const chord::Tensor labels = labels_of(context, each, 0),
                      wrong = chord::Tensor::from<int32_t>(context, {batch}, {9, 9, 9});
  std::vector<int32_t> tokens(std::size_t(batch * each.length / 2), rank);
  const chord::Tensor right = chord::Tensor::from<int32_t>(context, {batch, each.length / 2}, tokens);
  tokens[5] = rank == 1 ? 99 : 0;
  const chord::Tensor bad = chord::Tensor::from<int32_t>(context, {batch, each.length / 2}, tokens);
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.clip_norm = 1;
  expect_told(chord_mpi_sequence_train_step(cut, right.get(), labels.get(), &options, nullptr), invalid, "clip_norm");
  expect_told(chord_mpi_sequence_train_step(cut, bad.get(), labels.get(), nullptr, nullptr),
              rank == 1 ? invalid : CHORD_ERROR_MPI, rank == 1 ? "in" : "rank 1 has failed");
  expect_told(chord_mpi_sequence_train_step(cut, right.get(), wrong.get(), nullptr, nullptr),
              rank == 0 ? invalid : CHORD_ERROR_MPI, rank == 0 ? "labels" : "rank 0 has failed");
  expect_told(chord_mpi_sequence_train_step(cut, labels.get(), labels.get(), nullptr, nullptr), invalid,
              "rows of each sequence");
  expect_told(chord_mpi_sequence_collect(cut, two.get()), invalid, "another description");
  mpi(chord_mpi_sequence_train_step(cut, right.get(), labels.get(), nullptr, nullptr));
  mpi(chord_mpi_sequence_destroy(cut));
  mpi(chord_mpi_sequence_destroy(nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  return run_test(argc, argv, [](chord::Context& context) {
    for (const Case& each : cases) {
      if (each.pieces < ranks) continue;
      const uint64_t sum = run(context, each);
      if (rank == 0) std::printf("%lld positions: %016llx\n", (long long)each.length, (unsigned long long)sum);
    }
    if (ranks == 2) expect_mistakes(context);
  });
}
