// Values of a model's description as the library writes it: all keys, no spaces.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace parallel {

class ModelText {
 public:
  explicit ModelText(std::string json) : json_(std::move(json)) {}
  const std::string& json() const { return json_; }

  /// As it stands there: a number, or a text with its quotes.
  std::string value(const std::string& key) const { return json_.substr(begin(key), end(key) - begin(key)); }
  std::int64_t number(const std::string& key) const { return std::stoll(value(key)); }
  double real(const std::string& key) const { return std::stod(value(key)); }
  bool has(const std::string& key, const std::string& text) const { return value(key) == text; }

  ModelText with(const std::string& key, std::int64_t number) const {
    std::string changed = json_;
    return ModelText(changed.replace(begin(key), end(key) - begin(key), std::to_string(number)));
  }

 private:
  std::size_t begin(const std::string& key) const {
    const std::string name = "\"" + key + "\":";
    const std::size_t place = json_.find(name);
    if (place == std::string::npos) throw std::logic_error("a model's description has no " + key);
    return place + name.size();
  }
  std::size_t end(const std::string& key) const { return json_.find_first_of(",}", begin(key)); }

  std::string json_;
};

}  // namespace parallel
