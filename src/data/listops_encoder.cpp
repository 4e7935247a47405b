#include <algorithm>

#include "common/error.hpp"
#include "data/listops.hpp"
#include "data/padded_text.hpp"
#include "io/excerpt.hpp"

namespace chord {
namespace {

constexpr std::string_view between = " \t\r\n()";

/// Takes the next symbol from a text: a bracket that opens belongs to the word after it, one that closes is a symbol of
/// its own. Empty at the end.
std::string_view take_symbol(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
  if (text.empty()) return text;
  constexpr std::string_view ends = " \t\r\n()[]";
  const std::size_t size = text[0] == ']' ? 1 : std::min(text.find_first_of(ends, 1), text.size());
  const std::string_view symbol = text.substr(0, size);
  text.remove_prefix(size);
  return symbol;
}

std::int32_t token_of(std::string_view symbol) {
  const auto found = std::find(std::begin(listops::symbols), std::end(listops::symbols), symbol);
  if (found == std::end(listops::symbols))
    fail(Status::invalid_file, "there is no symbol ", excerpt(symbol), "; expected digits, ], [MIN, [MAX, [MED or [SM");
  return std::int32_t(found - std::begin(listops::symbols));
}

class ListOpsEncoder : public Encoder {
 public:
  explicit ListOpsEncoder(std::int64_t length)
      : Encoder(length, with_padding({std::begin(listops::symbols), std::end(listops::symbols)})) {}

  std::int64_t encode(std::string_view raw, std::int32_t* tokens) const override {
    tokens[0] = listops::cls;
    std::int64_t count = 1, left_out = 0;
    for (std::string_view symbol = take_symbol(raw); !symbol.empty(); symbol = take_symbol(raw)) {
      const std::int32_t token = token_of(symbol);
      if (count < length())
        tokens[count++] = token;
      else
        ++left_out;
    }
    if (left_out > 0)
      fail(Status::invalid_file, "the expression has ", count - 1 + left_out, " symbols; expected at most ",
           length() - 1);
    if (count == 1) fail(Status::invalid_file, "the expression is empty");
    std::fill(tokens + count, tokens + length(), listops::padding);
    return count;
  }
};

}  // namespace

std::unique_ptr<const Encoder> listops_encoder(const std::string& encoding, std::int64_t length) {
  expect_no_encoding(encoding);
  return std::make_unique<const ListOpsEncoder>(padded_length(length, listops::length));
}

}  // namespace chord
