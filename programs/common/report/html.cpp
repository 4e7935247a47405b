#include "html.hpp"

#include <algorithm>
#include <cstdio>

#include "style.hpp"

namespace program {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char each : text) {
    switch (each) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += each;
    }
  }
  return result;
}

std::string element(const char* name, const std::string& content) {
  return std::string("<") + name + ">" + content + "</" + name + ">";
}

std::string page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<main>\n" + body +
         "</main>\n</body>\n</html>\n";
}

std::string key_figures(const std::vector<Figure>& figures) {
  std::string html;
  for (const Figure& each : figures) html += "<li><b>" + each.value + "</b><span>" + each.meaning + "</span></li>\n";
  return "<ul class=\"figures\">\n" + html + "</ul>\n";
}

std::string to_html(const Table& table) {
  std::string head, rows;
  for (const std::string& title : table.titles) head += "<th scope=\"col\">" + escaped(title) + "</th>";
  for (const auto& row : table.rows) {
    std::string cells;
    for (const std::string& cell : row) cells += element("td", escaped(cell));
    rows += element("tr", cells) + "\n";
  }
  return "<div class=\"wide\"><table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string details(const std::vector<Detail>& list) {
  std::string html;
  for (const Detail& each : list) html += element("dt", each.term) + element("dd", each.text) + "\n";
  return "<dl>\n" + html + "</dl>\n";
}

std::string command(const std::string& line) {
  std::string words;
  for (std::size_t begin = 0, end = 0; end < line.size(); begin = end + 1) {
    end = std::min(line.find(' ', begin), line.size());
    words += (begin > 0 ? " " : "") + element("span", escaped(line.substr(begin, end - begin)));
  }
  return "<code class=\"command\">" + words + "</code>";
}

std::string coordinate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

}  // namespace program
