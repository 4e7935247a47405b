#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "../text.hpp"
#include "html.hpp"

namespace program {
namespace {

struct Pixels {
  std::int64_t width, height;
  std::vector<std::uint8_t> colours;  // numbers in the palette
};

Pixels enlarged(const Picture& picture, const Scale& scale, std::int64_t smallest) {
  const std::int64_t times = std::max<std::int64_t>(1, smallest / std::max(picture.width, picture.height));
  Pixels pixels{picture.width * times, picture.height * times, {}};
  pixels.colours.resize(std::size_t(pixels.width * pixels.height));
  for (std::int64_t i = 0; i < pixels.height; ++i)
    for (std::int64_t j = 0; j < pixels.width; ++j)
      pixels.colours[i * pixels.width + j] =
          std::uint8_t(std::lround(255 * scale.position(picture.values[i / times * picture.width + j / times])));
  return pixels;
}

std::string png_file(const Pixels& pixels, const Palette& palette) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(pixels.width);
  image.height = png_uint_32(pixels.height);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = png_uint_32(palette.size());
  static_assert(sizeof(Palette) == 3 * 256, "libpng reads it as bytes");
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  if (!png_image_write_to_memory(&image, file.data(), &size, 0, pixels.colours.data(), 0, palette.data()))
    throw std::runtime_error(std::string("cannot make a picture: ") + image.message);
  file.resize(size);
  return file;
}

std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? std::uint8_t(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

constexpr double bar_left = 4, bar_width = 332;

struct BarLabel {
  double x, left, right;
  std::string text;
};

/// As many of a scale's ticks as do not run into each other.
std::vector<BarLabel> labels_that_fit(const Scale& scale) {
  constexpr double character = 7.6, gap = 10;
  std::vector<BarLabel> labels;
  for (const double tick : scale.ticks()) {
    BarLabel next;
    next.text = mathematical(tick, 3);
    const double width = character * double(characters(next.text));
    next.x = bar_left + bar_width * scale.position(tick);
    // The ones at the ends must not leave the picture.
    next.left = std::clamp(next.x - width / 2, 0.0, 2 * bar_left + bar_width - width);
    next.right = next.left + width;
    const bool free = std::all_of(labels.begin(), labels.end(), [&](const BarLabel& other) {
      return next.left > other.right + gap || next.right < other.left - gap;
    });
    if (free) labels.push_back(next);
  }
  return labels;
}

/// Those at the ends stay within them in whatever size, and are all there is to read where a bar is small.
std::string bar_label(const BarLabel& label) {
  const bool first = label.x <= bar_left, last = label.x >= bar_left + bar_width;
  const double place = first ? label.left : last ? label.right : (label.left + label.right) / 2;
  const std::string x = coordinate(label.x), anchor = first ? "start" : last ? "end" : "middle";
  return "<line class=\"tick\" x1=\"" + x + "\" x2=\"" + x + "\" y1=\"17\" y2=\"22\"/><text" +
         (first || last ? "" : " class=\"between\"") + " x=\"" + coordinate(place) + "\" y=\"36\" text-anchor=\"" +
         anchor + "\">" + label.text + "</text>";
}

}  // namespace

std::string to_png(const Picture& picture, const Colouring& colouring, std::int64_t smallest) {
  return png_file(enlarged(picture, colouring.scale, smallest), colouring.palette);
}

std::string to_html(const Picture& picture, const Colouring& colouring, const std::string& alternative_text,
                    std::int64_t smallest) {
  const Pixels pixels = enlarged(picture, colouring.scale, smallest);
  return "<img width=\"" + std::to_string(pixels.width) + "\" height=\"" + std::to_string(pixels.height) + "\" alt=\"" +
         escaped(alternative_text) + "\" src=\"data:image/png;base64," + base64(png_file(pixels, colouring.palette)) +
         "\">";
}

std::string colour_bar(const Colouring& colouring, const std::string& id) {
  std::string svg =
      "<svg class=\"bar\" viewBox=\"0 0 340 42\" role=\"img\" aria-label=\"Colour scale\"><defs>"
      "<linearGradient id=\"" +
      id + "\">";
  constexpr int stops = 16;
  for (int i = 0; i <= stops; ++i)
    svg += "<stop offset=\"" + coordinate(100.0 * i / stops) + "%\" stop-color=\"" +
           hexadecimal(colouring.palette[std::size_t(i) * 255 / stops]) + "\"/>";
  svg += "</linearGradient></defs><rect class=\"frame\" x=\"" + coordinate(bar_left) + "\" y=\"1\" width=\"" +
         coordinate(bar_width) + "\" height=\"16\" fill=\"url(#" + id + ")\"/>";
  for (const BarLabel& label : labels_that_fit(colouring.scale)) svg += bar_label(label);
  return svg + "</svg>";
}

}  // namespace program
