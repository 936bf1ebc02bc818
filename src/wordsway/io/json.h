// Records as JSON text and back.
#pragma once

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

}  // namespace wordsway
