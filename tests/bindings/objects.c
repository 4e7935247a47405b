/* A hundred thousand objects leave no trace in the process's memory. */
#include <chord/chord.h>
#include <stdio.h>
#include <stdlib.h>

static void check(chord_status status) {
  if (status == CHORD_SUCCESS) return;
  fprintf(stderr, "%s\n", chord_last_error());
  exit(1);
}

static long resident_pages(void) {
  long size = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2) exit(2);
  fclose(file);
  return resident;
}

static void make(chord_context* context, int count) {
  static float weights[16 * 5];
  const int64_t shape[] = {1, 16, 5};
  for (int i = 0; i < count; ++i) {
    chord_pattern* pattern;
    chord_tensor *made, *wrapped;
    chord_chain* chain;
    check(chord_pattern_create_chord(context, 16, 2, 0, &pattern));
    check(chord_tensor_create(context, CHORD_FLOAT32, 3, shape, &made));
    check(chord_tensor_wrap(context, CHORD_FLOAT32, 3, shape, NULL, weights, NULL, NULL, &wrapped));
    check(chord_chain_create(pattern, wrapped, 0, &chain));
    check(chord_tensor_destroy(wrapped));
    check(chord_tensor_destroy(made));
    check(chord_pattern_destroy(pattern));
    check(chord_chain_destroy(chain));
  }
}

int main(void) {
  chord_context* context;
  check(chord_context_create("host", &context));
  make(context, 1000);
  const long before = resident_pages();
  make(context, 25000);
  const long grown = (resident_pages() - before) * 4;
  int64_t alive = -1;
  check(chord_context_count_objects(context, &alive));
  printf("100000 objects: %ld KB more, %lld of them alive\n", grown, (long long)alive);
  check(chord_context_destroy(context));
  return grown < 1024 && alive == 0 ? 0 : 1;
}
