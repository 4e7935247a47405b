// Handles: one that is gone is an error for certain, and what a call uses lives until it ends.
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support.hpp"

using namespace testing;

namespace {

chord_tensor* new_tensor(Context& context, int64_t size = 4) {
  chord_tensor* tensor = nullptr;
  chord::check(chord_tensor_create(context.get(), CHORD_FLOAT32, 1, &size, &tensor));
  return tensor;
}

chord_status ask(const chord_tensor* tensor) {
  chord_tensor_info info{};
  info.struct_size = sizeof info;
  return chord_tensor_get_info(tensor, &info);
}

/// A handle that others destroy and replace all the time, until this goes.
class Changing {
 public:
  explicit Changing(Context& context) : context_(context), current_(new_tensor(context)) {
    thread_ = std::thread([this] {
      while (!stop_) {
        chord::check(chord_tensor_destroy(current_.exchange(new_tensor(context_))));
        ++rounds_;
      }
    });
  }
  ~Changing() {
    stop_ = true;
    thread_.join();
    chord::check(chord_tensor_destroy(current_));
  }
  chord_tensor* get() const { return current_; }
  int64_t rounds() const { return rounds_; }

 private:
  Context& context_;
  std::atomic<chord_tensor*> current_;
  std::atomic<bool> stop_{false};
  std::atomic<int64_t> rounds_{0};
  std::thread thread_;
};

/// A thread that does something over and over, and is stopped by a signal wherever it happens to be.
class StoppedNowAndThen {
 public:
  template <class Work>
  explicit StoppedNowAndThen(const Work& work) {
    struct sigaction stop{};
    stop.sa_handler = [](int) { stay(); };
    sigaction(SIGUSR1, &stop, &before_);
    thread_ = std::thread([this, work] {
      while (!done_) work();
    });
  }
  ~StoppedNowAndThen() {
    done_ = true;
    thread_.join();
    sigaction(SIGUSR1, &before_, nullptr);
  }

  /// It stands still while this lives, but not for ever: who waits for it is to be seen, not to hang.
  class Pause {
   public:
    explicit Pause(StoppedNowAndThen& other) {
      state_ = State::asked;
      pthread_kill(other.thread_.native_handle(), SIGUSR1);
      while (state_ == State::asked) std::this_thread::yield();
    }
    ~Pause() {
      State expected = State::still;
      state_.compare_exchange_strong(expected, State::released);
      while (state_ != State::running) std::this_thread::yield();
    }
    bool still() const { return state_ == State::still; }
  };

 private:
  enum class State { running, asked, still, released };
  static inline std::atomic<State> state_{State::running};

  /// In the signal's handler: until it is released, or after ten seconds.
  static void stay() {
    state_ = State::still;
    const timespec millisecond{0, 1000000};
    for (int wait = 0; wait < 10000 && state_ == State::still; ++wait) nanosleep(&millisecond, nullptr);
    state_ = State::running;
  }

  std::thread thread_;
  std::atomic<bool> done_{false};
  struct sigaction before_{};
};

}  // namespace

TEST_CASE("the handle of a destroyed object stays invalid, whatever is created later") {
  Context context("host");
  for (int round = 0; round < 200; ++round) {
    chord_tensor* const gone = new_tensor(context);
    chord::check(chord_tensor_destroy(gone));
    for (int later = 0; later < 3; ++later) {  // memory is used again in some order
      const Tensor next(new_tensor(context));
      REQUIRE(next.get() != gone);
      REQUIRE(ask(gone) == CHORD_ERROR_INVALID_HANDLE);
    }
    REQUIRE(chord_tensor_destroy(gone) == CHORD_ERROR_INVALID_HANDLE);
  }
}

