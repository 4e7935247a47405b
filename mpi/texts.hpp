// Texts among peers.
#pragma once

#include <string>
#include <vector>

#include "mpi/peers.hpp"

namespace parallel {

/// That of rank 0, to all.
std::string share_text(Peers& peers, std::string text);
/// Of all ranks, in their order.
std::vector<std::string> gather_texts(Peers& peers, const std::string& text);

}  // namespace parallel
