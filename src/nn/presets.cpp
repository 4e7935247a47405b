#include "nn/presets.hpp"

#include <map>

#include "common/error.hpp"
#include "io/excerpt.hpp"
#include "nn/description.hpp"

namespace chord {
namespace {

struct Preset {
  const char *name, *keys;
};

// In alphabetical order.
constexpr Preset presets[] = {
    {"adding", R"({"input": "reals", "features": 2, "length": 128, "width": 32, "hidden_f": 32, "hidden_g": 32,
                   "channels": 8, "residual": true, "classes": 1, "loss": "mse"})"},
    {"image", R"({"input": "tokens", "vocabulary": 256, "length": 1024, "width": 16, "factors": 10, "hidden_f": 16,
                  "hidden_g": 16, "channels": 16, "positions": true, "dropout_values": 0.2, "dropout_output": 0.8,
                  "head_hidden": 16, "classes": 10})"},
    {"listops", R"({"input": "tokens", "vocabulary": 17, "length": 2000, "width": 512, "factors": 11, "hidden_f": 128,
                    "hidden_g": 128, "channels": 128, "positions": true, "padding": 15, "pooling": "cls",
                    "classes": 10})"},
    {"order", R"({"input": "tokens", "vocabulary": 6, "length": 128, "width": 32, "hidden_f": 32, "hidden_g": 32,
                  "channels": 8, "residual": true, "positions": true, "classes": 4})"},
    {"pathfinder", R"({"input": "tokens", "vocabulary": 225, "length": 1024, "width": 32, "factors": 11,
                       "hidden_f": 128, "hidden_g": 128, "channels": 32, "positions": true, "classes": 2})"},
    {"text", R"({"input": "tokens", "vocabulary": 97, "length": 4097, "width": 32, "factors": 12, "hidden_f": 128,
                 "hidden_g": 128, "channels": 32, "residual": true, "dropout_input": 0.4, "padding": 95,
                 "pooling": "cls", "classes": 2, "embedding": "uniform"})"},
};

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Preset& preset : presets) all.emplace_back(preset.name);
    return all;
  }();
  return names;
}

const char* preset_keys(const std::string& name) {
  for (const Preset& preset : presets)
    if (name == preset.name) return preset.keys;
  fail(Status::invalid_argument, "there is no preset ", excerpt(name), "; there are ", listed(preset_names()));
}

const std::string& preset_json(const std::string& name) {
  static const std::map<std::string, std::string> whole = [] {
    std::map<std::string, std::string> all;
    for (const Preset& preset : presets) all[preset.name] = ModelDescription::parse(preset.keys).to_json();
    return all;
  }();
  preset_keys(name);
  return whole.at(name);
}

}  // namespace chord
