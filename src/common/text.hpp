// Text made of parts: text("column ", 3, " of ", name).
#pragma once

#include <sstream>
#include <string>

namespace chord {

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

}  // namespace chord
