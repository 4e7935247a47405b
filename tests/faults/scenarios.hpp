// Uses of the interface in which something may fail at any place.
#pragma once

#include <chord/chord.h>

#include <string>
#include <vector>

namespace faults {

/// Where a scenario takes place: on a device, and with files of its own.
struct Place {
  Place(std::string device, const std::string& folder);

  std::string device, folder;
  // What scenarios write and read again.
  std::string npy, pieces, plain, factors, checkpoint, model, gradients, listops, pathfinder;
  // What they read alone.
  std::string mtx, png, tensors, reviews, pictures;

  bool on_host() const { return device == "host"; }
};

struct Scenario {
  const char* name;
  /// What somebody does, up to the first status that is no success, which it returns. It gives back all it has.
  chord_status (*run)(const Place& place);
  /// Before every run, without faults; may be null.
  void (*prepare)(const Place& place) = nullptr;
  /// Whether what it left is whole: empty, or what is wrong. May be null. `hopeless`: everything failed, to the end.
  std::string (*check)(const Place& place, bool hopeless) = nullptr;
  bool cold = false;     ///< in a process that has not used the library before
  bool devices = false;  ///< it takes place on a device, so on each of them
};

const std::vector<Scenario>& scenarios();

/// Handles that could not be destroyed.
int failed_destructions();

/// Makes the files that scenarios read.
void make_files(const Place& place);

}  // namespace faults
