#include "io/png.hpp"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "io/grey.hpp"
#include "io/numbers.hpp"

namespace chord {
namespace {

/// libpng's reader over bytes in memory. libpng reports errors by longjmp, which must not pass over destructors: each
/// step is a function of C calls only, run by attempt().
class PngReader {
 public:
  explicit PngReader(std::string_view content) : rest_(content) {
    png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, this, on_error, on_warning, this, on_malloc, on_free);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (info_) return;
    png_destroy_read_struct(&png_, &info_, nullptr);
    fail(Status::out_of_memory, "out of memory for libpng");
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  void read_header() {
    attempt([this] {
      png_set_read_fn(png_, this, on_read);
      // Nothing but the pixels is of interest; what is damaged is reported, wherever it is.
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      png_set_benign_errors(png_, 0);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // memory is the limit, and checked
      png_read_info(png_, info_);
    });
  }

  std::int64_t width() const { return png_get_image_width(png_, info_); }
  std::int64_t height() const { return png_get_image_height(png_, info_); }

  /// Rows of one or three samples a pixel, of 8 or 16 bits each.
  void ask_for_whole_samples() {
    attempt([this] {
      if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
      if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
      png_set_strip_alpha(png_);
      passes_ = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
    });
  }

  std::int64_t row_bytes() const { return std::int64_t(png_get_rowbytes(png_, info_)); }
  bool coloured() const { return png_get_channels(png_, info_) == 3; }
  bool wide() const { return png_get_bit_depth(png_, info_) == 16; }

  void read_pixels(char* pixels) {
    attempt([this, pixels] {
      for (int pass = 0; pass < passes_; ++pass)
        for (std::int64_t y = 0; y < height(); ++y)
          png_read_row(png_, reinterpret_cast<png_bytep>(pixels + y * row_bytes()), nullptr);
      png_read_end(png_, nullptr);
    });
  }

 private:
  template <class Step>
  void attempt(Step step) {
    if (setjmp(png_jmpbuf(png_))) {
      if (out_of_memory_) fail(Status::out_of_memory, "out of memory for libpng");
      fail(Status::invalid_file, "the PNG is damaged: ", message_);
    }
    step();
  }

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto* self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self->message_, message, sizeof self->message_ - 1);
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}
  // libpng tells by a text alone what went wrong.
  static void* on_malloc(png_structp png, png_alloc_size_t bytes) {
    void* const memory = std::malloc(bytes);
    if (!memory) static_cast<PngReader*>(png_get_mem_ptr(png))->out_of_memory_ = true;
    return memory;
  }
  static void on_free(png_structp, void* memory) { std::free(memory); }

  static void on_read(png_structp png, png_bytep target, png_size_t bytes) {
    auto* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (bytes > self->rest_.size()) png_error(png, "it ends too early");
    std::memcpy(target, self->rest_.data(), bytes);
    self->rest_.remove_prefix(bytes);
  }

  std::string_view rest_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
  bool out_of_memory_ = false;
  char message_[256] = {};
};

/// A pixel's grey level from 0 to 255.
double grey_level(const char* pixel, bool coloured, bool wide) {
  if (wide) {
    const auto sample = [=](int channel) { return double(load<std::uint16_t>(pixel + 2 * channel, ByteOrder::big)); };
    return (coloured ? weighted_grey(sample(0), sample(1), sample(2)) / 65536 : sample(0)) / 257;
  }
  const auto* const samples = reinterpret_cast<const std::uint8_t*>(pixel);
  return coloured ? grey_of(samples[0], samples[1], samples[2]) : samples[0];
}

/// To be called before libpng allocates rows: deflate makes at most 1032 bytes of one. Pixels of less than a byte
/// become numbers all the same, so many of them in a small file are no more welcome than bytes would be.
void expect_room(const PngReader& reader, std::size_t content_bytes) {
  constexpr std::int64_t most_per_byte = 1032, always = 1 << 24;
  const std::int64_t pixels = checked_multiply(reader.width(), reader.height());
  const std::int64_t bytes = checked_multiply(reader.height(), reader.row_bytes());
  if (std::max(bytes, pixels > always ? pixels : 0) / most_per_byte > std::int64_t(content_bytes))
    fail(Status::invalid_file, reader.width(), " × ", reader.height(), " pixels are declared, more than ",
         content_bytes, " bytes can hold");
}

}  // namespace

DenseMatrix parse_png(std::string_view content, std::int64_t side) {
  PngReader reader(content);
  reader.read_header();
  const MatrixShape shape = checked_shape(reader.height(), reader.width());
  if (side > 0 && shape != MatrixShape{side, side})
    fail(Status::invalid_file, "the picture has ", reader.width(), " × ", reader.height(), " pixels; expected ", side,
         " × ", side);
  expect_room(reader, content.size());
  reader.ask_for_whole_samples();
  const std::int64_t pixel_bytes = checked_multiply(shape.rows, reader.row_bytes());
  const std::int64_t matrix_bytes = checked_multiply(checked_multiply(shape.n(), shape.n()), sizeof(double));
  expect_memory(std::size_t(checked_add(pixel_bytes, matrix_bytes)));
  std::vector<char> pixels(static_cast<std::size_t>(pixel_bytes));
  reader.read_pixels(pixels.data());

  DenseMatrix matrix(shape);
  const bool coloured = reader.coloured(), wide = reader.wide();
  const std::int64_t bytes_each = (coloured ? 3 : 1) * (wide ? 2 : 1);
  const char* pixel = pixels.data();
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t column = 0; column < shape.columns; ++column, pixel += bytes_each)
      matrix.values[row * matrix.n + column] = grey_level(pixel, coloured, wide);
  return matrix;
}

std::string format_png(const std::uint8_t* levels, int width, int height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string content(size, '\0');
  if (!png_image_write_to_memory(&image, content.data(), &size, 0, levels, 0, nullptr))
    fail(Status::out_of_memory, "the PNG cannot be made: ", image.message);  // libpng has no other reason
  content.resize(size);
  return content;
}

}  // namespace chord
