// The folder that somebody says a task's files are in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace chord {

/// The folder as an absolute path, or the one in it that unpacking the task's archive makes. Throws where there is
/// none, and says what it has to hold.
std::filesystem::path data_folder(const std::string& given, const std::string& holds, const std::string& unpacked = "");

/// All that is in a folder, in any order; less, and a problem, where it cannot be listed.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder, std::error_code& problem);

/// What a folder has, sorted by name: regular files that end like this, or folders that begin like that. Throws where
/// there is none.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const std::string& ending);
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder, const std::string& beginning);

}  // namespace chord
