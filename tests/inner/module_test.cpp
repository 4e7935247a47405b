// The door to the SYCL module stays shut to what is not of this build.
#include <doctest/doctest.h>

#include "device/sycl/loader.hpp"

using namespace chord;

namespace {

std::string refusal(const std::string& path) {
  try {
    open_sycl_module(path, {"", "", &log});
  } catch (const Error& error) {
    return error.what();
  }
  return "it was opened";
}

}  // namespace

TEST_CASE("a module of another version is refused before anything of it is used") {
  const std::string path = CHORD_STALE_MODULE;
  CHECK(refusal(path) == path +
                             " is not of the same build as this library; the module says SparseChord 0.1.7, module "
                             "interface 1; expected " +
                             module_fingerprint());
}

TEST_CASE("so is one without a fingerprint") {
  CHECK(refusal(CHORD_NAMELESS_MODULE).find("the module says nothing: it is older than 0.2") != std::string::npos);
}

TEST_CASE("a module that is not there is missed by its name") {
  CHECK(refusal("/nowhere/libchord_sycl.so").find("/nowhere/libchord_sycl.so") != std::string::npos);
}
