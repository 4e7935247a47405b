// JSON that others wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace program {

using Json = nlohmann::ordered_json;

/// What a text holds; discarded if it is no JSON, or nested deeper than anything of ours: what is done with it
/// recurses.
Json parse_json(const std::string& text);

/// Why such a text was discarded, for people.
std::string why_discarded(const std::string& text);

}  // namespace program
