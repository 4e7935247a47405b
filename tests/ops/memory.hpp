// Arrays in a device's memory, with guards around: what lies outside of an array is NaN (−1 for integers) and must
// stay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>

#include "arrays.hpp"
#include "device/queue.hpp"

namespace ops {

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Around arrays where alignment matters, as it does in use; a GPU has no arrays of no bytes, either.
inline constexpr std::size_t aligned_guard = 64;

class Memory {
 public:
  /// `guard`: values before and behind every array; an odd number leaves arrays aligned to their values only.
  /// `given`: what arrays of these names hold, instead of what the case would put there.
  Memory(chord::Queue& queue, std::size_t guard, Arrays given = {})
      : queue_(queue), guard_(guard), given_(std::move(given)) {}
  ~Memory() {
    for (const Block& block : blocks_) queue_.release(block.device);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const chord::DeviceDescription& device() const { return queue_.device(); }

  /// Inputs and outputs alike: who reads an array, who writes it is the operation's business. All are compared.
  template <class E>
  E* array(const std::string& name, const Values& values) {
    return array<E>(name, values, guard_);
  }
  /// Where memory of the pool begins, whatever the guard of others is.
  template <class E>
  E* aligned_array(const std::string& name, const Values& values) {
    return array<E>(name, values, aligned_guard);
  }
  template <class E>
  E* array(const std::string& name, std::size_t count) {
    return array<E>(name, uniform(name, count));
  }
  template <class T>
  chord::kernels::View<T> view(const std::string& name, const Box& box) {
    return box.view(array<T>(name, box.size()));
  }
  /// Work space: nobody looks at it afterwards, but what is around it must stay.
  template <class E>
  E* scratch(std::size_t count) {
    return scratch<E>(count, guard_);
  }
  template <class E>
  E* aligned_scratch(std::size_t count) {
    return scratch<E>(count, aligned_guard);
  }
  static constexpr const char* work_space = "";

  /// Where an array lies.
  struct Place {
    const void* data;
    std::size_t bytes;
  };
  Place place(const std::string& name) const {
    for (const Block& block : blocks_)
      if (block.name == name)
        return {static_cast<const std::byte*>(block.device) + block.guard, block.bytes.size() - 2 * block.guard};
    throw std::logic_error("there is no array '" + name + "'");
  }
  /// For the reference: what followed from the device, e.g. how rows are cut into tiles.
  void note(const std::string& name, std::int64_t number) { arrays_[name] = {double(number)}; }

  /// As they were before the launch.
  const Arrays& arrays() const { return arrays_; }

  /// As they are now; throws Broken where a guard was touched.
  Arrays fetch() {
    std::vector<std::vector<std::byte>> found;
    for (const Block& block : blocks_) {
      found.emplace_back(block.bytes.size());
      if (!block.bytes.empty()) queue_.copy(found.back().data(), block.device, found.back().size());
    }
    queue_.wait();
    Arrays all = arrays_;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const std::size_t guard = blocks_[i].guard, end = found[i].size() - guard;
      const auto untouched = [](std::byte each) { return each == std::byte(0xff); };
      if (!std::all_of(found[i].begin(), found[i].begin() + std::ptrdiff_t(guard), untouched) ||
          !std::all_of(found[i].begin() + std::ptrdiff_t(end), found[i].end(), untouched))
        throw Broken("wrote outside of " + (blocks_[i].name.empty() ? "its scratch memory" : blocks_[i].name));
      if (!blocks_[i].name.empty()) all[blocks_[i].name] = blocks_[i].values_of(found[i].data() + guard, end - guard);
    }
    return all;
  }

 private:
  template <class E>
  E* array(const std::string& name, const Values& values, std::size_t guard) {
    const auto found = given_.find(name);
    const Values& held = found == given_.end() ? values : found->second;
    const std::vector<E> typed(held.begin(), held.end());
    arrays_[name] = Values(typed.begin(), typed.end());  // as the device has them
    return upload(name, typed, guard);
  }
  template <class E>
  E* scratch(std::size_t count, std::size_t guard) {
    return upload(work_space, std::vector<E>(count, std::is_integral_v<E> ? E(-1) : E(NAN)), guard);
  }

  struct Block {
    std::string name;
    void* device;
    std::size_t guard;             // in bytes
    std::vector<std::byte> bytes;  // until the copy is done
    Values (*values_of)(const std::byte* from, std::size_t bytes);
  };

  template <class E>
  E* upload(const std::string& name, const std::vector<E>& typed, std::size_t guard_values) {
    const std::size_t guard = guard_values * sizeof(E), bytes = typed.size() * sizeof(E);
    std::vector<std::byte> host(bytes + 2 * guard, std::byte(0xff));
    if (bytes) std::memcpy(host.data() + guard, typed.data(), bytes);
    void* device = queue_.allocate(std::max<std::size_t>(host.size(), 1));
    blocks_.push_back({name, device, guard, std::move(host), [](const std::byte* from, std::size_t length) {
                         std::vector<E> found(length / sizeof(E));
                         if (length) std::memcpy(found.data(), from, length);
                         return Values(found.begin(), found.end());
                       }});
    if (!blocks_.back().bytes.empty()) queue_.copy(device, blocks_.back().bytes.data(), blocks_.back().bytes.size());
    return reinterpret_cast<E*>(static_cast<std::byte*>(device) + guard);
  }

  chord::Queue& queue_;
  std::size_t guard_;
  Arrays given_;
  Arrays arrays_;
  std::vector<Block> blocks_;
};

}  // namespace ops
