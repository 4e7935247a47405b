// A function that can wait in the middle: it is written as one, with co_await where it waits for something that its
// caller does for several of them at once, and goes on when it is resumed. A user's functions are not called inside of
// one: a thread that is ended in them (pthread_exit) cannot unwind through it.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace chord {

template <class Result>
class Coroutine {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    std::optional<Result> result;
    std::exception_ptr error;
    std::coroutine_handle<> caller = std::noop_coroutine();

    Coroutine get_return_object() { return Coroutine(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    /// Who has awaited it goes on.
    struct Back {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(Handle ended) noexcept { return ended.promise().caller; }
      void await_resume() noexcept {}
    };
    Back final_suspend() noexcept { return {}; }
    void return_value(Result value) { result = std::move(value); }
    /// Kept for who asks for the result.
    void unhandled_exception() { error = std::current_exception(); }
  };

  Coroutine(Coroutine&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;
  Coroutine& operator=(Coroutine&&) = delete;
  ~Coroutine() {
    if (handle_) handle_.destroy();
  }

  /// For who is none: runs it until it waits for the first time, or ends.
  void begin() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  /// Of one that is done; what it threw is thrown here.
  Result result() {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return std::move(*handle_.promise().result);
  }

  // For another one: co_await runs it and gives its result.
  bool await_ready() const noexcept { return false; }
  Handle await_suspend(std::coroutine_handle<> caller) noexcept {
    handle_.promise().caller = caller;
    return handle_;
  }
  Result await_resume() { return result(); }

 private:
  explicit Coroutine(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace chord
