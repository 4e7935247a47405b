#include "pictures.hpp"

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
  const std::string n = std::to_string(result.fit.n);
  return "<figure>" +
         to_html({raster.side, raster.side, raster.values}, colouring,
                 name + " of " + result.job.name + ", " + n + " × " + n + " values as colours") +
         "<figcaption>" + caption + "</figcaption>" + more + "</figure>\n";
}

std::string explained(const std::string& title, const Colouring& colouring, const std::string& id) {
  return "<h3>" + title + "</h3>" + colour_bar(colouring, id) + "<p>" + escaped(colouring.scale.description()) + "</p>";
}

std::string error_note(double error) { return " <small>error " + mathematical(error) + "</small>"; }

std::string reduction_note(const View& view) {
  if (view.x.block == 1) return "";
  const std::string block = std::to_string(view.x.block);
  return "<p class=\"soft\">Shown reduced: each point is the " +
         std::string(view.reduction == Reduction::mean ? "mean" : "largest in magnitude") + " of " + block + " × " +
         block + " values.</p>\n";
}

}  // namespace

std::string all_pictures(const Result& result, const View& view) {
  const bool tsvd = result.tsvd.has_value();
  const Colouring colours = matrix_colouring(result, view.x);
  const Colouring residual_colours = residual_colouring(view.residual, &view.tsvd_residual);

  std::string html = reduction_note(view) + "<div class=\"pictures\">\n";
  html += figure(result, view.x, colours, "X", "X, the matrix");
  html += figure(result, view.sf, colours, "X̂", "X̂, the product of sparse factors" + error_note(result.fit.error));
  if (tsvd)
    html += figure(result, view.tsvd, colours, "Truncated SVD",
                   "Truncated SVD of rank " + std::to_string(result.tsvd->rank) + error_note(result.tsvd->error));
  const std::string scales = "<div class=\"scales\">" + explained("Colours of the matrices", colours, "values") +
                             explained("Colours of the residuals", residual_colours, "residuals") + "</div>\n";
  const std::string missed =
      figure(result, view.residual, residual_colours, "Residual X − X̂", "X − X̂, what the factors miss");
  // In rows of three, the residuals are below what they belong to.
  html += tsvd ? scales + missed : missed + scales;
  if (tsvd)
    html += figure(result, view.tsvd_residual, residual_colours, "Residual of the truncated SVD",
                   "X − TSVD, what the truncated SVD misses");
  return html + "</div>\n";
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
