/* Put before libchord, it makes a program believe that it has another version. */
#include <chord/chord.h>

CHORD_API chord_status chord_version(int32_t* major, int32_t* minor, int32_t* patch) {
  *major = 9;
  *minor = 8;
  *patch = 7;
  return CHORD_SUCCESS;
}
