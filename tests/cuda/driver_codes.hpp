// Numbers of the CUDA driver API that the backend does not name but a driver answers with or is asked for.
#pragma once

#include "device/cuda/driver_api.hpp"

namespace chord::standin::code {

enum : cuda::Result {
  illegal_state = 401,
  launch_timeout = 702,
  illegal_instruction = 715,
  capture_unmatched = 903,
  capture_unjoined = 904,
  captured_event = 907,
};
enum : int {  // attributes of a device
  max_block_x = 2,
  max_block_y = 3,
  max_block_z = 4,
  max_grid_x = 5,
  max_grid_y = 6,
  max_grid_z = 7,
  shared_per_block = 8,
  warp_size = 10,
  unified_addressing = 41,
  shared_per_block_optin = 97,
};
enum : int { function_shared_bytes = 1, function_max_dynamic_shared = 8 };

}  // namespace chord::standin::code
