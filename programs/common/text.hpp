// Numbers as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace program {

std::string number(double value);                        ///< four digits: 0.01234, 1.5e+06
std::string mathematical(double value, int digits = 4);  ///< as books have it: −0.01234, 1.5·10⁶
std::string bytes(std::uint64_t count);                  ///< 12.3 MiB
std::string duration(double seconds);                    ///< 0:07, 1:05, 2:00:30
std::size_t characters(const std::string& text);         ///< not bytes
std::string first_characters(const std::string& text, std::size_t most);
/// Lines of at most so many characters, unless a single word has more; each is ended.
std::string wrapped(const std::string& text, std::size_t most);
std::string counted(std::int64_t count, const char* what);  ///< 1 factor, 2 factors
std::string join(const std::vector<std::int64_t>& values, const char* separator);
std::string join(const std::vector<std::string>& words, const char* separator);

}  // namespace program
