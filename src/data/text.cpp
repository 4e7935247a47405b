#include "data/text.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "data/files/labelled_files.hpp"
#include "data/padded_text.hpp"

namespace chord {
namespace {

constexpr std::int64_t review_length = 4097, classes = 2;
constexpr char first_symbol = ' ', last_symbol = '~';
constexpr std::int32_t padding = last_symbol - first_symbol + 1, cls = padding + 1, vocabulary = cls + 1;

/// Python prefers ' and takes " where that saves escapes.
char quote_of(std::string_view bytes) {
  const bool only_single = bytes.find('\'') != bytes.npos && bytes.find('"') == bytes.npos;
  return only_single ? '"' : '\'';
}

void append_escaped(std::string& shown, unsigned char byte, char quote) {
  constexpr char digits[] = "0123456789abcdef";
  if (byte == '\t')
    shown += "\\t";
  else if (byte == '\n')
    shown += "\\n";
  else if (byte == '\r')
    shown += "\\r";
  else if (byte == '\\' || char(byte) == quote)
    (shown += '\\') += char(byte);
  else if (byte < first_symbol || byte > last_symbol)
    ((shown += "\\x") += digits[byte >> 4]) += digits[byte & 15];
  else
    shown += char(byte);
}

/// The last `most` characters of what Python shows for these bytes.
std::string shown_bytes(std::string_view bytes, std::size_t most) {
  const char quote = quote_of(bytes);
  const bool whole = bytes.size() < most;
  std::string shown;
  if (whole) (shown += 'b') += quote;
  // No byte becomes less than a character, so those before cannot be reached.
  for (const char each : whole ? bytes : bytes.substr(bytes.size() - most)) append_escaped(shown, each, quote);
  shown += quote;
  return shown.size() > most ? shown.substr(shown.size() - most) : shown;
}

std::vector<std::string> printable_symbols() {
  std::vector<std::string> symbols;
  for (char each = first_symbol; each <= last_symbol; ++each) symbols.emplace_back(1, each);
  return symbols;
}

class TextEncoder : public Encoder {
 public:
  explicit TextEncoder(std::int64_t length) : Encoder(length, with_padding(printable_symbols())) {}

  std::int64_t encode(std::string_view raw, std::int32_t* tokens) const override {
    const std::string shown = shown_bytes(raw, std::size_t(length() - 1));
    tokens[0] = cls;
    std::int32_t* const end =
        std::transform(shown.begin(), shown.end(), tokens + 1, [](char each) { return each - first_symbol; });
    std::fill(end, tokens + length(), padding);
    return end - tokens;
  }
};

}  // namespace

std::unique_ptr<const Encoder> text_encoder(const std::string& encoding, std::int64_t length) {
  expect_no_encoding(encoding);
  return std::make_unique<const TextEncoder>(padded_length(length, review_length));
}

std::shared_ptr<const Dataset> open_text(const DatasetRequest& request) {
  only_length(request.length, review_length);
  expect_no_encoding(request.encoding);
  const LabelledFolders folders{data_folder(request.data, text_files, "aclImdb"), {"neg", "pos"}, ".txt"};
  return packed_dataset(pack_of_labelled_files(folders, request, text_encoder("", 0)), request.split, vocabulary,
                        classes);
}

}  // namespace chord
