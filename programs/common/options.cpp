#include "options.hpp"

#include <stdexcept>
#include <vector>

#include "misuse.hpp"
#include "nearest.hpp"

namespace program {
namespace {

/// "--length=5" without its value.
std::string name_of(const std::string& argument) { return argument.substr(0, argument.find('=')); }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// In the program or any of its commands.
const CLI::Option* find_option(const CLI::App& app, const std::string& name) {
  if (const CLI::Option* option = app.get_option_no_throw(name)) return option;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  return nullptr;
}

bool is_flag(const CLI::Option* option) { return option && option->get_items_expected_max() == 0; }

bool is_flag_value(const std::string& text) {
  try {
    CLI::detail::to_flag_value(text);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

Json parsed(const std::string& option, const Domain& domain, const std::string& text) {
  try {
    return domain.parse(text);
  } catch (const std::invalid_argument& problem) {
    throw Misuse(option, problem.what());
  }
}

void expect_clear(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i], name = name_of(argument);
    if (argument == "--") return;
    if (argument.rfind("--", 0) != 0 || name == argument) continue;
    const std::string value = argument.substr(name.size() + 1);
    const CLI::Option* const option = find_option(app, name);
    if (option && value.empty()) throw Misuse(name, "there is no value behind the =");
    if (is_flag(option) && !is_flag_value(value)) throw Misuse(name, "is '" + value + "'; expected true or false");
  }
}

std::string unknown_options(const CLI::App& app) {
  std::string lines;
  for (const std::string& argument : app.remaining()) {
    if (argument.size() < 2 || argument[0] != '-') continue;
    lines += "There is no option " + name_of(argument) + did_you_mean(name_of(argument), option_names(app)) + "\n";
  }
  for (const CLI::App* command : app.get_subcommands()) lines += unknown_options(*command);
  return lines;
}

}  // namespace program
