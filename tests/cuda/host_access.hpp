// Says what was touched where the host's own code touches the memory of a device.
#pragma once

namespace chord::standin {

/// From now on; the process ends of it all the same, by SIGSEGV.
void explain_host_accesses();

}  // namespace chord::standin
