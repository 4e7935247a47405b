#include "record.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "../config.hpp"
#include "../folder.hpp"
#include "common/csv.hpp"
#include "common/files.hpp"

namespace train {
namespace {

Json settings_of_run(const std::string& path) {
  const Json config = read_config(path);
  Json settings{{"task", config.value("task", "")}};
  for (const char* section : {"model", "training"}) settings.update(config.value(section, Json::object()));
  return settings;
}

std::vector<LogColumn> log_of(const std::string& path) {
  std::vector<LogColumn> log;
  if (!std::filesystem::exists(path)) return log;
  const auto records = program::parse_csv(program::read_file(path), path);
  if (records.empty()) return log;
  for (const std::string& name : records[0].fields) log.push_back({name, {}});
  for (std::size_t i = 1; i < records.size(); ++i) {
    const auto& fields = records[i].fields;
    if (fields.size() != log.size())
      throw std::runtime_error(path + ":" + std::to_string(records[i].line) + ": has " + std::to_string(fields.size()) +
                               " values; expected " + std::to_string(log.size()));
    for (std::size_t k = 0; k < fields.size(); ++k)
      log[k].values.push_back(fields[k].empty() ? NAN : std::strtod(fields[k].c_str(), nullptr));
  }
  return log;
}

Json result_of(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  const Json result = program::parse_json(program::read_file(path));
  if (!result.is_object()) throw std::runtime_error(path + ": is no JSON object");
  return result;
}

}  // namespace

const LogColumn* RunRecord::column(const std::string& wanted) const {
  for (const LogColumn& each : log)
    if (each.name == wanted) return &each;
  return nullptr;
}

RunRecord read_record(const std::string& path) {
  const Folder folder(path);
  if (!std::filesystem::exists(folder.config())) throw std::runtime_error(path + ": holds no run (no config.json)");
  return {path, settings_of_run(folder.config()), log_of(folder.log()), result_of(folder.result())};
}

}  // namespace train
