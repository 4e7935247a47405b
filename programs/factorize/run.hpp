// One input, from the file to the result.
#pragma once

#include <chord/chord.hpp>
#include <optional>
#include <string>

#include "fitter.hpp"
#include "options.hpp"
#include "result.hpp"
#include "view.hpp"

namespace factorize {

struct Outcome {
  Result result;
  std::optional<View> view;  ///< for the report, where one was asked for
  std::string not_saved;     ///< why the result could not be written; empty if it was
};

/// `output`: empty, or where the factors are kept. Says on standard error what it does.
Outcome run(chord::Context& context, const Fitter& fitter, const Options& options, const Job& job,
            const std::string& output);

}  // namespace factorize