TEST_CASE("numbers that never were handles are refused") {
  Context context("host");
  const auto bits = reinterpret_cast<std::uintptr_t>(context.get());
  float value = 0;
  for (const std::uintptr_t wrong : {std::uintptr_t(1), reinterpret_cast<std::uintptr_t>(&value), ~std::uintptr_t(0),
                                     bits + 100000, bits ^ (std::uintptr_t(1) << 63), bits ^ (std::uintptr_t(1) << 40)})
    expect(ask(reinterpret_cast<const chord_tensor*>(wrong)), CHORD_ERROR_INVALID_HANDLE, "not a live tensor");
}

TEST_CASE("an object destroyed while another thread uses it lives until that call ends") {
  on_every_device([](Context& context) {
    const Changing shared(context);
    int used = 0, late = 0;
    for (int round = 0; round < 500 || used < 50; ++round) {
      float values[4];
      const chord_status found = round % 2 ? ask(shared.get()) : chord_tensor_to_host(shared.get(), values, 16);
      REQUIRE((found == CHORD_SUCCESS || found == CHORD_ERROR_INVALID_HANDLE));
      (found == CHORD_SUCCESS ? used : late) += 1;
    }
    CHECK(used > 0);
  });
}

TEST_CASE("a context destroyed while another thread waits for it") {
  for (int round = 0; round < 100; ++round) {
    chord_context* context = nullptr;
    chord::check(chord_context_create("host", &context));
    std::thread waiting([&] {
      chord_status found = CHORD_SUCCESS;
      while (found == CHORD_SUCCESS) found = chord_context_wait(context);
      CHECK(found == CHORD_ERROR_INVALID_HANDLE);
    });
    std::this_thread::yield();
    chord::check(chord_context_destroy(context));
    waiting.join();
  }
}

// ThreadSanitizer keeps signals for later.
#ifndef __SANITIZE_THREAD__
TEST_CASE("a thread that is stopped anywhere within a call keeps nobody from creating and destroying") {
  Context context("host");
  const Tensor tensor(new_tensor(context));
  StoppedNowAndThen reader([&] { static_cast<void>(ask(tensor.get())); });
  for (int round = 0; round < 300; ++round) {
    const StoppedNowAndThen::Pause pause(reader);
    chord::check(chord_tensor_destroy(new_tensor(context)));
    REQUIRE(pause.still());
  }
}
#endif

TEST_CASE("a child forked while other threads create and destroy gets its status at once") {
  Context context("host");
  const Changing busy(context);
  const Tensor tensor(new_tensor(context));
  for (int round = 0; round < 50; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // a child that hangs is killed
      const double one = 1;
      chord_matrix* matrix = nullptr;
      const bool right = ask(tensor.get()) == CHORD_ERROR_FORKED && chord_matrix_create_dense(1, &one, &matrix) == 0 &&
                         chord_matrix_destroy(matrix) == CHORD_SUCCESS && chord_tensor_destroy(tensor.get()) == 0 &&
                         ask(tensor.get()) == CHORD_ERROR_INVALID_HANDLE;
      _exit(right ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
  }
}

TEST_CASE("a closed context takes all its objects along, whoever has them") {
  on_every_device([](Context& given) {
    Context context(given.device().selector), other(given.device().selector);
    const int64_t before = chord::object_count();
    Tensor tensor(new_tensor(context)), view = tensor.view({2}, {1}), elsewhere(new_tensor(other));
    const Pattern pattern = Pattern::chord(context, 8);
    const chord::Matrix matrix = chord::Matrix::dense(1, {1});
    CHECK(context.object_count() == 3);
    CHECK(other.object_count() == 1);
    CHECK(chord::object_count() == before + 5);
    chord_context* const handle = context.get();
    context.close();
    CHECK(chord::object_count() == before + 1);  // that of the other context, and the matrix
    CHECK(ask(tensor.get()) == CHORD_ERROR_INVALID_HANDLE);
    CHECK(ask(view.get()) == CHORD_ERROR_INVALID_HANDLE);
    CHECK(chord_context_wait(handle) == CHORD_ERROR_INVALID_HANDLE);
    CHECK(ask(elsewhere.get()) == CHORD_SUCCESS);
  });
}
