// The best of all repetitions of each benchmark, and what it says about the goals of the library.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "page.hpp"

/// Prints the context as the ordinary reporter does, and keeps the best time of each benchmark.
class BestOfReporter : public benchmark::ConsoleReporter {
 public:
  BestOfReporter() : ConsoleReporter(OO_Tabular) {}
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  const std::map<std::string, double>& best_seconds() const { return best_; }

 private:
  std::map<std::string, double> best_;
};

void print_summary(const Measured& measured);
