// Raw inputs of a task, a review's text or a picture's PNG, made into tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace chord {

class Encoder {
 public:
  /// `symbols`: what each token is, for people.
  Encoder(std::int64_t length, std::vector<std::string> symbols) : length_(length), symbols_(std::move(symbols)) {}
  virtual ~Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  std::int64_t length() const { return length_; }
  const std::vector<std::string>& symbols() const { return symbols_; }

  /// `tokens`: as many as the length. Returns how many positions there are before the padding; from any thread.
  virtual std::int64_t encode(std::string_view raw, std::int32_t* tokens) const = 0;

 private:
  std::int64_t length_;
  std::vector<std::string> symbols_;
};

/// `encoding`: JSON, as a dataset has it; empty is {}. `length`: 0 for the task's.
std::unique_ptr<const Encoder> make_encoder(const std::string& task, const std::string& encoding, std::int64_t length);

/// Throws unless it is a JSON object that says nothing: the rules of the task say all.
void expect_no_encoding(const std::string& encoding);

/// The length somebody wants, or the task's own; throws where the task has no other.
std::int64_t only_length(std::int64_t wanted, std::int64_t own);

}  // namespace chord
