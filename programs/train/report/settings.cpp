#include "settings.hpp"

#include "../result.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"

namespace train {
namespace {

using namespace program;

/// A help text without what it says about the default.
std::string meaning(const std::string& help) { return help.substr(0, help.find(" (default")); }

/// What is set, what the paper has where that is something else and no matter of the machine, and what it means.
template <class Keys>
std::string table_of(const char* title, const Keys& keys, const Json& values, const Json& defaults) {
  std::string rows;
  for (const Key& key : keys) {
    const Json value = values.value(key.name, Json()), usual = defaults.value(key.name, Json());
    if (value.is_null()) continue;
    rows +=
        element("tr",
                element("td", "<code>" + escaped(key.name) + "</code>") + element("td", escaped(shown(value))) +
                    element("td", value == usual || usual.is_null() || usual == "auto" ? "" : escaped(shown(usual))) +
                    "<td class=\"meaning\">" + escaped(meaning(key.help)) + "</td>") +
        "\n";
  }
  return "<div class=\"wide\"><table class=\"settings\"><thead><tr><th scope=\"col\">" + std::string(title) +
         "</th><th scope=\"col\">value</th><th scope=\"col\">the paper’s</th>"
         "<th scope=\"col\"></th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string shown(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? mathematical(value) : value.dump();
}

std::string settings_section(const Setup& setup, const std::optional<Result>& result, const std::string& command_line) {
  const Settings usual = settings_of(Json{{"task", setup.settings.task}});
  Json usual_model = Json::parse(chord::Model::preset(setup.settings.task));
  if (usual_model["length"] != setup.model.length) {
    usual_model.erase("factors");
    usual_model.erase("links");
  }
  return "<h2>Settings</h2>\n<div class=\"charts\">\n" +
         table_of("training", training_settings(), to_json(setup.settings)["training"], to_json(usual)["training"]) +
         table_of("model", model_keys(), setup.settings.model, usual_model) + "</div>\n<h2>Details</h2>\n" +
         details({{"Data", data_text(setup)},
                  {"Memory", bytes(setup.memory.parameter_bytes) + " for parameters, gradients and moments, " +
                                 bytes(setup.memory.activation_bytes) + " for activations (" +
                                 memory_names()[std::size_t(setup.memory.memory)] + ")" +
                                 (result ? "; " + bytes(result->peak_memory_bytes) + " at most in use" : "")},
                  {"Device", escaped(setup.device.selector) + " (" + escaped(setup.device.name) + ")"},
                  {"Command", command(command_line)}});
}

}  // namespace train
