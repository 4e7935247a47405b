// One call of the interface: what it uses lives until it ends.
#pragma once

#include <array>

#include "capi/slots.hpp"

namespace chord::capi {

class Call {
 public:
  Call() : outer_(current_) { current_ = this; }
  ~Call() {
    current_ = outer_;
    // An object that was destroyed meanwhile goes here, and may call back.
    while (count_ > 0) unpin(*pinned_[--count_]);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The object of a handle, checked and kept until this thread's call ends.
  static void* use(const void* handle, HandleKind kind, const char* name);

 private:
  static constexpr std::size_t most = 24;
  static constinit thread_local Call* current_;

  Call* outer_;  // a callback may call the library
  std::size_t count_ = 0;
  std::array<Slot*, most> pinned_;
};

}  // namespace chord::capi
