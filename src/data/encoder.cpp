#include "data/encoder.hpp"

#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "data/tasks.hpp"

namespace chord {

std::unique_ptr<const Encoder> make_encoder(const std::string& task, const std::string& encoding, std::int64_t length) {
  for (const Task& each : tasks()) {
    if (task != each.name) continue;
    if (each.encoder) return each.encoder(encoding, length);
    fail(Status::unsupported, "the task ", task, " is generated: it has no raw inputs");
  }
  fail(Status::invalid_argument, "task is '", task, "'; expected one of: ", task_names());
}

void expect_no_encoding(const std::string& encoding) {
  if (encoding.empty()) return;
  const auto json = nlohmann::json::parse(encoding, nullptr, false);
  if (!json.is_object() || !json.empty())
    fail(Status::invalid_argument, "encoding is '", encoding, "'; the task has none, so expected {}");
}

std::int64_t only_length(std::int64_t wanted, std::int64_t own) {
  if (wanted != 0 && wanted != own)
    fail(Status::invalid_argument, "length is ", wanted, "; the sequences of this task have ", own,
         " positions, so expected that, or 0");
  return own;
}

}  // namespace chord
