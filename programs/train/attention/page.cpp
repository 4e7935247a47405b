#include "page.hpp"

#include "../class_names.hpp"
#include "../tasks.hpp"
#include "views.hpp"

namespace train {
namespace {

using namespace program;

std::string figures(const Sight& sight) {
  std::vector<Figure> all = {{escaped(given_text(sight.task, sight.answer)), "the model's answer"}};
  if (sight.sequence.label)
    all.push_back({escaped(expected_text(sight.task, sight.answer)),
                   sight.answer.right ? "expected: the answer is right" : "expected: the answer is wrong"});
  return key_figures(all);
}

}  // namespace

std::string reading_aid(const RowChoice& choice, bool residual) {
  return "Shown: " + choice.meaning +
         ", of the product of the block's factors: how much of each position's values goes into the block's result "
         "there. Red is above zero, blue below. " +
         (residual ? "The model also adds the first values after every factor (residuals); they are left out here."
                   : "The model has no residuals, which such maps would leave out.");
}

std::string attention_page(const Sight& sight, const std::string& source, bool residual,
                           const std::vector<Detail>& about) {
  const std::string title = find_task(sight.task).title;
  return page(title + ": attention", "<p class=\"soft\">SparseChord attention</p>\n<h1>" + title +
                                         "</h1>\n<p class=\"soft\">" + escaped(source) + "</p>\n" + figures(sight) +
                                         "<h2>Attention</h2>\n<p class=\"soft\">" +
                                         reading_aid(sight.choice, residual) + "</p>\n" +
                                         view(sight, true, "attention") + "<h2>Details</h2>\n" + details(about));
}

}  // namespace train
