// Callbacks that are told how much is done.
#pragma once

#include <chord/chord.h>

#include "common/error.hpp"
#include "data/dataset.hpp"

namespace chord::capi {

inline Progress progress_of(chord_progress_callback callback, void* user) {
  if (!callback) return {};
  return [=](std::int64_t done, std::int64_t total) {
    if (callback(done, total, user) != 0)
      fail(Status::stopped, "stopped by the callback when ", done, " of ", total, " were done");
  };
}

}  // namespace chord::capi
