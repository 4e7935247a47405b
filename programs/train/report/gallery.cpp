#include "gallery.hpp"

#include "../attention/page.hpp"
#include "../attention/views.hpp"
#include "../class_names.hpp"
#include "common/report/html.hpp"

namespace train {
namespace {

using namespace program;

std::string card(const Example& example) {
  const Sight& sight = example.sight;
  const std::string answer = escaped(given_text(sight.task, sight.answer));
  return "<li><p><b>" + answer + "</b>" +
         (sight.answer.right ? "" : ", expected " + escaped(expected_text(sight.task, sight.answer))) +
         " <span class=\"soft\">sequence " + std::to_string(example.index) + "</span></p>\n" +
         view(sight, false, "example-" + std::to_string(example.index)) + "</li>\n";
}

std::string cards(const std::vector<Example>& examples, bool right) {
  std::string html;
  for (const Example& each : examples)
    if (each.sight.answer.right == right) html += card(each);
  if (html.empty()) return "";
  return "<h3>" + std::string(right ? "Right" : "Wrong") + "</h3>\n<ul class=\"gallery\">\n" + html + "</ul>\n";
}

}  // namespace

std::string gallery(const Setup& setup, const std::vector<Example>& examples) {
  if (examples.empty()) return "";
  RowChoice choice = examples[0].sight.choice;
  // The places are those of one example.
  choice.meaning = choice.meaning.substr(0, choice.meaning.find(','));
  return "<h2>Examples</h2>\n<p class=\"soft\">A few of the test set, evenly spread over it. " +
         reading_aid(choice, setup.settings.model["residual"]) + "</p>\n" + cards(examples, true) +
         cards(examples, false);
}

}  // namespace train
