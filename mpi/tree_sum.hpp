// Sums over pieces of work that ranks share, in one fixed tree, so that the bits are the same for any number of ranks:
// a rank has neighbouring pieces, adds up what it has of the tree, and passes that on to the rank that has the
// beginning of the node above.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mpi/peers.hpp"
#include "mpi/pieces.hpp"

namespace parallel {

class TreeSum {
 public:
  using Message = std::vector<char>;
  using Make = std::function<void(std::int64_t piece, Message& into)>;
  using Add = std::function<void(Message& sum, const Message& other)>;

  /// Of messages of so many bytes.
  TreeSum(Peers& peers, std::size_t bytes) : peers_(peers), bytes_(bytes) {}

  /// Takes the memory that a sum needs, which may fail: others wait for a rank that fails in the midst of one.
  void prepare(const Pieces& pieces);
  /// The sum of what `make` makes of all pieces, each at the rank that has it; at all ranks, until the next call.
  /// `make` throws nothing: others wait for what it makes. All pieces of a rank are made before it waits for others.
  const Message& sum(const Pieces& pieces, const Make& make, const Add& add);

 private:
  struct Work {
    const Pieces& pieces;
    const Make& make;
    const Add& add;
  };
  void add_up(const Work& work, std::int64_t first, std::int64_t last, Message& sum);
  Message& take();

  Peers& peers_;
  std::size_t bytes_;
  std::vector<std::unique_ptr<Message>> messages_;
  std::vector<Message*> free_, sent_;
};

/// to += from, of the numbers behind a head.
template <class T>
void add_values(TreeSum::Message& to, const TreeSum::Message& from, std::size_t head = 0) {
  T* const sum = reinterpret_cast<T*>(to.data() + head);
  const T* const other = reinterpret_cast<const T*>(from.data() + head);
  for (std::size_t i = 0; i < (to.size() - head) / sizeof(T); ++i) sum[i] += other[i];
}

}  // namespace parallel
