#include "device/pool.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "common/error.hpp"

namespace {

/// Counts what the pool asks of a device, which has only so much.
class CountingQueue final : public chord::Queue {
 public:
  explicit CountingQueue(std::size_t capacity) : free_bytes(capacity) {}
  const chord::DeviceDescription& device() const override { return description; }
  void* allocate(std::size_t bytes) override {
    if (bytes > free_bytes) chord::fail(chord::Status::out_of_memory, "no more");
    free_bytes -= bytes;
    void* memory = std::malloc(bytes);
    sizes.emplace(memory, bytes);
    return memory;
  }
  void release(void* memory) noexcept override {
    const auto found = sizes.find(memory);
    free_bytes += found->second;
    sizes.erase(found);
    std::free(memory);
  }
  void copy(void*, const void*, std::size_t) override {}
  void run(int, chord::Grid, const void* const*) override {}
  void wait() override { ++waits; }

  chord::DeviceDescription description;
  std::map<void*, std::size_t> sizes;
  std::size_t free_bytes;
  int waits = 0;
};

}  // namespace

TEST_CASE("a released block is handed out again, also for a slightly smaller request") {
  CountingQueue queue(1 << 20);
  chord::Pool pool(queue);
  void* first = pool.allocate(1000);
  pool.release(first);
  CHECK(pool.allocate(900) == first);
  CHECK(pool.statistics().device_allocations == 1);
  void* second = pool.allocate(1000);
  CHECK(second != first);
  CHECK(pool.statistics().device_allocations == 2);
  pool.release(first);
  pool.release(second);
}

TEST_CASE("a small request does not take a large block") {
  CountingQueue queue(1 << 20);
  chord::Pool pool(queue);
  pool.release(pool.allocate(100000));
  void* small = pool.allocate(100);
  CHECK(pool.statistics().device_allocations == 2);
  pool.release(small);
}

TEST_CASE("unused blocks are given up before a request fails, after the queue was waited for") {
  CountingQueue queue(10000);
  chord::Pool pool(queue);
  pool.release(pool.allocate(6000));
  void* other = pool.allocate(9000);
  CHECK(other != nullptr);
  CHECK(queue.waits == 1);
  CHECK_THROWS_AS(pool.allocate(5000), chord::Error);
  pool.release(other);
  CHECK(pool.statistics().bytes_in_use == 0);
}

TEST_CASE("peak and reserved bytes are counted, and trimming gives all unused memory back") {
  CountingQueue queue(1 << 20);
  {
    chord::Pool pool(queue);
    void* a = pool.allocate(4096);
    void* b = pool.allocate(4096);
    pool.release(a);
    CHECK(pool.statistics().bytes_in_use == 4096);
    CHECK(pool.statistics().peak_bytes == 8192);
    CHECK(pool.statistics().reserved_bytes == 8192);
    pool.trim();
    CHECK(pool.statistics().reserved_bytes == 4096);
    pool.release(b);
  }
  CHECK(queue.sizes.empty());
}

TEST_CASE("absurd sizes are refused, not wrapped around") {
  CountingQueue queue(1 << 20);
  chord::Pool pool(queue);
  CHECK_THROWS_AS(pool.allocate(~std::size_t(0)), chord::Error);
}
