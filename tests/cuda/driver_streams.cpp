// Streams, events, captures and graphs. A graph is the list of what was captured, in that order.
#include <algorithm>

#include "counts.hpp"
#include "driver.hpp"
#include "options.hpp"

namespace chord::cuda {

namespace code = standin::code;

namespace {

void run_next(Stream& stream) {
  const Work work = std::move(stream.work.front());
  stream.work.pop_front();
  work();
}

void finish(Stream& stream) {
  while (!stream.work.empty()) run_next(stream);
}

void reach(Moment& moment) {
  while (!moment.reached) run_next(*moment.stream);
}

void merge(Clock& into, const Clock& other) {
  for (const auto& [stream, count] : other) into[stream] = std::max(into[stream], count);
}

/// Whether the origin of a capture waited for the last node of every stream that joined.
bool is_joined(Capture& capture) {
  const Clock& known = capture.clocks[capture.origin];
  return std::all_of(capture.clocks.begin(), capture.clocks.end(), [&](const auto& other) {
    const auto own = other.second.find(other.first);
    if (other.first == capture.origin || own == other.second.end()) return true;
    const auto seen = known.find(other.first);
    return seen != known.end() && seen->second >= own->second;
  });
}

Result lose(Capture& capture, const char* call) {
  capture.broken = true;
  return misuse(capture_unsupported, format("%s while a stream is being captured", call));
}

template <class Handle, class Body>
Result with_handle(const char* call, const std::set<Handle*>& good, Handle* handle, Body body) {
  return with_context(call, [&](DriverContext&) -> Result {
    return good.count(handle) ? body(*handle) : misuse(invalid_handle, format("%s: no such handle", call));
  });
}

}  // namespace

Result refuse_in_capture(const char* call) {
  for (Stream* stream : driver().streams)
    if (stream->capture && stream->capture->thread == std::this_thread::get_id()) return lose(*stream->capture, call);
  return success;
}

Stream* good_stream(Stream* handle, DriverContext& context) {
  if (reinterpret_cast<std::uintptr_t>(handle) <= 2) return &context.default_stream;
  return driver().streams.count(handle) ? handle : nullptr;
}

Result enqueue(Stream& stream, Work work) {
  if (stream.capture) {
    Capture& capture = *stream.capture;
    if (capture.broken) return capture_invalidated;
    capture.nodes.push_back(std::move(work));
    capture.clocks[&stream][&stream] = capture.nodes.size();
  } else if (standin::options().lazy) {
    stream.work.push_back(std::move(work));
  } else {
    work();
  }
  return success;
}

void finish_all(DriverContext& context) {
  finish(context.default_stream);
  for (Stream* stream : driver().streams)
    if (stream->context == &context) finish(*stream);
}

// ---- streams

Result cuStreamCreate(Stream** stream, unsigned) {
  return with_context("cuStreamCreate", [&](DriverContext& context) {
    *stream = new Stream{&context, {}, nullptr};
    driver().streams.insert(*stream);
    return success;
  });
}

Result cuStreamDestroy_v2(Stream* stream) {
  return with_handle("cuStreamDestroy", driver().streams, stream, [](Stream& good) {
    finish(good);
    driver().streams.erase(&good);
    delete &good;
    return success;
  });
}

Result cuStreamGetCtx(Stream* stream, DriverContext** context) {
  return with_stream("cuStreamGetCtx", stream, [&](Stream& good) {
    *context = good.context;
    return success;
  });
}

Result cuStreamSynchronize(Stream* stream) {
  return with_stream("cuStreamSynchronize", stream, [](Stream& good) -> Result {
    if (good.capture) return lose(*good.capture, "cuStreamSynchronize");
    standin::count_wait();
    finish(good);
    return good.context->error;
  });
}

// The stream joins the capture of the event, or waits for the moment of its last record.
Result cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  return with_stream("cuStreamWaitEvent", stream, [&](Stream& good) -> Result {
    if (!driver().events.count(event)) return misuse(invalid_handle, "cuStreamWaitEvent: no such event");
    const std::shared_ptr<Moment> moment = event->last;
    if (!moment) return success;
    if (moment->capture) {
      if (good.capture && good.capture != moment->capture) return lose(*good.capture, "waiting for another capture");
      good.capture = moment->capture;
      merge(good.capture->clocks[&good], moment->clock);
      return success;
    }
    if (good.capture) return lose(*good.capture, "waiting for an event from outside");
    return enqueue(good, [moment] { reach(*moment); });
  });
}

