#include "data/listops_expression.hpp"

#include <algorithm>
#include <vector>

#include "data/listops.hpp"

namespace chord {
namespace {

constexpr int deepest = 10;
constexpr std::uint32_t fewest_arguments = 2, most_arguments = 10;
constexpr std::int64_t longest = 2000, shortest = 500;  // both excluded
constexpr double operation_share = 0.25;

enum Operator { min, max, median, sum_modulo };  // in the order of their tokens

int apply(int operation, std::vector<int> arguments) {
  std::sort(arguments.begin(), arguments.end());
  const std::size_t count = arguments.size(), half = count / 2;
  switch (operation) {
    case min: return arguments.front();
    case max: return arguments.back();
    case median: return count % 2 == 1 ? arguments[half] : (arguments[half - 1] + arguments[half]) / 2;
    default: {
      int sum = 0;
      for (const int each : arguments) sum += each;
      return sum % 10;
    }
  }
}

/// One expression as it is drawn, part by part; too long a one is given up.
class Drawing {
 public:
  explicit Drawing(Draws& draws) : draws_(draws) {}

  int draw(int depth) {
    const bool operation = depth < deepest && draws_.uniform() < operation_share;
    if (operation && symbols_ < longest) return draw_operation(depth);
    ++symbols_;
    const int digit = int(draws_.integer(10));
    text_ += char('0' + digit);
    return digit;
  }

  std::int64_t symbols() const { return symbols_; }
  std::string&& text() { return std::move(text_); }

 private:
  int draw_operation(int depth) {
    const std::uint32_t count = fewest_arguments + draws_.integer(most_arguments - fewest_arguments + 1);
    const int operation = int(draws_.integer(listops::operators));
    symbols_ += 2;
    // A pair of parentheses for each argument and the end, all of which open here.
    for (std::uint32_t i = 0; i <= count; ++i) text_ += "( ";
    text_ += listops::symbols[listops::first_operator + operation];
    std::vector<int> arguments;
    for (std::uint32_t i = 0; i < count; ++i) {
      text_ += ' ';
      arguments.push_back(draw(depth + 1));
      text_ += " )";
    }
    text_ += " ] )";
    return apply(operation, std::move(arguments));
  }

  Draws& draws_;
  std::string text_;
  std::int64_t symbols_ = 0;
};

}  // namespace

ListOpsExpression draw_listops(Draws& draws) {
  while (true) {
    Drawing drawing(draws);
    const int value = drawing.draw(1);
    if (drawing.symbols() > shortest && drawing.symbols() < longest) return {drawing.text(), value};
  }
}

}  // namespace chord
