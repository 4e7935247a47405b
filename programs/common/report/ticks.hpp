// Round numbers to label an axis with.
#pragma once

#include <vector>

namespace program {

/// About `count` multiples of 1, 2 or 5 times a power of ten.
std::vector<double> linear_ticks(double low, double high, int count);

/// Powers of ten, or, if these would be too few, numbers between them. 0 < low < high.
std::vector<double> logarithmic_ticks(double low, double high);

}  // namespace program
