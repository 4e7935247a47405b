/* An unwinder that does not know our exceptions, as those do not which some runtimes bring along (Debian's Julia):
 * loaded first, it is given what a library leaves to be found at run time. */
#include <stdlib.h>

int _Unwind_RaiseException(void* exception);
void _Unwind_Resume(void* exception);

int _Unwind_RaiseException(void* exception) {
  (void)exception;
  abort();
}

void _Unwind_Resume(void* exception) {
  (void)exception;
  abort();
}
