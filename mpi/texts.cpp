#include "mpi/texts.hpp"

#include <algorithm>

namespace parallel {

std::string share_text(Peers& peers, std::string text) {
  std::size_t size = text.size();
  peers.broadcast(&size, sizeof size);
  text.resize(size);
  peers.broadcast(text.data(), size);
  return text;
}

std::vector<std::string> gather_texts(Peers& peers, const std::string& text) {
  const std::size_t own = text.size(), ranks = std::size_t(peers.size());
  std::vector<std::size_t> sizes(ranks);
  peers.gather(&own, sizeof own, sizes.data());
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  std::string padded = text, all(longest * ranks, '\0');
  padded.resize(longest);
  peers.gather(padded.data(), longest, all.data());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ranks; ++i) texts.push_back(all.substr(i * longest, sizes[i]));
  return texts;
}

}  // namespace parallel
