/* A product with one factor, from C: what each of the consumer projects builds and runs. */
#include <chord/chord.h>
#include <stdio.h>

static int check(chord_status status) {
  if (status != CHORD_SUCCESS) fprintf(stderr, "%s: %s\n", chord_status_name(status), chord_last_error());
  return status == CHORD_SUCCESS;
}

int main(void) {
  const int64_t w_shape[] = {4, 3}, v_shape[] = {4, 1};
  const float ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, values[4] = {1, 2, 3, 4};
  float z_values[4] = {0};
  chord_context* context = NULL;
  chord_pattern* pattern = NULL;
  chord_tensor *w = NULL, *v = NULL, *z = NULL;
  const int right =
      check(chord_context_create("host", &context)) && check(chord_pattern_create_chord(context, 4, 2, 0, &pattern)) &&
      check(chord_tensor_create_from_host(context, CHORD_FLOAT32, 2, w_shape, ones, &w)) &&
      check(chord_tensor_create_from_host(context, CHORD_FLOAT32, 2, v_shape, values, &v)) &&
      check(chord_tensor_create(context, CHORD_FLOAT32, 2, v_shape, &z)) && check(chord_product(pattern, w, v, z, 0)) &&
      check(chord_tensor_to_host(z, z_values, sizeof z_values)) && z_values[0] == 6 && z_values[3] == 7;
  chord_tensor_destroy(z);
  chord_tensor_destroy(v);
  chord_tensor_destroy(w);
  chord_pattern_destroy(pattern);
  chord_context_destroy(context);
  puts(right ? "right" : "wrong");
  return !right;
}
