// Which process the device runtimes belong to: neither they nor their threads survive a fork, or the end of main.
#pragma once

namespace chord {

/// Makes this process the owner, if it is the first to use devices; throws Status::forked in a fork of the owner.
void claim_process();

/// False in a fork of the owner.
bool in_owner_process();

/// From now on, process_is_exiting() becomes true when the process begins to exit. To be called when the runtimes are
/// loaded: what is registered last runs first, so it comes before they are torn down.
void watch_for_exit();
bool process_is_exiting();

}  // namespace chord
