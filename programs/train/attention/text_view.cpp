// A review whose letters stand on the colour of what the row has for them.
#include <algorithm>
#include <cmath>
#include <map>

#include "common/report/heat.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"
#include "views.hpp"

namespace train {
namespace {

using namespace program;

struct Range {
  int64_t first, end;
};

/// The part of so many positions on which most weight lies.
Range heaviest(const std::vector<double>& row, int64_t used, int64_t room) {
  constexpr int64_t begin = 1;  // behind the token that the answer is made from
  if (used - begin <= room) return {begin, used};
  double weight = 0;
  for (int64_t i = begin; i < begin + room; ++i) weight += std::abs(row[std::size_t(i)]);
  double most = weight;
  int64_t best = begin;
  for (int64_t first = begin + 1; first + room <= used; ++first) {
    weight += std::abs(row[std::size_t(first + room - 1)]) - std::abs(row[std::size_t(first - 1)]);
    if (weight > most) {
      most = weight;
      best = first;
    }
  }
  return {best, best + room};
}

std::string coloured_text(const Sight& sight, const std::vector<double>& row, const Heat& heat, const Range& range) {
  std::string html, run;
  int level = 0;
  for (int64_t i = range.first; i < range.end; ++i) {
    const int next = heat.level(row[std::size_t(i)]);
    if (next != level) {
      html += Heat::coloured(level, escaped(run));
      run.clear();
    }
    level = next;
    run += sight.symbol(i);
  }
  html += Heat::coloured(level, escaped(run));
  return (range.first > 1 ? "… " : "") + html + (range.end < sight.used ? " …" : "");
}

struct Word {
  std::string text;
  double sum = 0;
};

/// By the sum of their letters, wherever they stand.
std::vector<Word> heaviest_words(const Sight& sight, const std::vector<double>& row, std::size_t most) {
  std::map<std::string, double> sums;
  Word word;
  for (int64_t i = 1; i <= sight.used; ++i) {
    const std::string letter = i < sight.used ? sight.symbol(i) : " ";
    if (letter.size() == 1 && std::isalpha(static_cast<unsigned char>(letter[0]))) {
      word.text += char(std::tolower(letter[0]));
      word.sum += row[std::size_t(i)];
    } else {
      if (word.text.size() > 1) sums[word.text] += word.sum;
      word = {};
    }
  }
  std::vector<Word> words;
  for (const auto& [text, sum] : sums) words.push_back({text, sum});
  std::stable_sort(words.begin(), words.end(),
                   [](const Word& a, const Word& b) { return std::abs(a.sum) > std::abs(b.sum); });
  words.resize(std::min(words.size(), most));
  return words;
}

std::string words_line(const Sight& sight, const std::vector<double>& row) {
  const std::vector<Word> words = heaviest_words(sight, row, 12);
  std::vector<double> sums;
  for (const Word& each : words) sums.push_back(each.sum);
  if (words.empty()) return "";
  const Heat heat(sums);
  std::string html;
  for (const Word& each : words)
    html += "<li>" + Heat::coloured(heat.level(each.sum), escaped(each.text)) + " <small>" + mathematical(each.sum, 2) +
            "</small></li>";
  return "<h2>Words with most weight</h2>\n<ul class=\"words heat\">" + html +
         "</ul>\n<p class=\"soft\">The sum of their letters' values, wherever they stand.</p>\n";
}

/// What part of the row's magnitude lies behind the text.
double padding_share(const Sight& sight, const std::vector<double>& row) {
  double text = 0, padding = 0;
  for (std::size_t i = 0; i < row.size(); ++i) (int64_t(i) < sight.used ? text : padding) += std::abs(row[i]);
  return text + padding > 0 ? padding / (text + padding) : 0;
}

}  // namespace

std::string text_view(const Sight& sight, bool whole) {
  constexpr int64_t room = 420;
  const std::vector<double> row = sight.sum();
  const Range range = heaviest(row, sight.used, whole ? sight.sequence.length : room);
  const Heat heat(std::vector<double>(row.begin() + range.first, row.begin() + std::max(range.end, range.first + 1)));
  std::string html = heat.legend() + "<p class=\"heat text\">" + coloured_text(sight, row, heat, range) + "</p>\n";
  if (!whole) return html;
  html += "<p class=\"soft\">" + counted(sight.used - 1, "character");
  if (sight.used < sight.sequence.length)
    html += ", then padding to " + std::to_string(sight.sequence.length) + " positions, on which " +
            mathematical(100 * padding_share(sight, row), 3) + "&nbsp;% of the row's magnitude lie";
  return html + ".</p>\n" + words_line(sight, row);
}

}  // namespace train
