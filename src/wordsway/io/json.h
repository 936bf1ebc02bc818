// Records as JSON text and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wordsway/core/record.h"

namespace wordsway {

/// One line, no spaces after separators beyond one, fields in order. Doubles are written with the fewest digits that
/// read back to the same bits; one that is not finite is written as null.
std::string to_json(const Record& record);

/// One value as to_json writes it.
std::string value_to_json(const Value& value);

/// The inverse of to_json. Throws DataError when the text is not one flat JSON object of the types a Value can hold.
Record record_from_json(std::string_view text);

/// A double as to_json writes it.
std::string shortest(double value);

// What a JSON text from elsewhere must pass before a parser may build it.

/// Nothing when `text` is one valid JSON value (UTF-8 included) nested at most `max_depth` deep in which no object has
/// the same key twice (a parser would silently keep one of them); otherwise what is wrong, as the rest of a sentence.
/// `[[1]]` is two deep. Builds nothing, so a hostile text costs only the reading of it.
std::optional<std::string> json_fault(std::string_view text, int max_depth);

/// `text` in double quotes with control characters escaped, for messages that quote a file.
std::string json_quoted(std::string_view text);

}  // namespace wordsway
