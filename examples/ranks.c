/* Trains a small network for the adding problem on all ranks together, and prints what it got with a checksum of its
 * bits, which are the same for any number of ranks:
 *
 *   mpicc ranks.c $(pkg-config --cflags --libs sparsechord) -lchord_mpi -o ranks && mpirun -n 3 ./ranks */
#include <chord/chord_mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { batch = 40, pieces = 8, length = 64, steps = 100 };

/* Whatever fails ends all ranks. */
static void check(chord_status status, const char* message) {
  if (status == CHORD_SUCCESS) return;
  fprintf(stderr, "%s\n", message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static void chord(chord_status status) { check(status, chord_last_error()); }
static void mpi(chord_status status) { check(status, chord_mpi_last_error()); }

static chord_tensor* tensor(chord_context* context, int32_t rank, int64_t count) {
  const int64_t shape[] = {count, length, 2};
  chord_tensor* made = NULL;
  chord(chord_tensor_create(context, CHORD_FLOAT32, rank, shape, &made));
  return made;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  chord_context* context = NULL;
  chord_model* model = NULL;
  chord_mpi_trainer* trainer = NULL;
  chord(chord_context_create("host", &context));
  chord(chord_model_create(context, "{\"preset\": \"adding\", \"length\": 64}", 1, &model));
  mpi(chord_mpi_create(MPI_Comm_c2f(MPI_COMM_WORLD), model, batch, pieces, &trainer));

  /* Each rank generates its own part of every batch. */
  int64_t first = 0, count = 0;
  mpi(chord_mpi_get_share(trainer, &first, &count));
  chord_dataset_options wanted = CHORD_DATASET_OPTIONS_INIT;
  wanted.task = "adding";
  wanted.split = "train";
  wanted.length = length;
  wanted.count = batch * steps;
  chord_dataset* dataset = NULL;
  chord(chord_dataset_create(&wanted, &dataset));
  chord_batches_options part = CHORD_BATCHES_OPTIONS_INIT;
  part.batch = batch;
  part.part_first = first;
  part.part_count = count;
  part.shuffle = 1;
  chord_batches* batches = NULL;
  chord(chord_batches_create(dataset, &part, &batches));

  chord_tensor *inputs = tensor(context, 3, count), *labels = tensor(context, 1, count);
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  for (int step = 0; step < steps; ++step) {
    const void *sequences = NULL, *sums = NULL;
    chord(chord_batches_next(batches, &sequences, &sums, &count));
    chord(chord_tensor_from_host(inputs, sequences, (size_t)count * length * 2 * sizeof(float)));
    chord(chord_tensor_from_host(labels, sums, (size_t)count * sizeof(float)));
    mpi(chord_mpi_train_step(trainer, inputs, labels, NULL, &result));
  }
  mpi(chord_mpi_evaluate(trainer, inputs, labels, NULL, &result));

  chord_tensor* parameters = NULL;
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  chord(chord_model_get_parameters(model, &parameters));
  chord(chord_tensor_get_info(parameters, &info));
  unsigned char* bytes = malloc(info.bytes);
  chord(chord_tensor_to_host(parameters, bytes, info.bytes));
  unsigned checksum = 1;
  for (size_t i = 0; i < info.bytes; ++i) checksum = checksum * 31 + bytes[i];
  if (rank == 0)
    printf("%d steps, then a loss of %.17g, %d of %d right; checksum %08x\n", steps, result.loss, (int)result.correct,
           (int)result.count, checksum);

  free(bytes);
  chord_tensor_destroy(parameters);
  chord_tensor_destroy(inputs);
  chord_tensor_destroy(labels);
  chord_batches_destroy(batches);
  chord_dataset_destroy(dataset);
  chord_mpi_destroy(trainer);
  chord_model_destroy(model);
  chord_context_destroy(context);
  MPI_Finalize();
  return 0;
}
