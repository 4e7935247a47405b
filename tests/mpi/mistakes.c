/* What is wrong at one rank is told at every rank, with a status, and nobody waits for ever. For two ranks. */
#include <chord/chord_mpi.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, mistakes;

static void expect(chord_status status, chord_status wanted, const char* message) {
  if (status == wanted && strstr(chord_mpi_last_error(), message)) return;
  fprintf(stderr, "rank %d: status %d, '%s'; expected %d, '%s'\n", rank, status, chord_mpi_last_error(), wanted,
          message);
  ++mistakes;
}

static void need(chord_status status) {
  if (status == CHORD_SUCCESS) return;
  fprintf(stderr, "rank %d: %s %s\n", rank, chord_last_error(), chord_mpi_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  chord_mpi_trainer* trainer = NULL;
  chord_model *model = NULL, *other = NULL;
  expect(chord_mpi_create(0, NULL, 4, 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "MPI is not initialised");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int32_t world = MPI_Comm_c2f(MPI_COMM_WORLD);
  chord_context* context = NULL;
  const char* const description =
      "{\"input\":\"tokens\",\"vocabulary\":5,\"length\":6,\"width\":4,\"factors\":2,"
      "\"links\":3,\"hidden_f\":4,\"hidden_g\":4,\"channels\":2,\"classes\":3,"
      "\"loss\":\"cross_entropy\",\"dropout_output\":0.5}";
  need(chord_context_create("host", &context));
  need(chord_model_create(context, description, (uint64_t)rank, &model));
  need(chord_model_create(context, rank == 0 ? description : "{\"preset\": \"adding\"}", 0, &other));

  expect(chord_mpi_create(world, model, 4, 2, NULL), CHORD_ERROR_INVALID_ARGUMENT, "trainer is NULL");
  expect(chord_mpi_create(MPI_Comm_c2f(MPI_COMM_NULL), model, 4, 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "none");
  expect(chord_mpi_create(world, model, 0, 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "batch is 0");
  expect(chord_mpi_create(world, model, 4, 1, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "pieces is 1; expected 2");
  expect(chord_mpi_create(world, model, 4, 5, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "pieces is 5");
  expect(chord_mpi_create(world, model, 4 + rank, 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "rank 1 has ");
  expect(chord_mpi_create(world, other, 4, 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "rank 1 has ");
  expect(chord_mpi_create(world, rank ? NULL : model, 4, 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT,
         "rank 1: no model");
  expect(chord_mpi_create(world, model, 4, rank ? 0 : 2, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "in no pieces");
  expect(chord_mpi_create(world, model, 1, 0, &trainer), CHORD_ERROR_INVALID_ARGUMENT, "expected 2, the ranks, to 1");
  need(chord_mpi_create(world, model, 4, 2, &trainer));

  /* Rank 0's parameters are those of all, whatever seed they had. */
  chord_tensor* parameters = NULL;
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  static float own[4096], first[4096];
  need(chord_model_get_parameters(model, &parameters));
  need(chord_tensor_get_info(parameters, &info));
  need(chord_tensor_to_host(parameters, own, info.bytes));
  memcpy(first, own, info.bytes);
  MPI_Bcast(first, (int)info.bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (memcmp(own, first, info.bytes) != 0) ++mistakes;

  /* A token that is none, at rank 1: a status of its own there, another's failure at rank 0, nothing learnt; then all
   * go on. With either sum. */
  const int64_t shape[] = {2, 6};
  chord_tensor *inputs = NULL, *labels = NULL;
  int32_t tokens[12] = {0}, answers[2] = {1, 2};
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  need(chord_tensor_create(context, CHORD_INT32, 2, shape, &inputs));
  need(chord_tensor_create(context, CHORD_INT32, 1, shape, &labels));
  need(chord_tensor_from_host(labels, answers, sizeof answers));
  for (int turn = 0; turn < 4; ++turn) {
    const int bad = turn % 2 == 0;
    if (turn == 2) {
      need(chord_mpi_destroy(trainer));
      need(chord_mpi_create(world, model, 4, 0, &trainer));
    }
    tokens[7] = bad && rank == 1 ? 99 : 3;
    need(chord_tensor_from_host(inputs, tokens, sizeof tokens));
    const chord_status step = chord_mpi_train_step(trainer, inputs, labels, NULL, &result);
    if (bad) {
      expect(step, rank == 1 ? CHORD_ERROR_INVALID_ARGUMENT : CHORD_ERROR_MPI, rank == 1 ? "99" : "rank 1 has failed");
      expect(chord_mpi_evaluate(trainer, inputs, labels, NULL, &result),
             rank == 1 ? CHORD_ERROR_INVALID_ARGUMENT : CHORD_ERROR_MPI, rank == 1 ? "99" : "rank 1 has failed");
    } else {
      need(step);
      if (result.count != 4) ++mistakes;
    }
  }
  expect(chord_mpi_evaluate(trainer, inputs, labels, NULL, NULL), CHORD_ERROR_INVALID_ARGUMENT, "result is NULL");
  chord_model_info about = CHORD_MODEL_INFO_INIT;
  need(chord_model_get_info(model, &about));
  if (about.step != 2) ++mistakes;

  chord_tensor_destroy(inputs);
  chord_tensor_destroy(labels);
  chord_tensor_destroy(parameters);
  chord_mpi_destroy(trainer);
  chord_mpi_destroy(NULL);
  chord_model_destroy(model);
  chord_model_destroy(other);
  chord_context_destroy(context);
  MPI_Finalize();
  return mistakes != 0;
}
