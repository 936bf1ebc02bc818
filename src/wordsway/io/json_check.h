// What a JSON text from elsewhere must pass before a parser may build it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wordsway {

/// Nothing when `text` is one valid JSON value (UTF-8 included) nested at most `max_depth` deep in which no object has
/// the same key twice (a parser would silently keep one of them); otherwise what is wrong, as the rest of a sentence.
/// `[[1]]` is two deep. Builds nothing, so a hostile text costs only the reading of it.
std::optional<std::string> json_fault(std::string_view text, int max_depth);

/// `text` in double quotes with control characters escaped, for messages that quote a file.
std::string json_quoted(std::string_view text);

}  // namespace wordsway
