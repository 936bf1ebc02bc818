// The body of a request: one flat JSON object whose keys are the options of a command.
//
// Whatever bytes come, there is either a value of the right kind or a UsageError with a sentence that names the key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/json_view.h"

namespace wordsway::serve {

class RequestArguments {
 public:
  static constexpr std::size_t kMostTextBytes = std::size_t{128} << 10;

  /// Throws UsageError when `body` is not one JSON object, is nested deeper than a list, or has a key twice.
  explicit RequestArguments(std::string_view body);

  // Each throws UsageError when the value is of another kind or out of range. A key that is null counts as missing.

  std::optional<std::string> text(std::string_view key);
  /// Of any length: the content of a file.
  std::optional<std::string> long_text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view fallback);
  std::string required_text(std::string_view key);
  /// One of these, or the first when the key is missing.
  std::string one_of(std::string_view key, const std::vector<std::string>& choices);
  std::optional<Index> whole(std::string_view key, Index least, Index most);
  std::optional<double> number(std::string_view key);
  bool flag(std::string_view key);
  std::uint64_t seed();
  /// A list, or one value; at most `most` of them. Empty when the key is missing.
  std::vector<Index> wholes(std::string_view key, Index least, Index largest, std::size_t most);
  std::vector<double> numbers(std::string_view key, std::size_t most);
  std::vector<std::string> texts(std::string_view key, std::size_t most);
  /// A number or a name as text, for what is either ("3", "last").
  std::optional<std::string> text_or_number(std::string_view key);
  /// Whether the key is there.
  bool has(std::string_view key);
  bool is_text(std::string_view key);
  bool is_whole(std::string_view key);

  /// After all keys were asked for: throws UsageError when there is one that nobody asked for.
  void finish() const;

 private:
  JsonView find(std::string_view key);

  JsonView object_;
  std::vector<std::string> asked_;
};

}  // namespace wordsway::serve
