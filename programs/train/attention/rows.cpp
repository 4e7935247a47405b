#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/text.hpp"

namespace train {
namespace {

/// The pixels around one, and itself.
std::vector<int64_t> neighbourhood(int64_t centre, int64_t side) {
  std::vector<int64_t> pixels;
  const int64_t y = centre / side, x = centre % side;
  for (int64_t i = std::max<int64_t>(y - 1, 0); i <= std::min(y + 1, side - 1); ++i)
    for (int64_t j = std::max<int64_t>(x - 1, 0); j <= std::min(x + 1, side - 1); ++j) pixels.push_back(i * side + j);
  return pixels;
}

bool overlap(int64_t one, int64_t other, int64_t side) {
  return std::abs(one / side - other / side) <= 2 && std::abs(one % side - other % side) <= 2;
}

std::string place(int64_t pixel, int64_t side) {
  return "row " + std::to_string(pixel / side + 1) + ", column " + std::to_string(pixel % side + 1);
}

/// The end points of a path are discs, the brightest spots. Single pixels can be brighter where dashes cross, so whole
/// neighbourhoods are compared.
RowChoice end_points(const Sequence& sequence, const std::vector<std::string>& symbols) {
  const int64_t side = picture_side(sequence.length);
  std::vector<double> brightness(sequence.tokens.size());
  for (std::size_t i = 0; i < brightness.size(); ++i)
    for (const int64_t pixel : neighbourhood(int64_t(i), side))
      brightness[i] += grey_level(sequence.tokens[std::size_t(pixel)], symbols);
  const int64_t first = std::max_element(brightness.begin(), brightness.end()) - brightness.begin();
  for (std::size_t i = 0; i < brightness.size(); ++i)
    if (overlap(int64_t(i), first, side)) brightness[i] = -1;
  const int64_t second = std::max_element(brightness.begin(), brightness.end()) - brightness.begin();
  RowChoice choice{neighbourhood(first, side), "the sum of the rows of the 3 × 3 pixels around the two end points, " +
                                                   place(first, side) + " and " + place(second, side)};
  const auto more = neighbourhood(second, side);
  choice.rows.insert(choice.rows.end(), more.begin(), more.end());
  return choice;
}

/// Pixels that stand for all parts of a picture.
RowChoice grid(const Sequence& sequence) {
  constexpr int64_t points = 4;
  const int64_t side = picture_side(sequence.length);
  RowChoice choice{{}, "the sum of the rows of 4 × 4 pixels spread evenly over the picture"};
  for (int64_t i = 0; i < points; ++i)
    for (int64_t j = 0; j < points; ++j)
      choice.rows.push_back((2 * i + 1) * side / (2 * points) * side + (2 * j + 1) * side / (2 * points));
  return choice;
}

RowChoice marked(const Sequence& sequence) {
  constexpr int32_t x = 4;  // and y behind it, in temporal order
  RowChoice choice;
  for (int64_t i = 0; i < sequence.length; ++i)
    if (sequence.features > 0 ? sequence.reals[std::size_t(i * sequence.features + 1)] > 0.5
                              : sequence.tokens[std::size_t(i)] >= x)
      choice.rows.push_back(i);
  choice.meaning = "the rows of the marked positions, " + program::join(choice.rows, " and ");
  return choice;
}

}  // namespace

double grey_level(int32_t token, const std::vector<std::string>& symbols) {
  return std::size_t(token) < symbols.size() ? std::strtod(symbols[std::size_t(token)].c_str(), nullptr) : token;
}

int64_t picture_side(int64_t pixels) {
  const auto side = int64_t(std::lround(std::sqrt(double(pixels))));
  return side * side == pixels ? side : 0;
}

RowChoice rows_of(const std::string& task, const Sequence& sequence, const std::vector<std::string>& symbols) {
  RowChoice choice;
  const bool picture = picture_side(sequence.length) > 0;
  if (task == "pathfinder" && picture) choice = end_points(sequence, symbols);
  if (task == "image" && picture) choice = grid(sequence);
  if (task == "adding" || task == "order") choice = marked(sequence);
  if (choice.rows.empty()) return {{0}, "the row of position 0, the token from which the answer is made"};
  return choice;
}

}  // namespace train
