/* libchord loaded into a process that has an unwinder already: an error is a status, and a thread that ends in a
 * callback ends. foreign-unwinder LIBRARY [thread] */
#include <chord/chord.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* library;

static void* function(const char* name) {
  void* found = dlsym(library, name);
  if (!found) fprintf(stderr, "no %s\n", name);
  return found;
}

static int32_t end_thread(const chord_factorize_progress* progress, void* user) {
  (void)progress;
  (void)user;
  pthread_exit(user);
}

static void* factorize(void* unused) {
  chord_status (*create_context)(const char*, chord_context**);
  chord_status (*create_pattern)(chord_context*, int64_t, int64_t, int64_t, chord_pattern**);
  chord_status (*create_matrix)(int64_t, const double*, chord_matrix**);
  chord_status (*run)(const chord_pattern*, const chord_matrix*, const chord_factorize_options*, chord_factorization**);
  const double values[4] = {1, 2, 3, 4};
  chord_factorize_options options;
  chord_context* context = NULL;
  chord_pattern* pattern = NULL;
  chord_matrix* matrix = NULL;
  chord_factorization* result = NULL;
  *(void**)&create_context = function("chord_context_create");
  *(void**)&create_pattern = function("chord_pattern_create_chord");
  *(void**)&create_matrix = function("chord_matrix_create_dense");
  *(void**)&run = function("chord_factorize");
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.callback = end_thread;
  if (create_context("host", &context) || create_pattern(context, 2, 2, 0, &pattern) ||
      create_matrix(2, values, &matrix))
    fprintf(stderr, "cannot begin\n");
  else
    run(pattern, matrix, &options, &result);
  return unused;
}

int main(int count, char** arguments) {
  chord_status (*create_context)(const char*, chord_context**);
  chord_context* context = NULL;
  if (count < 2 || !(library = dlopen(arguments[1], RTLD_NOW))) return fprintf(stderr, "%s\n", dlerror());
  if (count > 2) {
    pthread_t thread;
    void* ended = NULL;
    if (pthread_create(&thread, NULL, factorize, &thread) || pthread_join(thread, &ended)) return 1;
    return ended == NULL ? 0 : 1; /* the thread's own way out would have told its argument */
  }
  *(void**)&create_context = function("chord_context_create");
  return create_context("nonsense", &context) == CHORD_ERROR_NO_SUCH_DEVICE ? 0 : 1;
}
