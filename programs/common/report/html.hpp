// Pieces of HTML and SVG.
#pragma once

#include <string>
#include <vector>

#include "../table.hpp"

namespace program {

/// Text that may stand anywhere, also inside attributes.
std::string escaped(const std::string& text);

/// <name>content</name>
std::string element(const char* name, const std::string& content);

/// A whole page in the programs' common look.
std::string page(const std::string& title, const std::string& body);

/// Numbers to be seen first, each with its meaning.
struct Figure {
  std::string value, meaning;  // HTML
};
std::string key_figures(const std::vector<Figure>& figures);

/// A <table> that can be wider than the page; its texts are not HTML.
std::string to_html(const Table& table);

/// Terms and what is to be said about them; HTML.
struct Detail {
  std::string term, text;
};
std::string details(const std::vector<Detail>& list);

/// A command line, which is broken between its words alone.
std::string command(const std::string& line);

/// A coordinate: one decimal is finer than any screen.
std::string coordinate(double value);

}  // namespace program
