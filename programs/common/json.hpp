// JSON that others wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace program {

using Json = nlohmann::ordered_json;

/// What a text holds; discarded if it is no JSON, or nested deeper than anything of ours: what is done with it
/// recurses.
Json parse_json(const std::string& text);

/// Why a text is refused, for people.
inline const char* const no_json = "is not JSON (or nested more than 32 deep)";

}  // namespace program
