// Work that is queued again and again with the same arguments: launched the first time, recorded the second, and from
// then on replayed, where the queue can do that; launched every time where it cannot.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "device/arena.hpp"

namespace chord {

class RepeatedWork {
 public:
  /// What it takes from the pool while it works comes from the arena.
  RepeatedWork(Context& context, std::shared_ptr<Arena> arena) : context_(context), arena_(std::move(arena)) {}
  ~RepeatedWork();
  RepeatedWork(const RepeatedWork&) = delete;
  RepeatedWork& operator=(const RepeatedWork&) = delete;

  /// `work` must do the same every time: the same launches, with the same arguments.
  void run(const std::function<void()>& work);

 private:
  Context& context_;
  std::shared_ptr<Arena> arena_;
  bool known_ = false;        // it was launched once, so that all its memory is there
  std::vector<void*> order_;  // of that memory
  std::unique_ptr<Recording> recording_;
};

}  // namespace chord
