#include "support.hpp"

using namespace testing;

TEST_CASE("chord offsets are the diagonal and the powers of the base") {
  Context context("host");
  using Offsets = std::vector<int64_t>;
  CHECK(Pattern::chord(context, 8).offsets() == Offsets{0, 1, 2, 4});
  CHECK(Pattern::chord(context, 1).offsets() == Offsets{0});
  CHECK(Pattern::chord(context, 2).offsets() == Offsets{0, 1});
  CHECK(Pattern::chord(context, 3).offsets() == Offsets{0, 1});
  CHECK(Pattern::chord(context, 2000).links() == 11);
  CHECK(Pattern::chord(context, 4097).links() == 13);
  CHECK(Pattern::chord(context, 27, 3).offsets() == Offsets{0, 1, 3, 9});
  CHECK(Pattern::chord(context, 2, 3).offsets() == Offsets{0, 1});
  CHECK(Pattern::chord(context, 24, 5).offsets() == Offsets{0, 1, 5});
  CHECK(Pattern::chord(context, 1024, 2, 12).offsets().back() == 1024);
  CHECK(Pattern::symmetric(context, 8).offsets() == Offsets{0, 1, -1, 2, -2, 4, -4});
  CHECK(Pattern::symmetric(context, 8, 2, 4).offsets() == Offsets{0, 1, -1, 2});
  CHECK(Pattern::custom(context, 5, {7, -9, 7}).offsets() == Offsets{7, -9, 7});
}

TEST_CASE("powers beyond 64 bits wrap like any offset") {
  Context context("host");
  const int64_t n = 1000, links = 100;
  const auto pattern = Pattern::chord(context, n, 2, links);
  int64_t power = 1;
  const auto offsets = pattern.offsets();
  for (int64_t k = 1; k < links; ++k) {
    CHECK(reference::modulo(offsets[k], n) == power);
    power = power * 2 % n;
  }
}

TEST_CASE("the length of a full chain") {
  CHECK(chord::full_chain_length(1) == 0);
  CHECK(chord::full_chain_length(2) == 1);
  CHECK(chord::full_chain_length(1024) == 10);
  CHECK(chord::full_chain_length(4097) == 13);
  CHECK(chord::full_chain_length(27, 3) == 6);
}
