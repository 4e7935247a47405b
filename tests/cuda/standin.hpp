// What the stand-in driver exports beside the functions of a CUDA driver, for tests and for programs that show its
// counts: looked up by name (dlsym), so that a real driver simply has none of them.
#pragma once

#include <cstddef>

extern "C" {

/// How many reports there were: of a kind ("RACE", "ILLEGAL ADDRESS", …; README.md has all), or of any (nullptr).
unsigned long chord_standin_reports(const char* kind);

/// What was counted since the start or the last reset, as JSON: launches, waits and copies; with CHORD_STANDIN_PROFILE
/// instructions and memory accesses of every kernel, too. Returns the length; writes at most `bytes`, a zero included.
std::size_t chord_standin_counts_json(char* text, std::size_t bytes);

void chord_standin_reset_counts();

/// Until the next reset, loads from this memory of a device are gathers: of the sectors that a request touches there it
/// is counted how many bytes its lanes want.
void chord_standin_count_gathers(unsigned long long address, std::size_t bytes);

/// For tests of failing memory: `inside` is told when a call of the driver begins (1) and ends (0) in this thread, so
/// that what the stand-in itself allocates can be left alone; the device's memory and pinned memory fail where `fails`
/// says so. Null pointers end it.
void chord_standin_watch_memory(void (*inside)(int begins), int (*fails)());
}
