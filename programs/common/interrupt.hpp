// Ctrl-C and SIGTERM: the first asks the run to end with what it has, the second ends the program at once.
#pragma once

namespace program {

void catch_interrupts();

/// The signal that came, or 0.
int interrupted();

}  // namespace program
