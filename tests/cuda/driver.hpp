// The driver's own side of its handles, and what its functions have in common: every one is refused before cuInit,
// without a context where it needs one, and after a fault.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "device/cuda/driver_api.hpp"
#include "driver_codes.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "reports.hpp"

namespace chord::cuda {

#define CHORD_EXPORT(name, ...) extern "C" __attribute__((visibility("default"))) Result name(__VA_ARGS__);
CHORD_CUDA_FUNCTIONS(CHORD_EXPORT)
#undef CHORD_EXPORT

using standin::format;
using Work = std::function<void()>;

/// In a capture: of each stream, how many of its nodes something comes after.
using Clock = std::map<Stream*, std::size_t>;

struct Capture {
  Stream* origin = nullptr;
  std::thread::id thread;
  std::vector<Work> nodes;
  bool broken = false;
  std::map<Stream*, Clock> clocks;
};

struct Stream {
  DriverContext* context = nullptr;
  std::deque<Work> work;  ///< not begun yet: in lazy mode
  std::shared_ptr<Capture> capture;
};

/// The point in a stream that an event was recorded at.
struct Moment {
  DriverContext* context = nullptr;
  Stream* stream = nullptr;  ///< not to be looked at once it is reached: it may be gone
  bool reached = false;
  std::shared_ptr<Capture> capture;
  Clock clock;
};

struct Event {
  std::shared_ptr<Moment> last;
};

/// What was captured; who launches it shares it, so that it may be destroyed before it ran.
struct Graph {
  std::shared_ptr<const std::vector<Work>> nodes;
};

struct GraphExec {
  std::shared_ptr<const std::vector<Work>> nodes;
};

struct Function {
  const Module* module = nullptr;
  const PtxEntry* entry = nullptr;
  int dynamic_shared_limit = 0;
};

struct Module {
  DriverContext* context = nullptr;
  const PtxModule* table = nullptr;
  std::map<std::string, Function> functions;
  std::vector<std::uint64_t> variables;  ///< their addresses
};

/// The primary context of a device, with the device's memory.
struct DriverContext {
  explicit DriverContext(Device of);
  Device device;
  int retained = 0;
  Result error = success;  ///< after a fault, for good
  standin::Arena memory;
  Stream default_stream;
};

/// What there is in the process.
struct Driver {
  std::mutex mutex;  ///< held by every call; work runs inside one
  bool initialised = false;
  std::vector<std::unique_ptr<DriverContext>> contexts;  ///< of each visible device
  standin::Ranges pinned;
  std::set<Stream*> streams;  ///< handles that are good
  std::set<Event*> events;
  std::set<Graph*> graphs;
  std::set<GraphExec*> execs;
  std::set<Module*> modules;
  std::set<Function*> functions;
};
Driver& driver();

/// Of this thread; the last is current.
std::vector<DriverContext*>& context_stack();

/// A call that makes no sense: reported, and refused with an error.
Result misuse(Result error, const std::string& message);

void trace(const char* call);

/// Tells whoever watches (chord_standin_watch_memory) that this thread is in a call.
class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

/// Whether a test wants this allocation of the device's or of pinned memory to fail.
bool memory_fails();

/// Runs a function's body if cuInit was called.
template <class Body>
Result with_driver(const char* call, Body body) {
  const Inside inside;
  const std::lock_guard lock(driver().mutex);
  trace(call);
  if (!driver().initialised) return misuse(not_initialized, format("%s before cuInit", call));
  return body();
}

/// Runs it with the current context, unless that is lost.
template <class Body>
Result with_context(const char* call, Body body) {
  return with_driver(call, [&]() -> Result {
    if (context_stack().empty())
      return misuse(invalid_context, format("%s: no context is current in this thread", call));
    DriverContext& context = *context_stack().back();
    return context.error ? context.error : body(context);
  });
}

/// The stream of a handle; small numbers are names of the default stream. Null: there is none.
Stream* good_stream(Stream* handle, DriverContext& context);

template <class Body>
Result with_stream(const char* call, Stream* handle, Body body) {
  return with_context(call, [&](DriverContext& context) -> Result {
    Stream* stream = good_stream(handle, context);
    if (!stream) return misuse(invalid_handle, format("%s: no such stream", call));
    return stream->context->error ? stream->context->error : body(*stream);
  });
}

/// The memory that an address belongs to, of whatever device; null: the host's.
standin::Arena* arena_of(Address address);

/// Not allowed in a thread that captures: the capture is lost.
Result refuse_in_capture(const char* call);

/// Work for a stream: now, when somebody waits, or for the graph that is being captured.
Result enqueue(Stream& stream, Work work);
/// All that a device has to do.
void finish_all(DriverContext& context);

}  // namespace chord::cuda
