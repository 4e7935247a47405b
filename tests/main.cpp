// The main function of all tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "standin_reports.hpp"

int main(int count, char** arguments) {
  setenv("CHORD_PRETEND_GPU", "1", 0);  // among the devices, unless the caller says no; see src/device/pretend
  const int failed = doctest::Context(count, arguments).run();
  return failed ? failed : testing::unexpected_standin_reports();
}
