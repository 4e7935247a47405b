// A ListOps expression, each operator indented by its depth, its tokens on the colour of what the row has for them.
#include <algorithm>

#include "common/report/heat.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"
#include "views.hpp"

namespace train {

using namespace program;

std::string tree_view(const Sight& sight, bool whole) {
  constexpr int64_t begin = 1, room = 140;  // behind the token that the answer is made from
  const std::vector<double> row = sight.sum();
  const int64_t end = whole ? sight.used : std::min(sight.used, begin + room);
  const Heat heat(std::vector<double>(row.begin() + begin, row.begin() + std::max(end, begin + 1)));
  std::string html;
  int64_t depth = 0;
  for (int64_t i = begin; i < end; ++i) {
    const std::string symbol = sight.symbol(i);
    const std::string token = Heat::coloured(heat.level(row[std::size_t(i)]), escaped(symbol)) + " ";
    if (symbol.size() > 1 && symbol[0] == '[') {
      html += "<div>" + token;
      ++depth;
    } else if (symbol == "]" && depth > 0) {
      html += token + "</div>";
      --depth;
    } else {
      html += token;
    }
  }
  if (end < sight.used) html += "… <small>" + counted(sight.used - end, "more token") + "</small>";
  for (; depth > 0; --depth) html += "</div>";
  return heat.legend() + "<div class=\"heat tree\">" + html + "</div>\n";
}

}  // namespace train
