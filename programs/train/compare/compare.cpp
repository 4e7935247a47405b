#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "../progress.hpp"
#include "../report/settings.hpp"
#include "common/files.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "page.hpp"

namespace train {
namespace {

using namespace program;

const char* const nothing = "–";

/// The folders' own names where they differ, else the whole paths.
void shorten_names(std::vector<RunRecord>& runs) {
  std::set<std::string> names;
  std::vector<std::string> own;
  for (const RunRecord& each : runs) {
    const std::filesystem::path path = std::filesystem::path(each.name + "/").parent_path();
    own.push_back(path.has_filename() ? path.filename().string() : each.name);
    names.insert(own.back());
  }
  if (names.size() < runs.size()) return;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].name = own[i];
}

/// The names of all settings that are not the same in all runs.
std::vector<std::string> differing(const std::vector<RunRecord>& runs) {
  std::vector<std::string> names;
  for (const RunRecord& run : runs)
    for (const auto& [name, value] : run.settings.items())
      if (std::find(names.begin(), names.end(), name) == names.end() &&
          std::any_of(runs.begin(), runs.end(),
                      [&n = name, &v = value](const RunRecord& other) { return other.settings.value(n, Json()) != v; }))
        names.push_back(name);
  return names;
}

template <class Cell>
void add_row(Table& table, const std::vector<RunRecord>& runs, const std::string& title, Cell cell) {
  std::vector<std::string> row = {title};
  for (const RunRecord& each : runs) row.push_back(cell(each));
  if (std::any_of(row.begin() + 1, row.end(), [](const std::string& text) { return text != nothing; }))
    table.rows.push_back(std::move(row));
}

Table titled(const std::vector<RunRecord>& runs, const char* title) {
  Table table{{title}, {}};
  for (const RunRecord& each : runs) table.titles.push_back(each.name);
  return table;
}

Table settings_table(const std::vector<RunRecord>& runs) {
  Table table = titled(runs, "setting");
  for (const std::string& name : differing(runs))
    add_row(table, runs, name, [&](const RunRecord& run) { return shown(run.settings.value(name, Json())); });
  return table;
}

/// A number of result.json.
std::string result_text(const RunRecord& run, const char* name, bool accuracy) {
  if (!run.result.is_object() || !run.result.contains(name) || !run.result[name].is_number()) return nothing;
  return accuracy ? percent(run.result[name]) : number(run.result[name]);
}

std::string best_of(const RunRecord& run, const char* name) {
  const LogColumn* column = run.column(name);
  if (!column || column->values.empty()) return nothing;
  return percent(*std::max_element(column->values.begin(), column->values.end()));
}

Table results_table(const std::vector<RunRecord>& runs) {
  Table table = titled(runs, "result");
  const auto add = [&](const char* title, auto cell) { add_row(table, runs, title, cell); };
  add("test accuracy", [](const RunRecord& run) { return result_text(run, "test_accuracy", true); });
  add("test accuracy, epoch selected by it",
      [](const RunRecord& run) { return best_of(run, "selecting_test_accuracy"); });
  add("test loss", [](const RunRecord& run) { return result_text(run, "test_loss", false); });
  add("published accuracy", [](const RunRecord& run) { return result_text(run, "published_accuracy", true); });
  add("best validation accuracy", [](const RunRecord& run) { return best_of(run, "validation_accuracy"); });
  add("best epoch", [](const RunRecord& run) { return result_text(run, "best_epoch", false); });
  add("best step", [](const RunRecord& run) { return result_text(run, "best_step", false); });
  add("done", [](const RunRecord& run) {
    const auto done = run.log.empty() || run.numbers().empty() ? 0 : int64_t(run.numbers().back());
    return counted(done, run.unit().c_str()) + (run.result.is_null() ? ", not finished" : "");
  });
  add("parameters", [](const RunRecord& run) {
    return run.result.contains("parameters") ? run.result["parameters"].dump() : nothing;
  });
  add("seconds per epoch", [](const RunRecord& run) { return result_text(run, "seconds_per_epoch", false); });
  return table;
}

Json to_json(const std::vector<RunRecord>& runs, const std::vector<std::string>& names, const std::string& page) {
  Json list = Json::array();
  for (const RunRecord& run : runs) {
    Json settings = Json::object(), log = Json::object();
    for (const std::string& name : names) settings[name] = run.settings.value(name, Json());
    for (const LogColumn& each : run.log) log[each.name] = each.values;
    list.push_back({{"run", run.name}, {"settings", settings}, {"result", run.result}, {"log", log}});
  }
  return {{"runs", list}, {"page", page}};
}

}  // namespace

int compare_runs(const CompareOptions& options, const std::string& command_line) {
  expect_writable(options.output);
  std::vector<RunRecord> runs;
  for (const std::string& folder : options.runs) runs.push_back(read_record(folder));
  for (const RunRecord& each : runs)
    if (each.unit() != runs[0].unit())
      throw std::runtime_error(each.name + ": counts " + each.unit() + "s, " + runs[0].name + " " + runs[0].unit() +
                               "s; their curves cannot be compared");
  shorten_names(runs);
  const Table results = results_table(runs), settings = settings_table(runs);
  chord::write_file(options.output, compare_page(runs, results, settings, command_line));
  if (options.json) {
    std::printf("%s\n", to_json(runs, differing(runs), options.output).dump().c_str());
    return 0;
  }
  std::printf("%s\n", to_text(results).c_str());
  if (!settings.rows.empty()) std::printf("%s\n", to_text(settings).c_str());
  std::printf("page: %s\n", options.output.c_str());
  return 0;
}

}  // namespace train
