#include "answers.hpp"

#include <algorithm>
#include <cmath>

#include "../class_names.hpp"
#include "../confusion.hpp"
#include "../progress.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"

namespace train {
namespace {

using namespace program;

/// A count on a ground that grows darker with its share of the class.
std::string cell(const Confusion& confusion, int64_t expected, int64_t given) {
  char share[16];
  std::snprintf(share, sizeof share, "%.3f", confusion.share(expected, given));
  return "<td class=\"share" + std::string(expected == given ? " right" : "") + "\" style=\"--s:" + share + "\">" +
         std::to_string(confusion.count(expected, given)) + "</td>";
}

std::string confusion_table(const std::string& task, const Confusion& confusion) {
  std::string head = "<th scope=\"col\">expected ↓ answered →</th>", rows;
  for (int64_t c = 0; c < confusion.classes(); ++c)
    head += "<th scope=\"col\">" + escaped(class_name(task, c)) + "</th>";
  head += "<th scope=\"col\">sequences</th><th scope=\"col\">accuracy</th>";
  for (int64_t expected = 0; expected < confusion.classes(); ++expected) {
    std::string cells = "<th scope=\"row\">" + escaped(class_name(task, expected)) + "</th>";
    for (int64_t given = 0; given < confusion.classes(); ++given) cells += cell(confusion, expected, given);
    const int64_t count = confusion.count(expected);
    rows += element("tr", cells + element("td", std::to_string(count)) +
                              element("td", count > 0 ? percent(confusion.accuracy(expected)) : "–")) +
            "\n";
  }
  return "<div class=\"wide\"><table class=\"confusion\"><thead><tr>" + head + "</tr></thead><tbody>\n" + rows +
         "</tbody></table></div>\n";
}

/// How far values are off: so much at most, for this share of them.
std::string error_sentence(const Setup& setup, const std::vector<Answer>& answers) {
  std::vector<double> errors;
  for (const Answer& each : answers) errors.push_back(std::abs(each.given - each.expected));
  std::sort(errors.begin(), errors.end());
  const auto at_most = [&](double share) {
    return mathematical(errors[std::size_t(share * double(errors.size() - 1))], 3);
  };
  return "<p>Half of the answers are off by at most " + at_most(0.5) + ", 95&nbsp;% by at most " + at_most(0.95) +
         ", all by at most " + at_most(1) + "; within " +
         mathematical(setup.settings.model["tolerance"].get<double>()) + " counts as right.</p>\n";
}

}  // namespace

std::string answers_section(const Setup& setup, const Result& result) {
  const std::string title = "<h2>Answers to the test set</h2>\n";
  if (setup.model.label_type != CHORD_INT32) return title + error_sentence(setup, result.test.answers);
  return title + confusion_table(setup.settings.task, Confusion(result.test.answers, setup.model.classes));
}

}  // namespace train
