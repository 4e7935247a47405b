// chord-pattern: draws where the non-zeros are, of one factor and of the product of 1, 2, … M of them.
#include <png.h>

#include <algorithm>
#include <fstream>

#include "common/options.hpp"
#include "common/program.hpp"

namespace {

struct Options {
  int64_t length = 32, base = 2, links = 0;
  bool symmetric = false;
  std::string output = "pattern.png";
};

/// A grey picture, white at first.
struct Picture {
  int64_t width, height;
  std::vector<unsigned char> pixels;
  Picture(int64_t w, int64_t h) : width(w), height(h), pixels(std::size_t(w * h), 255) {}
  void square(int64_t x, int64_t y, int64_t size, unsigned char grey) {
    for (int64_t r = y; r < y + size; ++r) std::fill_n(&pixels[r * width + x], size, grey);
  }
};

void write_png(const Picture& picture, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(picture.width);
  image.height = png_uint_32(picture.height);
  image.format = PNG_FORMAT_GRAY;
  if (!png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr))
    throw std::runtime_error("cannot write " + path + ": " + image.message);
}

/// The product of `factors` factors, all weights one: how many paths lead from each row to each column.
std::vector<double> paths(chord::Context& context, const chord::Pattern& pattern, int64_t factors) {
  const int64_t n = pattern.n();
  auto weights = chord::Tensor::empty<double>(context, {factors, n, pattern.links()});
  weights.fill(1);
  auto dense = chord::Tensor::empty<double>(context, {n, n});
  chord::Chain(pattern, weights).dense(dense);
  return dense.to_host<double>();
}

void draw(Picture& picture, int64_t left, int64_t n, int64_t cell, const std::vector<double>& matrix) {
  const int64_t size = n * cell;
  for (int64_t y = 0; y < size + 2; ++y)
    for (int64_t x = 0; x < size + 2; ++x)
      if (x == 0 || y == 0 || x == size + 1 || y == size + 1)
        picture.pixels[(y + cell - 1) * picture.width + left - 1 + x] = 160;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (matrix[i * n + j] != 0) picture.square(left + j * cell, cell + i * cell, cell, i == j ? 110 : 30);
}

int draw_pattern(int argc, char** argv) {
  CLI::App app(
      "Draws the non-zeros of a Chord factor and how the product of 1, 2, … M factors fills in, left to right, as a "
      "PNG.",
      "chord-pattern");
  Options options;
  const auto number = [&](const char* name, int64_t& target, int lowest, const std::string& help) {
    program::add_option(app, name, target, program::integers_between(lowest, 512), help)->option_text("K");
  };
  number("--length", options.length, 1, "Rows of the matrix (default: 32)");
  number("--base", options.base, 2, "Offsets are powers of this (default: 2)");
  number("--links", options.links, 0, "Non-zeros per row (default: 0, as many as this length has)");
  app.add_flag("--symmetric", options.symmetric, "Offsets to both sides");
  app.add_option("--output", options.output, "The picture (default: pattern.png)")->option_text("FILE.png");
  return program::run(app, argc, argv, [&] {
    chord::Context context("host");
    const auto pattern = options.symmetric
                             ? chord::Pattern::symmetric(context, options.length, options.base, options.links)
                             : chord::Pattern::chord(context, options.length, options.base, options.links);
    const int64_t n = options.length, factors = std::max<int64_t>(chord::full_chain_length(n, options.base), 1);
    const int64_t cell = std::clamp<int64_t>(160 / n, 1, 8), step = (n + 2) * cell;
    Picture picture(factors * step + cell, step);
    for (int64_t m = 1; m <= factors; ++m) {
      const std::vector<double> matrix = paths(context, pattern, m);
      draw(picture, (m - 1) * step + cell, n, cell, matrix);
      const auto nonzeros = std::count_if(matrix.begin(), matrix.end(), [](double x) { return x != 0; });
      std::printf("%lld factor%s: %td of %lld entries\n", (long long)m, m == 1 ? "" : "s", nonzeros,
                  (long long)(n * n));
    }
    write_png(picture, options.output);
    std::printf("wrote %s\n", options.output.c_str());
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) { return program::guarded(draw_pattern, argc, argv); }
