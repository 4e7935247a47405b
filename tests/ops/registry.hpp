// Every operation and type, with what can be done with it.
#pragma once

#include "run.hpp"

namespace ops {

struct Subject {
  std::string operation, type;
  Variants (*variants)();
  Variants (*realistic)();
  Variant (*counted)();
  Outcome (*test)(chord::Queue&, const Variant&);
  void (*once)(chord::Queue&, const Variant&, const Gathers&);
  Timing (*time)(chord::Queue&, const Variant&);
};

const std::vector<Subject>& subjects();

/// The entry that serves an operation on a device, as its place in the table, or −1.
int entry_for(const Subject& subject, const chord::DeviceDescription& device);

}  // namespace ops
