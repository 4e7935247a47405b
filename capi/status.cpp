#include "capi/boundary.hpp"

namespace chord::capi {
namespace {

// Plain memory of the thread: it is there without memory, too, and where a thread ends nothing has to be done. (For a
// destructor glibc wants memory when a thread first has an error, and ends the process where it gets none.)
constexpr std::size_t longest_error = 4096;
constinit thread_local char last_error[longest_error] = "";

struct StatusName {
  Status status;
  chord_status value;
  const char* name;
};

#define CHORD_STATUS(internal, name) {Status::internal, name, #name}
constexpr StatusName names[] = {
    CHORD_STATUS(success, CHORD_SUCCESS),
    CHORD_STATUS(invalid_argument, CHORD_ERROR_INVALID_ARGUMENT),
    CHORD_STATUS(invalid_handle, CHORD_ERROR_INVALID_HANDLE),
    CHORD_STATUS(invalid_shape, CHORD_ERROR_INVALID_SHAPE),
    CHORD_STATUS(invalid_type, CHORD_ERROR_INVALID_TYPE),
    CHORD_STATUS(too_large, CHORD_ERROR_TOO_LARGE),
    CHORD_STATUS(out_of_memory, CHORD_ERROR_OUT_OF_MEMORY),
    CHORD_STATUS(no_such_device, CHORD_ERROR_NO_SUCH_DEVICE),
    CHORD_STATUS(device_failure, CHORD_ERROR_DEVICE_FAILURE),
    CHORD_STATUS(compilation_failed, CHORD_ERROR_COMPILATION_FAILED),
    CHORD_STATUS(io_failure, CHORD_ERROR_IO_FAILURE),
    CHORD_STATUS(forked, CHORD_ERROR_FORKED),
    CHORD_STATUS(unsupported, CHORD_ERROR_UNSUPPORTED),
    CHORD_STATUS(context_mismatch, CHORD_ERROR_CONTEXT_MISMATCH),
    CHORD_STATUS(internal, CHORD_ERROR_INTERNAL),
    CHORD_STATUS(invalid_file, CHORD_ERROR_INVALID_FILE),
    CHORD_STATUS(stopped, CHORD_ERROR_STOPPED),
};

constexpr bool statuses_agree() {
  for (const StatusName& each : names)
    if (static_cast<chord_status>(each.status) != each.value) return false;
  return true;
}
static_assert(statuses_agree(), "chord::Status and the CHORD_ERROR values of chord.h have drifted apart");

}  // namespace

chord_status report(Status status, const char* function, const char* message) noexcept {
  std::size_t length = 0;
  for (const std::string_view part : {std::string_view(function), std::string_view(": "), std::string_view(message)}) {
    const std::size_t fitting = fitting_text(part, longest_error - 1 - length);
    std::memmove(last_error + length, part.data(), fitting);  // the message may be that of the error before
    length += fitting;
    if (fitting < part.size()) break;
  }
  last_error[length] = '\0';
  return static_cast<chord_status>(status);
}

}  // namespace chord::capi

const char* chord_status_name(chord_status status) {
  for (const auto& each : chord::capi::names)
    if (each.value == status) return each.name;
  return "unknown status";
}

const char* chord_last_error(void) { return chord::capi::last_error; }

chord_status chord_last_error_copy(char* text, size_t capacity, size_t* length) {
  return chord::capi::guarded(__func__, [&] {
    if (capacity > 0) chord::capi::required(text, "text");
    const std::string_view whole = chord::capi::last_error;
    if (length) *length = whole.size();
    if (capacity == 0) return;
    const std::size_t fitting = chord::capi::fitting_text(whole, capacity - 1);
    whole.copy(text, fitting);
    text[fitting] = '\0';
  });
}
