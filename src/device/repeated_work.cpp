#include "device/repeated_work.hpp"

namespace chord {

RepeatedWork::~RepeatedWork() {
  if (context_.abandoned()) (void)recording_.release();  // as all that belongs to a runtime that is gone
}

void RepeatedWork::run(const std::function<void()>& work) {
  if (!context_.submit()->can_record()) return work();
  const Context::Submission queue = context_.submit();  // before the pool's lock, as everywhere
  if (!known_) {
    order_.clear();
    const Arena::Use memory(*arena_, order_);
    work();
    known_ = true;
    return;
  }
  if (!recording_) {
    const Arena::Use memory(*arena_, order_);
    recording_ = context_.record(work);
  }
  queue->replay(*recording_);
}

}  // namespace chord
