/* Trains a network on sequences of the adding problem that are cut along their length, each rank having some positions
 * of them. Prints losses, whose bits are the same for any number of ranks, and on standard error the time of a step and
 * the most memory that a rank had in use:
 *
 *   mpicc long_sequences.c $(pkg-config --cflags --libs sparsechord) -lchord_mpi -o long_sequences
 *   mpirun -n 4 ./long_sequences 1048576 */
#include <chord/chord_mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { pieces = 8, steps = 3 };

/* Whatever fails ends all ranks. */
static void check(chord_status status, const char* message) {
  if (status == CHORD_SUCCESS) return;
  fprintf(stderr, "%s\n", message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static void chord(chord_status status) { check(status, chord_last_error()); }
static void mpi(chord_status status) { check(status, chord_mpi_last_error()); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int64_t length = argc > 1 ? atoll(argv[1]) : 4096;

  /* The whole model is rank 0's, and is needed only until it is shared out. */
  char description[64];
  snprintf(description, sizeof description, "{\"preset\": \"adding\", \"length\": %lld}", (long long)length);
  chord_context* context = NULL;
  chord_model* model = NULL;
  chord_mpi_sequence* sequence = NULL;
  chord(chord_context_create("host", &context));
  if (rank == 0) chord(chord_model_create(context, description, 1, &model));
  mpi(chord_mpi_sequence_create(MPI_Comm_c2f(MPI_COMM_WORLD), context, model, pieces, &sequence));
  chord(chord_model_destroy(model));

  int64_t first = 0, count = 0;
  mpi(chord_mpi_sequence_get_share(sequence, &first, &count));
  chord_dataset_options wanted = CHORD_DATASET_OPTIONS_INIT;
  wanted.task = "adding";
  wanted.split = "train";
  wanted.length = length;
  wanted.count = steps;
  chord_dataset* dataset = NULL;
  chord(chord_dataset_create(&wanted, &dataset));

  /* Each rank keeps its positions of a sequence, which are two numbers each. */
  const size_t bytes = (size_t)length * 2 * sizeof(float);
  float *whole = malloc(bytes), answer = 0;
  const int64_t shape[] = {1, count, 2};
  chord_tensor *inputs = NULL, *labels = NULL;
  chord(chord_tensor_create(context, CHORD_FLOAT32, 3, shape, &inputs));
  chord(chord_tensor_create(context, CHORD_FLOAT32, 1, shape, &labels));
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  double begin = 0;
  for (int step = 0; step < steps; ++step) {
    if (step == 1) begin = MPI_Wtime(); /* the first step makes the memory */
    chord(chord_dataset_read(dataset, step, 1, whole, bytes, &answer, sizeof answer));
    chord(chord_tensor_from_host(inputs, whole + 2 * first, (size_t)count * 2 * sizeof(float)));
    chord(chord_tensor_from_host(labels, &answer, sizeof answer));
    mpi(chord_mpi_sequence_train_step(sequence, inputs, rank == 0 ? labels : NULL, NULL, &result));
    if (rank == 0) printf("step %d: a loss of %a\n", step + 1, result.loss);
  }
  const double seconds = (MPI_Wtime() - begin) / (steps - 1);
  chord_memory_info memory = CHORD_MEMORY_INFO_INIT;
  chord(chord_context_get_memory(context, &memory));
  unsigned long long own = memory.peak_bytes, most = 0;
  MPI_Reduce(&own, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) fprintf(stderr, "%.3f s a step, %.1f MB of a rank at most\n", seconds, (double)most / 1e6);

  free(whole);
  chord(chord_tensor_destroy(inputs));
  chord(chord_tensor_destroy(labels));
  chord(chord_dataset_destroy(dataset));
  mpi(chord_mpi_sequence_destroy(sequence));
  chord(chord_context_destroy(context));
  MPI_Finalize();
  return 0;
}
