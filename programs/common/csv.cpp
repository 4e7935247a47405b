#include "csv.hpp"

#include <stdexcept>
#include <utility>

namespace program {
namespace {

class Parser {
 public:
  Parser(const std::string& text, const std::string& name) : text_(text), name_(name) {
    const std::string byte_order_mark = "\xEF\xBB\xBF";
    if (text_.compare(0, byte_order_mark.size(), byte_order_mark) == 0) at_ = byte_order_mark.size();
  }

  std::vector<CsvRecord> records() {
    std::vector<CsvRecord> all;
    while (at_ < text_.size()) {
      CsvRecord next = record();
      const bool empty_line = next.fields.size() == 1 && next.fields[0].empty();
      if (!empty_line) all.push_back(std::move(next));
    }
    return all;
  }

 private:
  CsvRecord record() {
    CsvRecord result{line_, {field()}};
    while (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      result.fields.push_back(field());
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
    return result;
  }

  std::string field() {
    std::string result = at_ < text_.size() && text_[at_] == '"' ? quoted_field() : plain_field();
    if (!at_end_of_field()) fail(line_, "text after the closing quote of a field");
    return result;
  }

  std::string plain_field() {
    std::string result;
    for (; !at_end_of_field(); ++at_) {
      if (text_[at_] == '"') fail(line_, "a quote inside a field that does not begin with one");
      result += text_[at_];
    }
    return result;
  }

  std::string quoted_field() {
    const int begin = line_;
    std::string result;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '"') {
        ++at_;
        const bool doubled = at_ < text_.size() && text_[at_] == '"';
        if (!doubled) return result;
      }
      result += text_[at_];
    }
    fail(begin, "a quote is opened here and never closed");
  }

  bool at_end_of_field() const {
    if (at_ == text_.size() || text_[at_] == ',' || text_[at_] == '\n') return true;
    return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    throw std::runtime_error(name_ + ":" + std::to_string(line) + ": " + what);
  }

  const std::string& text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<CsvRecord> parse_csv(const std::string& text, const std::string& name) {
  return Parser(text, name).records();
}

}  // namespace program
