#include "pictures.hpp"

#include <algorithm>
#include <cstring>

#include "common/report/html.hpp"
#include "common/report/picture.hpp"
#include "common/text.hpp"

namespace factorize {
namespace {

using namespace program;

/// Grey levels stay what they are. The scale is X's: approximations may go beyond its ends.
Colouring matrix_colouring(const Result& result, const Raster& x) {
  if (std::strcmp(result.matrix.format, "png") == 0) return {Scale::linear(x.values), grey_palette()};
  const Scale scale = Scale::of_matrix(x.values);
  return {scale, scale.symmetric() ? diverging_palette() : sequential_palette()};
}

Colouring residual_colouring(const Raster& first, const Raster* second) {
  std::vector<double> values = first.values;
  if (second) values.insert(values.end(), second->values.begin(), second->values.end());
  return {Scale::of_residuals(values), diverging_palette()};
}

std::string figure(const Result& result, const Raster& raster, const Colouring& colouring, const std::string& name,
                   const std::string& caption, const std::string& more = "") {
  return "<figure>" +
         to_html({raster.width, raster.height, raster.values}, colouring,
                 name + " of " + result.job.name + ", " + extent_text(result.fit) + " values as colours") +
         "<figcaption>" + caption + "</figcaption>" + more + "</figure>\n";
}

std::string explained(const std::string& title, const Colouring& colouring, const std::string& id) {
  return "<h3>" + title + "</h3>" + colour_bar(colouring, id) + "<p>" + escaped(colouring.scale.description()) + "</p>";
}

std::string error_note(double error) { return " <small>error " + mathematical(error) + "</small>"; }

/// Empty where nothing is reduced.
std::string reduction_note(const Raster& raster, Reduction reduction, std::int64_t rows_apart = 1) {
  if (raster.block == 1) return "";
  const std::string block = std::to_string(raster.block);
  return "Shown reduced: each point is the " +
         std::string(reduction == Reduction::mean ? "mean" : "largest in magnitude") + " of " + block + " × " + block +
         " values" + (rows_apart > 1 ? ", of X̂ and X − X̂ of one row in " + std::to_string(rows_apart) : "") + ".";
}

std::string density_figure(const Result& result, const Raster& density) {
  const Colouring colours{Scale::of_matrix(density.values), sequential_palette()};
  return figure(result, density, colours, "Density", "Density of X: the share of non-zeros in each point's block",
                colour_bar(colours, "density"));
}

}  // namespace

std::string all_pictures(const Result& result, const View& view) {
  // Of a large matrix, whose SVD is a randomised one, there is an error and no picture.
  const bool tsvd = result.tsvd && !view.tsvd.values.empty();
  const Colouring colours = matrix_colouring(result, view.x);
  const Colouring residual_colours = residual_colouring(view.residual, &view.tsvd_residual);

  const std::string note = reduction_note(view.x, view.reduction, view.rows_apart);
  std::string html = (note.empty() ? "" : "<p class=\"soft\">" + note + "</p>\n") + "<div class=\"pictures\">\n";
  html += figure(result, view.x, colours, "X", "X, the matrix");
  html += figure(result, view.sf, colours, "X̂",
                 "X̂, " + in_words(result.parts, result.fit.constraint) + error_note(result.fit.error));
  if (tsvd)
    html += figure(result, view.tsvd, colours, "Truncated SVD",
                   "Truncated SVD of rank " + std::to_string(result.tsvd->rank) + error_note(result.tsvd->error));
  const std::string scales = "<div class=\"scales\">" + explained("Colours of the matrices", colours, "values") +
                             explained("Colours of the residuals", residual_colours, "residuals") + "</div>\n";
  const std::string missed = figure(result, view.residual, residual_colours, "Residual X − X̂", "X − X̂, what is missed");
  const std::string density = view.density.values.empty() ? "" : density_figure(result, view.density);
  // In rows of three, the residuals are below what they belong to.
  html += tsvd ? scales + missed : density + missed + scales;
  if (tsvd)
    html += figure(result, view.tsvd_residual, residual_colours, "Residual of the truncated SVD",
                   "X − SVD, what the truncated SVD misses") +
            density;
  return html + "</div>\n";
}

std::string part_pictures(const Result& result, const View& view) {
  std::string html = "<div class=\"pictures\">\n";
  for (std::size_t i = 0; i < view.parts.size(); ++i) {
    const PartPicture& part = view.parts[i];
    const Colouring colours{Scale::of_residuals(part.raster.values), diverging_palette()};
    html +=
        figure(result, part.raster, colours, part.name, part.name, colour_bar(colours, "part-" + std::to_string(i)));
  }
  return html + "</div>\n";
}

std::string factor_pictures(const Result& result, const View& view) {
  constexpr std::size_t most = 16;
  const std::size_t all = view.factors.size(), shown = std::min(all, most);
  std::vector<double> values;
  for (const Raster& each : view.factors) values.insert(values.end(), each.values.begin(), each.values.end());
  const Colouring colours{Scale::of_residuals(values), diverging_palette()};
  std::string html = "<div class=\"pictures four\">\n";
  for (std::size_t m = 0; m < shown; ++m) {
    const std::string number = std::to_string(m + 1);
    const char* const place = m == 0 ? ", applied first" : m + 1 == all ? ", applied last" : "";
    html += figure(result, view.factors[m], colours, "Factor " + number, "W<sub>" + number + "</sub>" + place);
  }
  html += "</div>\n" + (shown < all ? "<p class=\"soft\">The first " + std::to_string(shown) + " of " +
                                          std::to_string(all) + " factors.</p>\n"
                                    : "");
  return html + "<div class=\"scales\">" + colour_bar(colours, "factors") + "<p>" +
         escaped(colours.scale.description()) + ". " + reduction_note(view.factors[0], Reduction::largest) +
         "</p></div>\n";
}

std::string few_pictures(const Result& result, const View& view, const std::string& id) {
  const Colouring colours = matrix_colouring(result, view.x),
                  residual_colours = residual_colouring(view.residual, nullptr);
  const std::string bar = colour_bar(colours, id + "-values");
  const std::string residual_bar = colour_bar(residual_colours, id + "-residuals");
  return figure(result, view.x, colours, "X", "X", bar) + figure(result, view.sf, colours, "X̂", "X̂", bar) +
         figure(result, view.residual, residual_colours, "Residual X − X̂", "X − X̂", residual_bar);
}

}  // namespace factorize
