#include "report.hpp"

#include <utility>

#include "../names.hpp"
#include "../table.hpp"
#include "../verdict.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"
#include "curves.hpp"
#include "pictures.hpp"
#include "words.hpp"

namespace factorize {
namespace {

using namespace program;

constexpr const char* no_pictures = "<p class=\"soft\">No pictures: they failed.</p>\n";
constexpr const char* no_tsvd =
    "<p class=\"soft\">No truncated SVD: the matrix was not made dense, being too large for it, or because that was "
    "asked for or failed.</p>\n";
constexpr const char* places_note =
    "<p class=\"soft\">X's non-zeros also need their places to be stored; those of the factors are known.</p>\n";

std::string percent(double share) { return mathematical(100 * share, 3) + "&nbsp;%"; }

std::string size_line(const Result& result) {
  const auto& fit = result.fit;
  return extent_text(fit) + " as " + in_words(result.parts, fit.constraint) +
         (fit.factors > 0 ? " with " + counted(fit.links, "link") : "") + ": " + counted(fit.nonzeros, "number") +
         " instead of " + std::to_string(fit.rows * fit.columns);
}

std::string stop_sentence(int32_t stop) {
  switch (stop) {
    case CHORD_STOP_GRADIENT: return "at a stationary point";
    case CHORD_STOP_IMPROVEMENT: return "when progress had become slow";
    case CHORD_STOP_ITERATIONS: return "at the limit of iterations";
    case CHORD_STOP_SECONDS: return "at the time limit";
    case CHORD_STOP_CANCELLED: return "when interrupted";
    default: return "for an unknown reason";
  }
}

std::string figures(const Result& result) {
  const auto& fit = result.fit;
  std::vector<Figure> all = {
      {mathematical(fit.error), "error ‖X&nbsp;−&nbsp;X̂‖ of " + in_words(result.parts, fit.constraint)},
      {percent(fit.relative_error), "relative error ‖X&nbsp;−&nbsp;X̂‖&nbsp;/&nbsp;‖X‖"}};
  if (result.tsvd)
    all.push_back(
        {mathematical(result.tsvd->error), "error of the truncated SVD of rank " + std::to_string(result.tsvd->rank)});
  if (result.job.published_error) all.push_back({mathematical(*result.job.published_error), "published error"});
  all.push_back({mathematical(fit.seconds, 3) + "&nbsp;s", counted(fit.iterations, "iteration")});
  return key_figures(all);
}

std::string verdict_paragraph(const Result& result) {
  return "<p class=\"verdict\">" + escaped(join(verdict(result), " ")) + "</p>\n";
}

std::string all_details(const Result& result, const std::string& command_line) {
  const auto& fit = result.fit;
  std::vector<Detail> list;
  const auto add = [&](const char* term, const std::string& text) { list.push_back({term, text}); };
  add("Input", escaped(result.job.file) + " (" + escaped(result.matrix.format) + ", " +
                   std::to_string(result.matrix.nonzeros) + " non-zeros, ‖X‖ = " + mathematical(result.matrix.norm) +
                   ")");
  if (!result.output.empty()) add("Factors in", escaped(result.output));
  add("Pattern", (result.protocol.empty() ? "of the resumed file" : escaped(result.protocol)) +
                     ": row i has non-zeros at columns i + " + join(result.offsets, ", ") + " (mod N)");
  add("Constraint", constraint_name(fit.constraint));
  add("Ended", stop_sentence(fit.stop) + ", after " + counted(fit.iterations, "iteration") + " in " +
                   mathematical(fit.seconds, 3) + " s");
  add("Precision", std::to_string(fit.precision) + " bits");
  add("Seed", std::to_string(fit.seed));
  add("Device", escaped(result.device.selector) + " (" + escaped(result.device.name) + ")");
  add("Command", command(command_line));
  return details(list);
}

std::string matrices(const Result& result, const std::optional<View>& view) {
  if (!view || !view->has_matrices()) return no_pictures;
  return all_pictures(result, *view) + (view->streak ? streak_note(*view->streak, result.fit.n) : "");
}

std::string whole_section(const Result& result, const std::optional<View>& view, const std::string& command_line) {
  std::string html = "<p class=\"soft\">SparseChord factorisation</p>\n<h1>" + escaped(result.job.name) +
                     "</h1>\n<p class=\"soft\">" + size_line(result) + "</p>\n" + verdict_paragraph(result) +
                     figures(result) + "<h2>Numbers</h2>\n" + to_html(methods_table(result)) +
                     (is_sparse(result.matrix) ? places_note : "") + (result.tsvd ? "" : no_tsvd) +
                     "<h2>Pictures</h2>\n" + matrices(result, view);
  if (view && !view->parts.empty()) html += "<h2>Parts</h2>\n" + part_pictures(result, *view);
  if (view && !view->factors.empty()) html += "<h2>Factors</h2>\n" + words(result) + factor_pictures(result, *view);
  html += "<h2>Charts</h2>\n<div class=\"charts\">\n" + convergence_chart(result, 580, 340);
  if (view && !view->sf_singular_values.empty()) html += singular_value_chart(result, *view, 580, 340);
  return html + "</div>\n<h2>Details</h2>\n" + all_details(result, command_line);
}

std::string brief_section(const Result& result, const std::optional<View>& view, const std::string& id) {
  std::string html = "<article id=\"" + id + "\">\n<h2>" + escaped(result.job.name) + "</h2>\n<p class=\"soft\">" +
                     size_line(result) + ". Error " + mathematical(result.fit.error) + ", relative " +
                     percent(result.fit.relative_error);
  if (result.tsvd)
    html += "; truncated SVD of rank " + std::to_string(result.tsvd->rank) + ": " + mathematical(result.tsvd->error);
  if (result.job.published_error) html += "; published: " + mathematical(*result.job.published_error);
  html += "; " + counted(result.fit.iterations, "iteration") + " in " + mathematical(result.fit.seconds, 3) +
          "&nbsp;s.</p>\n<p>" + escaped(join(verdict(result), " ")) + "</p>\n<div class=\"pictures few\">\n" +
          (view && view->has_matrices() ? few_pictures(result, *view, id) : no_pictures) +
          convergence_chart(result, 300, 250) + "</div>\n</article>\n";
  return html;
}

std::string section_id(std::size_t number) { return "matrix-" + std::to_string(number); }

std::string results_table(const Table& table) {
  std::string html = "<div class=\"wide\"><table class=\"tight\"><thead><tr>";
  for (const std::string& title : table.titles) html += "<th scope=\"col\">" + escaped(title) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    html += "<tr><td><a href=\"#" + section_id(i) + "\">" + escaped(table.rows[i][0]) + "</a></td>";
    for (std::size_t k = 1; k < table.rows[i].size(); ++k) html += element("td", escaped(table.rows[i][k]));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

Report::Report(std::vector<Job> jobs, bool published, std::string command_line)
    : jobs_(std::move(jobs)), published_(published), command_line_(std::move(command_line)) {}

void Report::add(const Result& result, const std::optional<View>& view) {
  const std::string section =
      summary() ? brief_section(result, view, section_id(results_.size())) : whole_section(result, view, command_line_);
  // The result and its section, or neither.
  sections_.reserve(sections_.size() + section.size());
  results_.push_back(result);
  sections_ += section;
}

std::string Report::html() const {
  if (!summary()) return page(results_[0].job.name + ": sparse factors", sections_);
  const std::string title = "Sparse factors of " + std::to_string(results_.size()) + " matrices";
  std::string body = "<h1>" + title + "</h1>\n<p class=\"soft\">" + command(command_line_) + "</p>\n";
  if (published_) body += "<p>" + published_summary(jobs_, results_) + ".</p>\n";
  body += "<h2>All matrices</h2>\n" + results_table(make_table(results_, published_)) + sections_;
  return page(title, body);
}

}  // namespace factorize
