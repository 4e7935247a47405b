#include "data/encoder.hpp"

#include "common/error.hpp"
#include "data/tasks.hpp"
#include "io/excerpt.hpp"
#include "io/json.hpp"

namespace chord {

std::unique_ptr<const Encoder> make_encoder(const std::string& task, const std::string& encoding, std::int64_t length) {
  const Task& found = task_of(task);
  if (!found.encoder) fail(Status::unsupported, "the task ", task, " is generated: it has no raw inputs");
  return found.encoder(encoding, length);
}

void expect_no_encoding(const std::string& encoding) {
  if (encoding.empty()) return;
  const Json json = parse_json(encoding, "encoding", 2);
  const auto* const members = json.as<Json::Object>();
  if (!members || !members->empty())
    fail(Status::invalid_argument, "encoding is ", excerpt(encoding), "; the task has none, so expected {}");
}

std::int64_t only_length(std::int64_t wanted, std::int64_t own) {
  if (wanted != 0 && wanted != own)
    fail(Status::invalid_argument, "length is ", wanted, "; the sequences of this task have ", own,
         " positions, so expected that, or 0");
  return own;
}

}  // namespace chord