// ---- events

Result cuEventCreate(Event** event, unsigned) {
  return with_context("cuEventCreate", [&](DriverContext&) {
    *event = new Event;
    driver().events.insert(*event);
    return success;
  });
}

// A moment that is still to come is not lost with its event.
Result cuEventDestroy_v2(Event* event) {
  return with_handle("cuEventDestroy", driver().events, event, [](Event& good) {
    driver().events.erase(&good);
    delete &good;
    return success;
  });
}

Result cuEventRecord(Event* event, Stream* stream) {
  return with_stream("cuEventRecord", stream, [&](Stream& good) -> Result {
    if (!driver().events.count(event)) return misuse(invalid_handle, "cuEventRecord: no such event");
    const auto moment = std::make_shared<Moment>();
    event->last = moment;
    moment->context = good.context;
    moment->stream = &good;
    moment->capture = good.capture;
    if (good.capture) {
      moment->clock = good.capture->clocks[&good];
      return success;
    }
    return enqueue(good, [moment] { moment->reached = true; });
  });
}

Result cuEventSynchronize(Event* event) {
  return with_handle("cuEventSynchronize", driver().events, event, [](Event& good) -> Result {
    if (!good.last) return success;
    if (good.last->capture) return misuse(code::captured_event, "cuEventSynchronize: the event is of a capture");
    standin::count_wait();
    reach(*good.last);
    return good.last->context->error;
  });
}

// ---- captures and graphs

Result cuStreamBeginCapture_v2(Stream* stream, int) {
  return with_stream("cuStreamBeginCapture", stream, [](Stream& good) -> Result {
    if (&good == &good.context->default_stream)
      return misuse(capture_unsupported, "the default stream cannot be captured");
    if (good.capture) return misuse(code::illegal_state, "cuStreamBeginCapture: the stream is being captured");
    good.capture = std::make_shared<Capture>();
    good.capture->origin = &good;
    good.capture->thread = std::this_thread::get_id();
    return success;
  });
}

Result cuStreamEndCapture(Stream* stream, Graph** graph) {
  return with_stream("cuStreamEndCapture", stream, [&](Stream& good) -> Result {
    *graph = nullptr;
    const std::shared_ptr<Capture> capture = good.capture;
    if (!capture) return misuse(code::illegal_state, "cuStreamEndCapture: the stream is not being captured");
    if (capture->origin != &good) return misuse(code::capture_unmatched, "cuStreamEndCapture: begun in another stream");
    for (Stream* other : driver().streams)
      if (other->capture == capture) other->capture = nullptr;
    if (capture->broken) return capture_invalidated;
    if (!is_joined(*capture))
      return misuse(code::capture_unjoined, "cuStreamEndCapture: a stream that joined the capture is not waited for");
    *graph = new Graph{std::make_shared<const std::vector<Work>>(std::move(capture->nodes))};
    driver().graphs.insert(*graph);
    return success;
  });
}

Result cuGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long) {
  return with_handle("cuGraphInstantiate", driver().graphs, graph, [&](Graph& good) {
    *exec = new GraphExec{good.nodes};
    driver().execs.insert(*exec);
    return success;
  });
}

Result cuGraphLaunch(GraphExec* exec, Stream* stream) {
  return with_stream("cuGraphLaunch", stream, [&](Stream& good) -> Result {
    if (!driver().execs.count(exec)) return misuse(invalid_handle, "cuGraphLaunch: no such graph");
    standin::count_graph_launch();
    return enqueue(good, [nodes = exec->nodes] {
      for (const Work& node : *nodes) node();
    });
  });
}

Result cuGraphDestroy(Graph* graph) {
  return with_handle("cuGraphDestroy", driver().graphs, graph, [](Graph& good) {
    driver().graphs.erase(&good);
    delete &good;
    return success;
  });
}

Result cuGraphExecDestroy(GraphExec* exec) {
  return with_handle("cuGraphExecDestroy", driver().execs, exec, [](GraphExec& good) {
    driver().execs.erase(&good);
    delete &good;
    return success;
  });
}

}  // namespace chord::cuda
