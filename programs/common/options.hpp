// Options that take a value of some domain: any other is refused with the option's name and what was expected.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "domain.hpp"

namespace program {

/// Throws Misuse unless the text is in the domain.
Json parsed(const std::string& option, const Domain& domain, const std::string& text);

template <class Value>
Value& value_of(Value& target) {
  return target;
}
template <class Value>
Value& value_of(std::optional<Value>& target) {
  return target.emplace();
}

/// The target is a number, or an optional one.
template <class Value>
CLI::Option* add_option(CLI::App& app, const std::string& name, Value& target, const Domain& domain,
                        const std::string& help) {
  return app.add_option_function<std::string>(
      name, [name, domain, &target](const std::string& text) { parsed(name, domain, text).get_to(value_of(target)); },
      help);
}

/// Throws Misuse for what CLI11 would take for something else: "--seconds=" without a value, for which it
/// takes the next word, and "--json=x", which it refuses without a name.
void expect_clear(const CLI::App& app, int argc, char** argv);

/// A line for each option that was given and does not exist; empty if there are none.
std::string unknown_options(const CLI::App& app);

}  // namespace program
