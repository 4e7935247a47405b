// Figures that were kept by --benchmark_out, to compare with.
#pragma once

#include <map>
#include <string>

/// The best seconds of each benchmark in a file of Google Benchmark's JSON, by name. Throws if it is none.
std::map<std::string, double> read_earlier(const std::string& path);
