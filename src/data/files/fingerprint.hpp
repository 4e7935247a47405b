// Whether files have changed: their names, sizes and times, not their content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace chord {

/// FNV-1a. It protects against accidents, not against someone who means to deceive.
std::uint64_t hash_of(std::string_view bytes);

/// Of these files, and of all files in these folders and the folders in them. One that is missing counts as such.
std::uint64_t fingerprint_of(const std::vector<std::filesystem::path>& paths);

std::string hexadecimal(std::uint64_t number);

}  // namespace chord
