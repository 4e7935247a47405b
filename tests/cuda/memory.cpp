#include "memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "options.hpp"
#include "reports.hpp"

namespace chord::standin {
namespace {

constexpr std::uint64_t red_zone = 512, granularity = 512, page = 4096;
/// Pages of smaller allocations are kept when these are freed.
constexpr std::uint64_t worth_returning = 65536;

std::uint64_t with_red_zone(std::uint64_t bytes) {
  return (bytes + granularity - 1) / granularity * granularity + red_zone;
}

void* map_pages(std::uint64_t bytes, int protection, int file) {
  const int sharing = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* pages = mmap(nullptr, bytes, protection, sharing | MAP_NORESERVE, file, 0);
  if (pages != MAP_FAILED) return pages;
  say(format("cannot reserve %lu bytes of addresses: %s", bytes, std::strerror(errno)));
  std::abort();
}

Range range_of(std::map<std::uint64_t, std::uint64_t>::const_iterator i) { return {i->first, i->second}; }

}  // namespace

void* reserve(std::uint64_t bytes) { return map_pages(bytes, PROT_READ | PROT_WRITE, -1); }

void Ranges::remove_within(Range range) {
  ranges_.erase(ranges_.lower_bound(range.first), ranges_.lower_bound(range.first + range.bytes));
}

Range Ranges::around(std::uint64_t address) const {
  const Range found = before(address);
  return found.contains(address, 1) ? found : Range{};
}

Range Ranges::before(std::uint64_t address) const {
  const auto next = ranges_.upper_bound(address);
  return next == ranges_.begin() ? Range{} : range_of(std::prev(next));
}

Range Ranges::after(std::uint64_t address) const {
  const auto next = ranges_.upper_bound(address);
  return next == ranges_.end() ? Range{} : range_of(next);
}

// Twice the addresses of what can be allocated, so that freed ones rest for a while.
Arena::Arena(std::uint64_t capacity) : capacity_(capacity), size_((2 * capacity + page) / page * page) {
  file_ = memfd_create("chord-standin", 0);
  if (file_ < 0 || ftruncate(file_, off_t(size_))) {
    say(format("no memory for a device: %s", std::strerror(errno)));
    std::abort();
  }
  base_ = reinterpret_cast<std::uint64_t>(map_pages(size_, PROT_NONE, -1));
  delta_ = reinterpret_cast<std::uint64_t>(map_pages(size_, PROT_READ | PROT_WRITE, file_)) - base_;
  shadow_ = static_cast<unsigned char*>(reserve(size_ / 8 + 8));
  written_ = static_cast<unsigned char*>(reserve(size_ / 8 + 8));
  next_ = base_ + red_zone;
  room_[next_] = size_ - red_zone;
}

// The first room from where the last allocation ended, then from the beginning.
std::uint64_t Arena::take(std::uint64_t bytes) {
  const auto large_enough = [&](const auto& room) { return room.second >= bytes; };
  const auto middle = room_.lower_bound(next_);
  auto found = std::find_if(middle, room_.end(), large_enough);
  if (found == room_.end()) {
    found = std::find_if(room_.begin(), middle, large_enough);
    if (found == middle) return 0;
  }
  const Range room{found->first, found->second};
  room_.erase(found);
  if (room.bytes > bytes) room_[room.first + bytes] = room.bytes - bytes;
  next_ = room.first + bytes;
  return room.first;
}

std::uint64_t Arena::allocate(std::uint64_t bytes) {
  if (bytes == 0 || bytes > capacity_ - used_) return 0;
  const std::uint64_t address = take(with_red_zone(bytes));
  if (!address) return 0;
  const std::uint64_t offset = address - base_;
  freed_.remove_within({address, with_red_zone(bytes)});
  allocated_.add({address, bytes});
  used_ += bytes;
  std::memset(this->bytes(address), 0xff, bytes);
  std::memset(shadow_ + offset / 8, 8, bytes / 8);
  if (bytes % 8) shadow_[(offset + bytes) / 8] = bytes % 8;
  mark_written(address, bytes, false);
  return address;
}

bool Arena::release(std::uint64_t address) {
  const Range range = allocated_.around(address);
  if (!range || range.first != address) return false;
  std::memset(shadow_ + (address - base_) / 8, 0, (range.bytes + 7) / 8);
  const std::uint64_t first = (address - base_ + page - 1) / page * page;
  const std::uint64_t last = (address - base_ + range.bytes) / page * page;
  if (last > first + worth_returning)
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(first), off_t(last - first));
  allocated_.remove(address);
  freed_.add(range);
  used_ -= range.bytes;
  give_back({address, with_red_zone(range.bytes)});
  return true;
}

void Arena::give_back(Range range) {
  auto next = room_.lower_bound(range.first);
  if (next != room_.end() && range.first + range.bytes == next->first) {
    range.bytes += next->second;
    next = room_.erase(next);
  }
  if (next != room_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == range.first) {
      before->second += range.bytes;
      return;
    }
  }
  room_[range.first] = range.bytes;
}

bool Arena::is_allocated(std::uint64_t address, int bytes) const {
  const std::uint64_t offset = address - base_;
  if (offset >= size_) return false;
  const unsigned char* shadow = shadow_ + offset / 8;
  if (bytes > 8) return shadow[0] == 8 && shadow[1] >= bytes - 8;
  return shadow[0] >= offset % 8 + unsigned(bytes);
}

std::string Arena::describe(std::uint64_t address) const {
  std::string words = format("%#lx", address);
  if (const Range r = allocated_.around(address))
    return words + format(", byte %lu of %lu allocated at %#lx", address - r.first, r.bytes, r.first);
  if (const Range r = freed_.around(address))
    return words + format(", byte %lu of %lu that were FREED", address - r.first, r.bytes);
  if (!holds(address)) return words + ", not memory of this device";
  if (const Range r = allocated_.before(address))
    words += format(", %lu bytes past the end of %lu allocated at %#lx", address - r.first - r.bytes, r.bytes, r.first);
  if (const Range r = allocated_.after(address))
    words += format(", %lu bytes before %lu allocated at %#lx", r.first - address, r.bytes, r.first);
  return words;
}

void Arena::mark(std::uint64_t offset, bool written) {
  const auto bit = static_cast<unsigned char>(1u << offset % 8);
  written_[offset / 8] = static_cast<unsigned char>(written ? written_[offset / 8] | bit : written_[offset / 8] & ~bit);
}

void Arena::mark_written(std::uint64_t address, std::uint64_t bytes, bool written) {
  if (!options().uninitialised) return;
  std::uint64_t offset = address - base_;
  const std::uint64_t end = offset + bytes;
  for (; offset < end && offset % 8; ++offset) mark(offset, written);
  const std::uint64_t whole = (end - offset) / 8;
  std::memset(written_ + offset / 8, written ? 0xff : 0, whole);
  for (offset += 8 * whole; offset < end; ++offset) mark(offset, written);
}

void Arena::copy_marks(std::uint64_t to, const Arena& source, std::uint64_t from, std::uint64_t bytes) {
  if (!options().uninitialised) return;
  for (std::uint64_t i = 0; i < bytes; ++i) mark(to - base_ + i, source.is_marked(from - source.base_ + i));
}

std::uint64_t Arena::unwritten(std::uint64_t address, std::uint64_t bytes) const {
  std::uint64_t count = 0;
  for (std::uint64_t offset = address - base_; offset < address - base_ + bytes; ++offset) count += !is_marked(offset);
  return count;
}

}  // namespace chord::standin
