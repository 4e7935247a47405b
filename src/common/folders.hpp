// Where this library and what it loads at run time are.
#pragma once

#include <filesystem>
#include <vector>

namespace chord {

/// The user's cache of this project; empty for a user without a home: a folder that others can write to is no place to
/// load code from.
std::filesystem::path user_cache();

/// The folder this library was loaded from.
std::filesystem::path own_folder();

/// Where oneAPI's libraries may be, best first. None of them is compiled in as the only one: a cache folder may be
/// purged and an installed library moved.
std::vector<std::filesystem::path> oneapi_folders();

}  // namespace chord
