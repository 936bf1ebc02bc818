// The body of a request: one flat JSON object whose keys are the fields of a question.
//
// Whatever bytes come, there is either a value of some kind or a UsageError with a sentence that names the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/ask/field.h"
#include "wordsway/io/json_view.h"

namespace wordsway::serve {

class RequestArguments {
 public:
  static constexpr std::size_t kMostTextBytes = std::size_t{128} << 10;
  static constexpr std::size_t kMostEntries = 64;  // of a list
  /// The key of a whole file, whose size the body alone limits.
  static constexpr std::string_view kContent = "content";

  /// Throws UsageError when `body` is not one JSON object, is nested deeper than a list, or has a key twice.
  explicit RequestArguments(std::string_view body);

  /// The value under a key; nothing where it is missing or null. Throws UsageError when it is too long, an object, or a
  /// list of different kinds.
  std::optional<Given> value(std::string_view key) const;
  /// A text. Throws UsageError also when the value is of another kind.
  std::optional<std::string> text(std::string_view key) const;

  /// After all keys were asked for: throws UsageError when there is one that nobody asked for.
  void finish() const;

 private:
  JsonView object_;
  mutable std::vector<std::string> asked_;
};

}  // namespace wordsway::serve
