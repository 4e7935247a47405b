// Expressions at random, and their values.
#pragma once

#include <string>

#include "common/draws.hpp"

namespace chord {

struct ListOpsExpression {
  std::string text;  ///< with parentheses: ( ( ( [MIN 4 ) 7 ) ] )
  int value;
};

/// An expression of more than 500 and fewer than 2000 symbols, parentheses not counted: operations of 2 to 10
/// arguments, of which a quarter are operations again, down to depth 10.
ListOpsExpression draw_listops(Draws& draws);

}  // namespace chord
