// What callbacks may do: end their thread, call the library, be replaced.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "support.hpp"

using namespace testing;

namespace {

/// A factorisation that asks its callback at once, and says to the log that it cannot keep a checkpoint.
struct Fit {
  Context context{"host"};
  Pattern pattern = Pattern::chord(context, 8);
  chord::Matrix matrix = chord::Matrix::dense(8, random_values(64, 1));
  chord_factorize_options options = chord::factorize_options();

  Fit() {
    options.iterations = 200;
    options.checkpoint = "/nonexistent/folder/checkpoint";
    options.checkpoint_seconds = 1e-9;
  }
  chord_status run() {
    chord_factorization* result = nullptr;
    const chord_status status = chord_factorize(pattern.get(), matrix.get(), &options, &result);
    static_cast<void>(chord_factorization_destroy(result));
    return status;
  }
};

/// Runs the body in a thread of its own, which may end in the middle of it; returns whether it came to its end.
bool comes_to_its_end(const std::function<void()>& body) {
  struct Task {
    const std::function<void()>& body;
    bool ended = false;
  } task{body};
  pthread_t thread;
  REQUIRE(pthread_create(
              &thread, nullptr,
              [](void* data) -> void* {
                static_cast<Task*>(data)->body();
                static_cast<Task*>(data)->ended = true;
                return nullptr;
              },
              &task) == 0);
  pthread_join(thread, nullptr);
  return task.ended;
}

}  // namespace

TEST_CASE("a thread may end in the progress callback") {
  Fit fit;
  fit.options.callback = [](const chord_factorize_progress*, void*) -> int32_t { pthread_exit(nullptr); };
  CHECK_FALSE(comes_to_its_end([&] { static_cast<void>(fit.run()); }));
  fit.options.callback = nullptr;
  CHECK(comes_to_its_end([&] { CHECK(fit.run() == CHORD_SUCCESS); }));
}

TEST_CASE("a thread may end in the log callback") {
  Fit fit;
  chord::check(chord_set_log_callback([](int32_t, const char*, void*) { pthread_exit(nullptr); }, nullptr));
  CHECK_FALSE(comes_to_its_end([&] { static_cast<void>(fit.run()); }));
  chord::check(chord_set_log_callback(nullptr, nullptr));
  CHECK(fit.run() == CHORD_SUCCESS);
}

TEST_CASE("a log callback that was replaced is no longer running") {
  struct Seen {
    std::atomic<bool> began{false}, ended{false};
  };
  for (int round = 0; round < 20; ++round) {
    Seen seen;
    chord::check(chord_set_log_callback(
        [](int32_t, const char*, void* user) {
          Seen& mine = *static_cast<Seen*>(user);
          mine.began = true;
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          mine.ended = true;
        },
        &seen));
    std::thread fitting([] { static_cast<void>(Fit().run()); });
    while (!seen.began) std::this_thread::yield();
    chord::check(chord_set_log_callback(nullptr, nullptr));
    CHECK(seen.ended);
    fitting.join();
  }
}

TEST_CASE("a log callback may replace itself") {
  std::atomic<int> calls{0};
  chord::check(chord_set_log_callback(
      [](int32_t, const char*, void* user) {
        ++*static_cast<std::atomic<int>*>(user);
        static_cast<void>(chord_set_log_callback(nullptr, nullptr));
      },
      &calls));
  Fit fit;
  CHECK(fit.run() == CHORD_SUCCESS);
  CHECK(fit.run() == CHORD_SUCCESS);
  CHECK(calls == 1);
}
