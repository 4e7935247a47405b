#include "names.hpp"

#include <algorithm>
#include <chord/chord.hpp>

namespace factorize {

std::vector<std::string> constraint_names() {
  std::vector<std::string> names;
  for (const chord_name_info& each : chord::constraints()) names.push_back(each.name);
  return names;
}

std::string constraint_name(int32_t constraint) { return chord::constraints().at(std::size_t(constraint)).name; }

int32_t constraint_named(const std::string& name) {
  if (name == "psd") return CHORD_CONSTRAINT_SEMIDEFINITE;
  const auto names = constraint_names();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : int32_t(found - names.begin());
}

std::string stop_name(int32_t stop) { return chord::stops().at(std::size_t(stop)).name; }

}  // namespace factorize
