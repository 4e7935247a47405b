#include "keys.hpp"

#include <algorithm>
#include <chord/chord.hpp>

namespace train {
namespace {

using namespace program;

Domain domain_of(const chord_model_key_info& key) {
  if (*key.choices) return one_of(Json::parse(key.choices));
  switch (key.kind) {
    case CHORD_KEY_INTEGER: return integers_between(key.lowest, key.highest);
    case CHORD_KEY_REAL: return reals_below(key.lowest, key.highest);
    default: return booleans();
  }
}

const char* placeholder_of(const Domain& domain) {
  switch (domain.kind) {
    case Domain::Kind::integer: return "K";
    case Domain::Kind::real: return "X";
    default: return "NAME";
  }
}

Key key_of(const chord_model_key_info& info) {
  const Domain domain = domain_of(info);
  std::string help = info.description;
  if (*info.choices) help += " (" + domain.expected + ")";
  return {info.name, placeholder_of(domain), help, domain};
}

}  // namespace

std::string Key::option() const {
  std::string option = "--" + name;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

const std::vector<Key>& model_keys() {
  static const std::vector<Key> keys = [] {
    std::vector<Key> all;
    for (const chord_model_key_info& each : chord::model_keys()) all.push_back(key_of(each));
    return all;
  }();
  return keys;
}

}  // namespace train
