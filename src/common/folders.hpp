// Where this library, what it loads at run time and what it keeps for the next are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace chord {

/// The user's cache of this project; empty for a user without a home: a folder that others can write to is no place to
/// load code from.
std::filesystem::path user_cache();

/// Where compiled kernels are kept: $CHORD_CACHE_DIR, else a folder of the user's cache; empty where there is none, and
/// kernels are then compiled at every start.
std::string cache_directory();

/// Where decoded datasets are kept: a folder of the user's cache; empty where there is none.
std::filesystem::path dataset_cache();

/// The folder this library was loaded from.
std::filesystem::path own_folder();

/// Where a SYCL runtime for all users of this library goes: beside it.
std::filesystem::path shared_oneapi();

/// Where oneAPI's libraries may be, best first. None of them is compiled in as the only one: a cache folder may be
/// purged and an installed library moved.
std::vector<std::filesystem::path> oneapi_folders();

}  // namespace chord
