/// A context on a SYCL queue of the caller's. Needs the SYCL runtime that the library's SYCL backend was built for, and
/// <sycl/sycl.hpp>; programs that do not share a queue need neither.
#ifndef CHORD_CHORD_SYCL_HPP
#define CHORD_CHORD_SYCL_HPP

#include <chord/chord.hpp>
#include <sycl/sycl.hpp>

namespace chord {
inline namespace api {

/// Which SYCL runtime these headers are of; the library compares it with its own, since a queue of another would crash.
inline const char* sycl_runtime() {
#define CHORD_TEXT_OF(x) #x
#define CHORD_TEXT(x) CHORD_TEXT_OF(x)
#ifdef __ACPP__
  return "AdaptiveCpp " CHORD_TEXT(ACPP_VERSION_MAJOR) "." CHORD_TEXT(ACPP_VERSION_MINOR);
#else
  return "DPC++ " CHORD_TEXT(__LIBSYCL_MAJOR_VERSION);
#endif
#undef CHORD_TEXT
#undef CHORD_TEXT_OF
}

/// The queue must be in order; the context keeps a copy of it.
inline Context context_on(sycl::queue& queue) {
  chord_context* handle = nullptr;
  check(chord_context_create_on_sycl_queue(&queue, sycl_runtime(), &handle));
  return Context(handle);
}

}  // namespace api
}  // namespace chord

#endif
