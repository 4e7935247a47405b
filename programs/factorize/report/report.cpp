#include "report.hpp"

#include <utility>

#include "../names.hpp"
#include "../table.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"
#include "curves.hpp"
#include "pictures.hpp"

namespace factorize {
namespace {

using namespace program;

constexpr const char* no_pictures =
    "<p class=\"soft\">No pictures and no truncated SVD: the matrix was not made dense, being too large for it, or "
    "because "
    "that was asked for or failed.</p>\n";

std::string percent(double share) { return mathematical(100 * share, 3) + "&nbsp;%"; }

std::string size_line(const Result& result) {
  const auto& fit = result.fit;
  const std::string n = std::to_string(fit.n);
  return n + " × " + n + " as " + counted(fit.factors, "factor") + " with " + counted(fit.links, "link") + ": " +
         counted(fit.nonzeros, "number") + " instead of " + std::to_string(fit.n * fit.n);
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
  std::vector<Figure> all = {{mathematical(fit.error), "error ‖X − X̂‖ of the sparse factors"},
                             {percent(fit.relative_error), "relative error ‖X − X̂‖ / ‖X‖"}};
  if (result.tsvd)
    all.push_back({mathematical(result.tsvd->error), "error of the TSVD of rank " + std::to_string(result.tsvd->rank)});
  if (result.job.published_error) all.push_back({mathematical(*result.job.published_error), "published error"});
  all.push_back({mathematical(fit.seconds, 3) + "&nbsp;s", counted(fit.iterations, "iteration")});
  return key_figures(all);
}

/// The methods side by side.
std::string comparison(const Result& result) {
  const double n = double(result.fit.n), norm = result.matrix.norm;
  const auto row = [&](const std::string& name, int64_t nonzeros, double error) {
    const std::string count = nonzeros > 0 ? std::to_string(nonzeros) : "–";
    const std::string share = nonzeros > 0 ? percent(double(nonzeros) / (n * n)) : "–";
    return element("tr", element("td", name) + element("td", count) + element("td", share) +
                             element("td", mathematical(error)) +
                             element("td", norm > 0 ? percent(error / norm) : "–"));
  };
  std::string rows = row("Sparse factors", result.fit.nonzeros, result.fit.error);
  if (result.tsvd)
    rows += row("Truncated SVD, rank " + std::to_string(result.tsvd->rank),
                tsvd_nonzeros(result.fit.n, result.tsvd->rank), result.tsvd->error);
  if (result.job.published_error) rows += row("Sparse factors, published", 0, *result.job.published_error);
  if (result.job.published_tsvd_error) rows += row("Truncated SVD, published", 0, *result.job.published_tsvd_error);
  return "<div class=\"wide\"><table><thead><tr><th scope=\"col\">method</th><th scope=\"col\">non-zeros</th>"
         "<th scope=\"col\">of N²</th><th scope=\"col\">error</th><th scope=\"col\">relative</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>\n";
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
  add("Command", "<code>" + escaped(command_line) + "</code>");
  return details(list);
}

std::string whole_section(const Result& result, const std::optional<View>& view, const std::string& command_line) {
  std::string html = "<p class=\"soft\">SparseChord factorisation</p>\n<h1>" + escaped(result.job.name) +
                     "</h1>\n<p class=\"soft\">" + size_line(result) + "</p>\n" + figures(result) +
                     "<h2>Numbers</h2>\n" + comparison(result) + "<h2>Pictures</h2>\n" +
                     (view ? all_pictures(result, *view) : no_pictures) + "<h2>Charts</h2>\n<div class=\"charts\">\n" +
                     convergence_chart(result, 580, 340);
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
  html += ".</p>\n<div class=\"pictures few\">\n" + (view ? few_pictures(result, *view, id) : no_pictures) +
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
  sections_ +=
      summary() ? brief_section(result, view, section_id(results_.size())) : whole_section(result, view, command_line_);
  results_.push_back(result);
}

std::string Report::html() const {
  if (!summary()) return page(results_[0].job.name + ": sparse factors", sections_);
  const std::string title = "Sparse factors of " + std::to_string(results_.size()) + " matrices";
  std::string body = "<h1>" + title + "</h1>\n<p class=\"soft\"><code>" + escaped(command_line_) + "</code></p>\n";
  if (published_) body += "<p>" + published_summary(jobs_, results_) + ".</p>\n";
  body += "<h2>All matrices</h2>\n" + results_table(make_table(results_, published_)) + sections_;
  return page(title, body);
}

}  // namespace factorize
