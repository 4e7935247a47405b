// A factorisation in a thread of the library's.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "support.hpp"

using namespace testing;
using chord::Factorization;
using chord::Job;
using chord::Matrix;

namespace {

struct Problem {
  Context context{"host"};
  Pattern pattern = Pattern::chord(context, 16);
  Matrix matrix = Matrix::dense(16, random_values(256, 1));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  Problem() { options.iterations = 300; }
};

}  // namespace

TEST_CASE_FIXTURE(Problem, "a job gives what the call gives, to the bit") {
  const Job job(pattern, matrix, options);
  CHECK(job.wait());
  CHECK(job.done());
  const Factorization found = job.result(), again = job.result();
  const Factorization expected = Factorization::fit(pattern, matrix, options);
  CHECK(found.weights().to_host<double>() == expected.weights().to_host<double>());
  CHECK(again.info().error == expected.info().error);
  CHECK(job.progress().iteration > 0);
}

TEST_CASE_FIXTURE(Problem, "a job goes on without what it was made of, and is cancelled from any thread") {
  options.iterations = 0;
  options.gradient_tolerance = options.improvement_tolerance = 1e-300;
  Job job = [&] {
    const Factorization resumed = Factorization::fit(pattern, matrix, [&] {
      chord_factorize_options few = options;
      few.iterations = 5;
      return few;
    }());
    options.resume = resumed.get();
    const Matrix mine = Matrix::dense(16, random_values(256, 1));
    return Job(pattern, mine, options);
  }();
  CHECK_FALSE(job.wait(0.05));
  while (job.progress().iteration == 0) std::this_thread::yield();
  CHECK_FALSE(job.done());
  std::thread([&] { job.cancel(); }).join();
  CHECK(job.result().info().stop == CHORD_STOP_CANCELLED);
}

TEST_CASE_FIXTURE(Problem, "a job that is destroyed, or whose context is closed, ends") {
  options.iterations = 0;
  options.gradient_tolerance = options.improvement_tolerance = 1e-300;
  const int64_t before = chord::object_count();
  for (int i = 0; i < 5; ++i) const Job job(pattern, matrix, options);
  CHECK(chord::object_count() == before);
  Context other("host");
  chord_job* job = nullptr;
  const auto there = Pattern::chord(other, 16);
  chord::check(chord_factorize_start(there.get(), matrix.get(), &options, &job));
  other.close();
  expect(chord_job_cancel(job), CHORD_ERROR_INVALID_HANDLE, "not a live job");
}

TEST_CASE_FIXTURE(Problem, "what a job cannot do is told at once, or with its result") {
  chord_job* job = nullptr;
  options.callback = [](const chord_factorize_progress*, void*) -> int32_t { return 0; };
  expect(chord_factorize_start(pattern.get(), matrix.get(), &options, &job), CHORD_ERROR_INVALID_ARGUMENT, "callback");
  options.callback = nullptr;
  options.seconds = -1;
  expect(chord_factorize_start(pattern.get(), matrix.get(), &options, &job), CHORD_ERROR_INVALID_ARGUMENT, "seconds");
  CHECK(job == nullptr);
}

TEST_CASE("a process that exits ends its jobs") {
  const pid_t child = fork();  // before any context: the child may open its own
  if (child == 0) {
    execl("/proc/self/exe", "chord-tests", "--no-skip", "--test-case=leaves a job behind", nullptr);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE_FIXTURE(Problem, "leaves a job behind" * doctest::skip()) {
  options.iterations = 0;
  options.gradient_tolerance = options.improvement_tolerance = 1e-300;
  chord_job* job = nullptr;
  CHECK(chord_factorize_start(pattern.get(), matrix.get(), &options, &job) == CHORD_SUCCESS);
}

TEST_CASE_FIXTURE(Problem, "a function as callback: it sees progress, stops the fit, and may throw") {
  int calls = 0;
  options.callback_seconds = 1e-9;
  const auto found = Factorization::fit(pattern, matrix, options, [&](const chord_factorize_progress& now) {
    CHECK(now.starts > 0);
    return ++calls == 3;
  });
  CHECK(calls == 3);
  CHECK(found.info().stop == CHORD_STOP_CANCELLED);
  const auto throwing = [](const chord_factorize_progress&) -> bool { throw std::out_of_range("mine"); };
  CHECK_THROWS_AS(Factorization::fit(pattern, matrix, options, throwing), std::out_of_range);
}
