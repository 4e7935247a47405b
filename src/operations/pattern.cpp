#include "operations/pattern.hpp"

#include "common/error.hpp"
#include "common/size.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

// More links than this serve no matrix: offsets repeat beyond N, and 62 doublings reach any N that can be stored.
constexpr std::int64_t most_links = 4096;

void check(std::int64_t n, std::int64_t base) {
  if (n < 1) fail(Status::invalid_argument, "a pattern needs n ≥ 1, not ", n);
  checked_int32(n, "n");
  if (base < 2) fail(Status::invalid_argument, "a chord pattern needs a base ≥ 2, not ", base);
}

/// Offsets are used modulo n only, so a power may be kept small once it is past n: its residue is what counts. They
/// are kept as they are while they fit, which is what people expect to read.
std::int64_t next_power(std::int64_t power, std::int64_t base, std::int64_t n) {
  std::int64_t next;
  if (!__builtin_mul_overflow(power, base, &next)) return next;
  return static_cast<std::int64_t>(static_cast<__int128>(power % n) * (base % n) % n);
}

}  // namespace

void expect_link_count(std::int64_t links) {
  if (links < 1 || links > most_links)
    fail(Status::invalid_argument, "a pattern has 1 to ", most_links, " links, not ", links);
}

std::vector<std::int64_t> chord_offsets(std::int64_t n, std::int64_t base, std::int64_t links) {
  check(n, base);
  if (links != 0) expect_link_count(links);
  std::int64_t wanted = links;
  if (wanted == 0) {
    wanted = 1;
    for (std::int64_t power = 1; base == 2 ? power <= n / 2 : power < n; power *= base) ++wanted;
  }
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t power = 1; std::int64_t(offsets.size()) < wanted; power = next_power(power, base, n))
    offsets.push_back(power);
  return offsets;
}

std::vector<std::int64_t> symmetric_chord_offsets(std::int64_t n, std::int64_t base, std::int64_t links) {
  check(n, base);
  if (links != 0) expect_link_count(links);
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t power = 1; links ? std::int64_t(offsets.size()) < links : power <= n / 2;
       power = next_power(power, base, n)) {
    offsets.push_back(power);
    if (!links || std::int64_t(offsets.size()) < links) offsets.push_back(-power);
  }
  return offsets;
}

std::int64_t full_chain_length(std::int64_t n, std::int64_t base) {
  check(n, base);
  std::int64_t digits = 0;
  for (std::int64_t reach = 1; reach < n; reach = checked_multiply(reach, base)) ++digits;
  return digits * (base - 1);
}

Pattern::Pattern(const std::shared_ptr<Context>& context, std::int64_t n, std::vector<std::int64_t> offsets)
    : n_(n), offsets_(std::move(offsets)) {
  check(n, 2);
  expect_link_count(links());
  std::vector<std::int32_t> reduced;
  for (const std::int64_t offset : offsets_) reduced.push_back(static_cast<std::int32_t>((offset % n + n) % n));
  reduced_ = Tensor::create(context, DataType::int32, {links()});
  copy_from_host(reduced.data(), reduced_);
}

}  // namespace chord
