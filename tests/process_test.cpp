// What a process may do with the library around fork and exit.
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "support.hpp"

using namespace testing;

namespace {

/// The body's result as seen by a forked child.
int in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a forked child gets a status, and may destroy what it inherited") {
  on_every_device([](Context& context) {
    Tensor tensor = Tensor::from<float>(context, {2}, {1, 2});
    CHECK(in_child([&] {
            float data[2];
            const chord_status read = chord_tensor_to_host(tensor.get(), data, sizeof data);
            const chord_status wait = chord_context_wait(context.get());
            chord_context* fresh = nullptr;
            const chord_status open = chord_context_create("host", &fresh);
            tensor = Tensor();
            return read == CHORD_ERROR_FORKED && wait == CHORD_ERROR_FORKED && open == CHORD_ERROR_FORKED &&
                   std::string(chord_last_error()).find("fork") != std::string::npos;
          }) == 0);
    CHECK(tensor.to_host<float>() == std::vector<float>{1, 2});
  });
}

TEST_CASE("a child does not give back memory that its parent lent") {
  Context context("host");
  float memory[2] = {1, 2};
  int released = 0;
  const int64_t shape[] = {2};
  chord_tensor* wrapped = nullptr;
  chord::check(chord_tensor_wrap(
      context.get(), CHORD_FLOAT32, 1, shape, nullptr, memory, [](void* count) { ++*static_cast<int*>(count); },
      &released, &wrapped));
  CHECK(in_child([&] { return chord_tensor_destroy(wrapped) == CHORD_SUCCESS && released == 0; }) == 0);
  chord::check(chord_tensor_destroy(wrapped));
  CHECK(released == 1);
}

namespace {

struct Leftovers {
  std::unique_ptr<Context> context;
  Tensor tensor;
};
Leftovers leftovers;  // destroyed while the process exits, after the device runtimes

}  // namespace

TEST_CASE("handles may be destroyed while the process exits") {
  leftovers.context = std::make_unique<Context>("auto");
  leftovers.tensor = Tensor::from<float>(*leftovers.context, {1}, {1.0f});
  CHECK(leftovers.tensor.to_host<float>().size() == 1);
}
