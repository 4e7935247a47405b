/* Factorises a picture and applies the result, then trains a network: tour PICTURE [PASSES] */
#include <chord/chord.h>
#include <stdio.h>
#include <stdlib.h>

static void check(chord_status status) {
  if (status == CHORD_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", chord_status_name(status), chord_last_error());
  exit(1);
}

/* The FNV-1a hash of a tensor's bytes, and the tensor's end. */
static unsigned long long bits(chord_tensor* tensor) {
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  check(chord_tensor_get_info(tensor, &info));
  unsigned char* bytes = malloc(info.bytes);
  check(chord_tensor_to_host(tensor, bytes, info.bytes));
  unsigned long long hash = 14695981039346656037u;
  for (uint64_t i = 0; i < info.bytes; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  free(bytes);
  check(chord_tensor_destroy(tensor));
  return hash;
}

static void factorize(chord_context* context, const char* path) {
  chord_matrix* picture;
  check(chord_matrix_read(path, &picture));
  chord_matrix_info about = CHORD_MATRIX_INFO_INIT;
  check(chord_matrix_get_info(picture, &about));
  chord_pattern* pattern;
  check(chord_pattern_create_chord(context, about.n, 2, 0, &pattern));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.iterations = 30;
  options.seed = 1;
  chord_factorization* factors;
  check(chord_factorize(pattern, picture, &options, &factors));
  chord_factorization_info fit = CHORD_FACTORIZATION_INFO_INIT;
  check(chord_factorization_get_info(factors, &fit));

  const int64_t shape[] = {about.n, 1};
  chord_tensor *ones, *sums;
  check(chord_tensor_create(context, CHORD_FLOAT64, 2, shape, &ones));
  check(chord_tensor_create(context, CHORD_FLOAT64, 2, shape, &sums));
  check(chord_tensor_fill(ones, 1));
  check(chord_factorization_apply(factors, ones, sums, 0));
  printf("picture: %lld rows, relative error %.4f, bits %016llx\n", (long long)about.n, fit.relative_error, bits(sums));
}

static void train(chord_context* context, int64_t passes) {
  chord_model* model;
  check(chord_model_create(context, "{\"preset\": \"adding\", \"length\": 32}", 1, &model));
  chord_dataset_options options = CHORD_DATASET_OPTIONS_INIT;
  options.task = "adding", options.split = "train", options.length = 32, options.count = 200, options.seed = 1;
  chord_dataset* data;
  check(chord_dataset_create(&options, &data));
  chord_step_result step = CHORD_STEP_RESULT_INIT;
  for (int64_t pass = 0; pass < passes; ++pass) {
    chord_batches_options order = CHORD_BATCHES_OPTIONS_INIT;
    order.batch = 40, order.shuffle = 1, order.seed = 1, order.epoch = pass;
    chord_batches* batches;
    check(chord_batches_create(data, &order, &batches));
    const void *inputs, *labels;
    for (int64_t count; check(chord_batches_next(batches, &inputs, &labels, &count)), count > 0;) {
      const int64_t shape[] = {count, 32, 2};
      chord_tensor *x, *y;
      check(chord_tensor_create_from_host(context, CHORD_FLOAT32, 3, shape, inputs, &x));
      check(chord_tensor_create_from_host(context, CHORD_FLOAT32, 1, shape, labels, &y));
      check(chord_model_train_step(model, x, y, NULL, &step));
      check(chord_tensor_destroy(x));
      check(chord_tensor_destroy(y));
    }
    check(chord_batches_destroy(batches));
  }
  chord_tensor* parameters;
  check(chord_model_get_parameters(model, &parameters));
  printf("adding: loss %.4f, bits %016llx\n", step.loss, bits(parameters));
}

int main(int count, char** arguments) {
  if (count < 2) return fprintf(stderr, "tour PICTURE [PASSES]\n"), 2;
  chord_context* context;
  check(chord_context_create("auto", &context));
  factorize(context, arguments[1]);
  train(context, count > 2 ? atoll(arguments[2]) : 20);
  check(chord_context_close(context)); /* with all that is in it */
  return 0;
}
