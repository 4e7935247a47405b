// The loaders, each as a function of a file's content: what it finds wrong it says, and nothing else happens.
#pragma once

#include <string_view>
#include <vector>

namespace fuzz {

struct Target {
  std::string_view name;
  void (*load)(std::string_view content);
};

const std::vector<Target>& targets();

/// Runs one. An error of the content is what is expected; one of the library ends the process.
void run(const Target& target, std::string_view content);

}  // namespace fuzz
