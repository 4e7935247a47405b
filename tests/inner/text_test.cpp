// Texts made of parts.
#include "common/text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

TEST_CASE("parts of all kinds") {
  using chord::text;
  CHECK(text() == "");
  CHECK(text("a", 'b', std::string("c"), std::string_view("d")) == "abcd");
  CHECK(text(std::numeric_limits<std::int64_t>::min(), ' ', std::numeric_limits<std::uint64_t>::max()) ==
        "-9223372036854775808 18446744073709551615");
  CHECK(text(true, short(-3), 4u, 5ull) == "1-345");
  CHECK(text(0.5, ' ', 1e300, ' ', 1.0, ' ', 1.0f / 3) == "0.5 1e+300 1 0.333333");
  CHECK(text(std::numeric_limits<double>::infinity()) == "inf");
}
