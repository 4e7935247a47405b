// Streams of random numbers by what they are for, so that no two uses share any though the seed be the same. They are
// here all together, and at the end is the proof. What is drawn decides about models and runs that must be reproduced:
// a stream's number never changes.
//
// Philox turns a counter of four words, under the seed as its key, into four random words. Here
//   words 0, 1   the index of what is drawn within its stream, the low word first
//   words 2, 3   the stream's number, the low word first
// and a use has the numbers from `first` on, as many as it can need:
//   first        + number
//   starts       start of a fit
//   hops         hop of a fit from one valley to the next
//   probes       panel of random columns that a fit tries an operator with
//   dropout      training step, below 2^36, and the layer's number times 2^48
//   parameters   0: one stream for all parameters of a model, by their place
//   adding       part (training, validation, test) times 2^32, and the sequence's index
//   order        the same
//   shuffle      epoch
//   sample       0: which sequences of files are taken
//   held_back    0: which labelled files are for validation
//   listops      part times 2^32, and the row's index
//   pathfinder   length of the paths times 2^32, and the picture's index
// Dropout draws in kernels/dropout.hpp, by this layout: its words 2 and 3 are the step's, and the layer in the upper
// half of word 3. Words 0 and 1 count blocks of eight values, 16 bits each.
#pragma once

#include <cstdint>
#include <iterator>

#include "common/random.hpp"

namespace chord {

/// The first stream of each use.
enum class Stream : std::uint64_t {
  starts = 0,
  hops = std::uint64_t(1) << 32,
  probes = std::uint64_t(2) << 32,
  dropout = 0,  // as starts: no run both fits a matrix and trains a model
  parameters = 0x706172616d,
  adding = std::uint64_t(0xda01) << 48,
  order = std::uint64_t(0xda02) << 48,
  shuffle = std::uint64_t(0xda03) << 48,
  sample = std::uint64_t(0xda04) << 48,
  held_back = std::uint64_t(0xda05) << 48,
  listops = std::uint64_t(0xda06) << 48,
  pathfinder = std::uint64_t(0xda07) << 48,
};

inline Random random_of(Stream first, std::uint64_t seed, std::uint64_t number = 0) {
  return Random(seed, std::uint64_t(first) + number);
}

/// The random numbers of one sequence of a task.
inline Random random_of(Stream first, std::uint64_t seed, std::uint16_t part, std::uint32_t index) {
  return random_of(first, seed, std::uint64_t(part) << 32 | index);
}

namespace streams {

inline constexpr std::uint64_t most_numbers = std::uint64_t(1) << 32;  // of starts, hops, epochs, sequences
inline constexpr std::uint64_t most_steps = std::uint64_t(1) << 36;    // a thousand a second, for two years
inline constexpr std::uint64_t layer_stride = std::uint64_t(1) << 48;  // between the dropouts of a model
inline constexpr std::uint64_t most_layers = 2 + 1024;                 // a model's blocks, input and output
inline constexpr std::uint64_t most_parts = std::uint64_t(1) << 16;

/// `count` streams, and the same again `times` times every `stride`.
struct Use {
  Stream first;
  std::uint64_t count, stride = 0, times = 1;

  constexpr bool has(std::uint64_t stream) const {
    for (std::uint64_t i = 0; i < times; ++i)
      if (stream - (std::uint64_t(first) + i * stride) < count) return true;
    return false;
  }
};

inline constexpr Use sequences_of(Stream task) { return {task, most_numbers * most_parts}; }

inline constexpr Use of_a_fit[] = {
    {Stream::starts, most_numbers}, {Stream::hops, most_numbers}, {Stream::probes, most_numbers}};
inline constexpr Use of_training[] = {{Stream::dropout, most_steps, layer_stride, most_layers},
                                      {Stream::parameters, 1},
                                      sequences_of(Stream::adding),
                                      sequences_of(Stream::order),
                                      {Stream::shuffle, most_numbers},
                                      {Stream::sample, 1},
                                      {Stream::held_back, 1}};
inline constexpr Use of_files[] = {sequences_of(Stream::listops), sequences_of(Stream::pathfinder)};

/// Two ranges overlap where one of them has the other's beginning.
constexpr bool apart(const Use& a, const Use& b) {
  for (std::uint64_t i = 0; i < a.times; ++i)
    if (b.has(std::uint64_t(a.first) + i * a.stride)) return false;
  for (std::uint64_t i = 0; i < b.times; ++i)
    if (a.has(std::uint64_t(b.first) + i * b.stride)) return false;
  return true;
}

template <std::size_t Count>
constexpr bool all_apart(const Use (&uses)[Count]) {
  for (std::size_t i = 0; i < Count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!apart(uses[i], uses[j])) return false;
  return true;
}

static_assert(all_apart(of_a_fit) && all_apart(of_training) && all_apart(of_files));
static_assert(most_steps <= layer_stride);

}  // namespace streams
}  // namespace chord
