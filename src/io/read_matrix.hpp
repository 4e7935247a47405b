// A matrix from a file of any format that is known, told by its content.
#pragma once

#include <string>

#include "matrix/matrix.hpp"

namespace chord {

/// Errors begin with the path.
Matrix read_matrix(const std::string& path);

/// The same from a file's content.
Matrix parse_matrix(std::string content);

}  // namespace chord
