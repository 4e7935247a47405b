#include "config.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/files.hpp"
#include "common/nearest.hpp"
#include "settings.hpp"
#include "tasks.hpp"

namespace train {
namespace {

class ConfigReader {
 public:
  explicit ConfigReader(const std::string& path) : path_(path) {}

  Json read() const {
    const std::string text = program::read_file(path_);
    const Json config = program::parse_json(text);
    if (config.is_discarded()) fail("", program::why_discarded(text));
    if (!config.is_object()) fail("", "is no JSON object; expected the keys task, model and training");
    for (const auto& [name, value] : config.items()) {
      if (name == "task")
        check_task(value);
      else if (name == "model")
        check_section(name, value, model_keys());
      else if (name == "training")
        check_section(name, value, training_settings());
      else
        fail(name, unknown(name, {"task", "model", "training"}));
    }
    return config;
  }

 private:
  void check_task(const Json& value) const {
    if (!value.is_string()) fail("task", "is " + value.dump() + "; expected the name of a task");
    try {
      find_task(value);
    } catch (const std::invalid_argument& problem) {
      fail("task", problem.what());
    }
  }

  template <class Keys>
  void check_section(const std::string& section, const Json& value, const Keys& keys) const {
    if (!value.is_object()) fail(section, "is " + value.dump() + "; expected an object");
    for (const auto& [name, setting] : value.items()) {
      const auto key = std::find_if(keys.begin(), keys.end(), [&n = name](const Key& each) { return n == each.name; });
      if (key == keys.end()) fail(section + "." + name, unknown(name, names_of(keys)));
      try {
        key->domain.check(setting);
      } catch (const std::invalid_argument& problem) {
        fail(section + "." + name, problem.what());
      }
    }
  }

  template <class Keys>
  static std::vector<std::string> names_of(const Keys& keys) {
    std::vector<std::string> names;
    for (const Key& key : keys) names.push_back(key.name);
    return names;
  }

  static std::string unknown(const std::string& name, const std::vector<std::string>& known) {
    return "is unknown" + program::did_you_mean(name, known);
  }

  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw std::runtime_error(path_ + ": " + key + (key.empty() ? "" : " ") + what);
  }

  std::string path_;
};

}  // namespace

Json read_config(const std::string& path) { return ConfigReader(path).read(); }

Json layered(const std::vector<Json>& layers) {
  Json result = Json::object();
  for (const Json& layer : layers) result.merge_patch(layer);
  return result;
}

}  // namespace train
