#include "data/pathfinder_encoding.hpp"

#include <algorithm>
#include <functional>

#include "common/error.hpp"
#include "data/grey_picture.hpp"
#include "data/pathfinder.hpp"
#include "io/excerpt.hpp"
#include "io/json.hpp"

namespace chord {
namespace {

bool are_levels(const std::vector<int>& values) {
  const bool increase = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  return !values.empty() && increase && values.front() >= 0 && values.back() <= 255;
}

/// −1 for what is none.
int level_of(const Json& json) {
  const auto* const number = json.as<std::int64_t>();
  return number && *number >= 0 && *number <= 255 ? int(*number) : -1;
}

std::vector<std::string> names_of(const std::vector<int>& levels) {
  std::vector<std::string> names;
  for (const int level : levels) names.push_back(std::to_string(level));
  return names;
}

class PathfinderEncoder : public Encoder {
 public:
  explicit PathfinderEncoder(const std::vector<int>& levels)
      : Encoder(picture_pixels, names_of(levels)), table_(grey_tokens(levels)) {}

  std::int64_t encode(std::string_view raw, std::int32_t* tokens) const override {
    const GreyPicture picture = parse_grey_picture(raw);
    for (std::size_t i = 0; i < picture.size(); ++i) {
      tokens[i] = table_[picture[i]];
      if (tokens[i] < 0)
        fail(Status::invalid_file, "pixel ", i, " has grey level ", int(picture[i]),
             ", which does not occur in the data the model was trained on");
    }
    return length();
  }

 private:
  TokenTable table_;
};

}  // namespace

std::string grey_encoding(const std::vector<int>& levels) { return json_object({{"grey", json_integers(levels)}}); }

std::vector<int> grey_levels(const std::string& encoding) {
  const Json json = parse_json(encoding, "encoding", 2);
  const Json* const grey = json.find("grey");
  const auto* const given = grey ? grey->as<Json::Array>() : nullptr;
  std::vector<int> levels;
  if (given && json.as<Json::Object>()->size() == 1)
    for (const Json& each : *given) levels.push_back(level_of(each));
  if (!are_levels(levels))
    fail(Status::invalid_argument, "encoding is ", excerpt(encoding),
         "; expected {\"grey\": […]} with the increasing grey levels of the data the model was trained on");
  return levels;
}

TokenTable grey_tokens(const std::vector<int>& levels) {
  TokenTable table;
  table.fill(-1);
  for (std::size_t token = 0; token < levels.size(); ++token) table[std::size_t(levels[token])] = std::int32_t(token);
  return table;
}

std::unique_ptr<const Encoder> pathfinder_encoder(const std::string& encoding, std::int64_t length) {
  only_length(length, picture_pixels);
  return std::make_unique<const PathfinderEncoder>(grey_levels(encoding));
}

}  // namespace chord
