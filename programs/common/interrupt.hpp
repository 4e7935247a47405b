// Ctrl-C, SIGTERM and SIGHUP, unless that was ignored (nohup): the first asks the run to end with what it has, a second
// Ctrl-C or SIGTERM ends the program at once.
#pragma once

namespace program {

void catch_interrupts();

/// The signal that came, or 0.
int interrupted();

}  // namespace program
