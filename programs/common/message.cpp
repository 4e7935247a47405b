#include "message.hpp"

#include <chord/chord.hpp>
#include <cstring>

namespace program {

const char* message_of(const std::exception& error) {
  const char* const text = error.what();
  if (!dynamic_cast<const chord::Error*>(&error) || std::strncmp(text, "chord_", 6) != 0) return text;
  const char* const end = text + std::strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
  return std::strncmp(end, ": ", 2) == 0 ? end + 2 : text;
}

}  // namespace program
