/* For LD_PRELOAD: malloc fails at the n-th call after the libraries were loaded (FAILING_MALLOC=n), and, unless
   FAILING_MALLOC_ONCE is set, at every one behind it. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void* __libc_malloc(size_t size);

static atomic_long calls;
static long first = -1;
static int once;

__attribute__((constructor)) static void read_wish(void) {
  const char* const wish = getenv("FAILING_MALLOC");
  once = getenv("FAILING_MALLOC_ONCE") != NULL;
  calls = 0;
  first = wish ? atol(wish) : -1;
}

void* malloc(size_t size) {
  if (first >= 0) {
    const long call = ++calls;
    if (once ? call == first : call >= first) {
      errno = ENOMEM;
      return NULL;
    }
  }
  return __libc_malloc(size);
}
