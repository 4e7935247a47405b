#include "pictures.hpp"

#include <cstring>

#include "../text.hpp"
#include "html.hpp"
#include "picture.hpp"

namespace factorize {
namespace {

struct Colouring {
  Scale scale;
  Palette palette;
};

/// Grey levels stay what they are. The scale is X's: approximations may go beyond its ends.
Colouring matrix_colouring(const Result& result, const Raster& x) {
  if (std::strcmp(result.matrix.format, "png") == 0) return {Scale::linear(x.values), grey_palette()};
  const Scale scale = Scale::fitting(x.values, false);
  return {scale, scale.symmetric() ? diverging_palette() : sequential_palette()};
}

Raster difference(const Raster& one, const Raster& other) {
  Raster result = one;
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] -= other.values[i];
  return result;
}

Colouring residual_colouring(const Raster& first, const Raster* second) {
  std::vector<double> values = first.values;
  if (second) values.insert(values.end(), second->values.begin(), second->values.end());
  return {Scale::fitting(values, true), diverging_palette()};
}

std::string figure(const Result& result, const Raster& raster, const Colouring& colouring, const std::string& name,
                   const std::string& caption, const std::string& more = "") {
  const std::string n = std::to_string(result.fit.n);
  return "<figure>" +
         picture(raster.side, raster.values, colouring.scale, colouring.palette,
                 name + " of " + result.job.name + ", " + n + " × " + n + " values as colours") +
         "<figcaption>" + caption + "</figcaption>" + more + "</figure>\n";
}

std::string explained(const std::string& title, const Colouring& colouring, const std::string& id) {
  return "<h3>" + title + "</h3>" + colour_bar(colouring.scale, colouring.palette, id) + "<p>" +
         escaped(colouring.scale.description()) + "</p>";
}

std::string error_note(double error) { return " <small>error " + mathematical(error) + "</small>"; }

std::string reduction_note(const Raster& raster) {
  if (raster.block == 1) return "";
  const std::string block = std::to_string(raster.block);
  return "<p class=\"soft\">The matrix is shown reduced: each point is the mean of " + block + " × " + block +
         " values.</p>\n";
}

}  // namespace

std::string all_pictures(const Result& result, const View& view) {
  const bool tsvd = result.tsvd.has_value();
  const Raster residual = difference(view.x, view.sf);
  const Raster tsvd_residual = tsvd ? difference(view.x, view.tsvd) : Raster{};
  const Colouring colours = matrix_colouring(result, view.x);
  const Colouring residual_colours = residual_colouring(residual, tsvd ? &tsvd_residual : nullptr);

  std::string html = reduction_note(view.x) + "<div class=\"pictures\">\n";
  html += figure(result, view.x, colours, "X", "X, the matrix");
  html += figure(result, view.sf, colours, "X̂", "X̂, the product of sparse factors" + error_note(result.fit.error));
  if (tsvd)
    html += figure(result, view.tsvd, colours, "Truncated SVD",
                   "Truncated SVD of rank " + std::to_string(result.tsvd->rank) + error_note(result.tsvd->error));
  html += "<div class=\"scales\">" + explained("Colours of the matrices", colours, "values") +
          explained("Colours of the residuals", residual_colours, "residuals") + "</div>\n";
  html += figure(result, residual, residual_colours, "Residual X − X̂", "X − X̂, what the factors miss");
  if (tsvd)
    html += figure(result, tsvd_residual, residual_colours, "Residual of the truncated SVD",
                   "X − TSVD, what the truncated SVD misses");
  return html + "</div>\n";
}

std::string few_pictures(const Result& result, const View& view, const std::string& id) {
  const Raster residual = difference(view.x, view.sf);
  const Colouring colours = matrix_colouring(result, view.x), residual_colours = residual_colouring(residual, nullptr);
  const std::string bar = colour_bar(colours.scale, colours.palette, id + "-values");
  const std::string residual_bar = colour_bar(residual_colours.scale, residual_colours.palette, id + "-residuals");
  return figure(result, view.x, colours, "X", "X", bar) + figure(result, view.sf, colours, "X̂", "X̂", bar) +
         figure(result, residual, residual_colours, "Residual X − X̂", "X − X̂", residual_bar);
}

}  // namespace factorize
