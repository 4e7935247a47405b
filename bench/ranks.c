/* What sharing a batch costs: the time of a training step, by three ways in turn, the best of several turns each.
 *
 *   whole      chord_model_train_step on the whole batch, by each rank for itself
 *   pieces     chord_mpi_train_step: gradients of pieces, summed in one tree, the same bits for any number of ranks
 *   allreduce  the same without pieces: a rank's share in one go and MPI's own sum, whose bits depend on their number
 *
 *   mpirun -n 2 chord-bench-ranks PRESET LENGTH BATCH PIECES STEPS [TURNS]       LENGTH 0: the preset's
 *
 * Inputs are made up: what a step takes does not depend on them. */
#include <chord/chord_mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void check(chord_status status, const char* message) {
  if (status == CHORD_SUCCESS) return;
  fprintf(stderr, "%s\n", message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static void chord(chord_status status) { check(status, chord_last_error()); }
static void mpi(chord_status status) { check(status, chord_mpi_last_error()); }

/* A tensor of made-up values that every model takes: tokens and classes 0 and 1, reals below 1. */
static chord_tensor* made_up(chord_context* context, chord_type type, int32_t rank, const int64_t* shape) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; ++i) count *= shape[i];
  float* reals = malloc((size_t)count * sizeof *reals);
  int32_t* tokens = malloc((size_t)count * sizeof *tokens);
  for (int64_t i = 0; i < count; ++i) {
    tokens[i] = (int32_t)(i * 7919 % 31 % 2);
    reals[i] = (float)(i * 7919 % 31) / 31;
  }
  chord_tensor* tensor = NULL;
  chord(chord_tensor_create(context, type, rank, shape, &tensor));
  chord(chord_tensor_from_host(tensor, type == CHORD_INT32 ? (void*)tokens : (void*)reals, (size_t)count * 4));
  free(reals);
  free(tokens);
  return tensor;
}

/* So many sequences for a model, and their labels. */
static void make_up(chord_context* context, chord_model* model, int64_t count, chord_tensor** inputs,
                    chord_tensor** labels) {
  chord_model_info info = CHORD_MODEL_INFO_INIT;
  chord(chord_model_get_info(model, &info));
  const int64_t shape[] = {count, info.length, info.features};
  *inputs = made_up(context, info.input_type, info.features > 0 ? 3 : 2, shape);
  *labels = made_up(context, info.label_type, 1, shape);
}

/* How ranks share batches, and what this one has of them. */
struct shared {
  chord_mpi_trainer* trainer;
  chord_tensor *inputs, *labels;
};

struct bench {
  chord_model* model;
  chord_tensor *inputs, *labels;
  struct shared in_pieces, in_shares;
};

static void whole(struct bench* bench) {
  chord(chord_model_train_step(bench->model, bench->inputs, bench->labels, NULL, NULL));
}

static void step(const struct shared* shared) {
  mpi(chord_mpi_train_step(shared->trainer, shared->inputs, shared->labels, NULL, NULL));
}
static void pieces(struct bench* bench) { step(&bench->in_pieces); }
static void allreduce(struct bench* bench) { step(&bench->in_shares); }

static struct shared share(chord_context* context, chord_model* model, int64_t batch, int64_t pieces) {
  struct shared shared;
  int64_t first = 0, count = 0;
  mpi(chord_mpi_create(MPI_Comm_c2f(MPI_COMM_WORLD), model, batch, pieces, &shared.trainer));
  mpi(chord_mpi_get_share(shared.trainer, &first, &count));
  make_up(context, model, count, &shared.inputs, &shared.labels);
  return shared;
}

/* Milliseconds of a step, of the slowest rank. */
static double time_of(void (*step)(struct bench*), struct bench* bench, int steps) {
  step(bench);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < steps; ++i) step(bench);
  double own = (MPI_Wtime() - begin) / steps * 1e3, most = 0;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 6) {
    if (rank == 0) fprintf(stderr, "chord-bench-ranks PRESET LENGTH BATCH PIECES STEPS [TURNS]\n");
    MPI_Finalize();
    return 2;
  }
  const long long length = atoll(argv[2]);
  const int cut = atoi(argv[4]), steps = atoi(argv[5]), turns = argc > 6 ? atoi(argv[6]) : 5;
  char description[128];
  if (length > 0)
    snprintf(description, sizeof description, "{\"preset\": \"%s\", \"length\": %lld}", argv[1], length);
  else
    snprintf(description, sizeof description, "{\"preset\": \"%s\"}", argv[1]);

  const int64_t batch = atoll(argv[3]);
  struct bench bench;
  chord_context* context = NULL;
  chord(chord_context_create("host", &context));
  chord(chord_model_create(context, description, 1, &bench.model));
  make_up(context, bench.model, batch, &bench.inputs, &bench.labels);
  bench.in_pieces = share(context, bench.model, batch, cut);
  bench.in_shares = share(context, bench.model, batch, 0);
  chord_model_info info = CHORD_MODEL_INFO_INIT;
  chord(chord_model_get_info(bench.model, &info));

  /* Whole batches by several ranks at once would say nothing. */
  void (*const ways[])(struct bench*) = {pieces, allreduce, whole};
  const char* const names[] = {"pieces", "allreduce", "whole"};
  const int way_count = ranks == 1 ? 3 : 2;
  double best[3] = {0};
  for (int turn = 0; turn < turns; ++turn)
    for (int way = 0; way < way_count; ++way) {
      const double found = time_of(ways[way], &bench, steps);
      if (turn == 0 || found < best[way]) best[way] = found;
    }
  if (rank == 0) {
    printf("%s %lld, %lld parameters, %d rank%s:", argv[1], (long long)info.length, (long long)info.parameters, ranks,
           ranks == 1 ? "" : "s");
    for (int way = 0; way < way_count; ++way) printf(" %s %.3f ms", names[way], best[way]);
    printf("\n");
  }

  chord_tensor* const tensors[] = {bench.inputs,           bench.labels,           bench.in_pieces.inputs,
                                   bench.in_pieces.labels, bench.in_shares.inputs, bench.in_shares.labels};
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; ++i) chord(chord_tensor_destroy(tensors[i]));
  mpi(chord_mpi_destroy(bench.in_pieces.trainer));
  mpi(chord_mpi_destroy(bench.in_shares.trainer));
  chord(chord_model_destroy(bench.model));
  chord(chord_context_destroy(context));
  MPI_Finalize();
  return 0;
}
