// Ctrl-C, SIGTERM and SIGHUP, unless that was ignored (nohup): the first asks the run to end with what it has, a second
// Ctrl-C or SIGTERM ends the program at once. A reader that goes away, or a file that may not grow, ends nothing: what
// is written to it fails.
#pragma once

#include <string>

namespace program {

void catch_interrupts();

/// The signal that came, or 0.
int interrupted();

/// What the first signal makes the program say, at once: others may be about to end it. Nothing while the process
/// `unless`, if not 0, is there.
void say_when_interrupted(const std::string& text, int unless);

}  // namespace program
