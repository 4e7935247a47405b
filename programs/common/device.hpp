// The device a program works on.
#pragma once

#include <chord/chord.hpp>
#include <string>

namespace program {

/// What --device does, for its help text.
inline const char* const device_help =
    "A selector, see chord-info (default: what the environment's CHORD_DEVICE says,\n"
    "else a GPU where there is one, else the host)";

/// Opens the device of this selector; "auto" takes none that cannot do `precision`. Throws Misuse where
/// there is none.
chord::Context open_device(const std::string& selector, int precision);

/// What roundings depend on: the device, and on the host the kernels that were chosen, not how many threads there are.
std::string arithmetic_of(const chord::DeviceInfo& device);

}  // namespace program
