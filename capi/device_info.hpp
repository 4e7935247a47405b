#pragma once

#include "capi/boundary.hpp"
#include "device/queue.hpp"

namespace chord::capi {

inline chord_device_info device_info(const DeviceDescription& device) {
  chord_device_info info{};
  switch (device.kind) {
    case DeviceKind::host: info.kind = CHORD_DEVICE_HOST; break;
    case DeviceKind::cpu: info.kind = CHORD_DEVICE_CPU; break;
    case DeviceKind::gpu: info.kind = CHORD_DEVICE_GPU; break;
    case DeviceKind::other: info.kind = CHORD_DEVICE_OTHER; break;
  }
  info.units = device.units;
  info.memory_bytes = device.memory_bytes;
  info.host_readable = device.host_readable;
  info.has_float64 = device.has_float64;
  copy_text(info.selector, device.selector);
  copy_text(info.backend, device.backend);
  copy_text(info.name, device.name);
  return info;
}

}  // namespace chord::capi
