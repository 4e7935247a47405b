/* The header is C99 without extensions, and every function it names can be linked. */
#include <chord/chord.h>
#include <stdio.h>

typedef void (*any_function)(void);

int main(void) {
  const any_function all[] = {
#define F(name) (any_function) name,
#include "functions.inc"
#undef F
  };
  size_t i;
  int32_t major = -1;
  for (i = 0; i < sizeof all / sizeof *all; ++i)
    if (!all[i]) return 1;
  if (chord_version(&major, NULL, NULL) != CHORD_SUCCESS || major != CHORD_VERSION_MAJOR) return 1;
  printf("%u functions\n", (unsigned)(sizeof all / sizeof *all));
  return 0;
}
