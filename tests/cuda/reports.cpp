#include "reports.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "standin.hpp"

namespace chord::standin {
namespace {

/// Never destroyed: the process may end while others still report.
struct Reports {
  std::mutex mutex;
  std::map<std::string, unsigned long> of_kind, of_place;
};

Reports& reports() {
  static Reports& all = *new Reports;
  return all;
}

void say_how_often() {
  for (const auto& [place, times] : reports().of_place)
    if (times > 1) say(format("%lu times in all: %s", times, place.c_str()));
}

}  // namespace

std::string format(const char* form, ...) {
  std::va_list arguments, again;
  va_start(arguments, form);
  va_copy(again, arguments);
  std::string text(std::size_t(std::vsnprintf(nullptr, 0, form, arguments)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, form, again);
  va_end(again);
  va_end(arguments);
  return text;
}

void say(const std::string& line) { std::fprintf(stderr, "chord-standin: %s\n", line.c_str()); }

void report(const std::string& kind, const std::string& place, const std::string& message) {
  Reports& all = reports();
  const std::lock_guard lock(all.mutex);
  if (all.of_kind.empty()) std::atexit(say_how_often);
  ++all.of_kind[kind];
  if (++all.of_place[kind + " " + place] == 1) say(kind + " " + message);
}

unsigned long reports_of(const char* kind) {
  Reports& all = reports();
  const std::lock_guard lock(all.mutex);
  unsigned long count = 0;
  for (const auto& [name, times] : all.of_kind)
    if (!kind || name == kind) count += times;
  return count;
}

}  // namespace chord::standin

extern "C" __attribute__((visibility("default"))) unsigned long chord_standin_reports(const char* kind) {
  return chord::standin::reports_of(kind);
}
