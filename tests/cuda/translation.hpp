// PTX made runnable: translated to C and compiled by translator/compile_ptx.py, once; the result is kept in a folder.
#pragma once

#include <stdexcept>
#include <string>

#include "translator/ptx_module.h"

namespace chord::standin {

struct NotTranslated : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Stays loaded until the process ends.
const PtxModule& translated(const std::string& ptx);

}  // namespace chord::standin
