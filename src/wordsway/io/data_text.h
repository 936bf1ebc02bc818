// What data files of users must be, line by line: UTF-8, and JSON without a key that comes twice. Messages name the
// line and the column, which counts characters; both from 1.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "wordsway/io/json_view.h"

namespace wordsway {

/// "NAME:LINE:COLUMN" of a byte of a text, whose first line is `first_line`.
std::string place_in_text(std::string_view text, std::size_t byte, const std::string& name, long long first_line = 1);

/// Throws DataError "WHERE:COLUMN: not UTF-8" when a line is not; `where` is "NAME:LINE".
void check_is_utf8(std::string_view line, const std::string& where);

/// What is wrong with a JSON text, and where.
struct JsonFault {
  std::size_t byte;  // where the second of two equal keys begins, or where reading ended
  std::string what;  // as json_fault says it (io/json.h)
  bool is_syntax;    // else it is valid JSON that is nested too deep or has a key twice
};
std::optional<JsonFault> find_json_fault(std::string_view text, int max_depth);

/// Reads JSON that holds a user's data. A line of a JSON Lines file is line `line` of the document `name`, and errors
/// call it "NAME:LINE". Throws DataError as JsonView::parse does, and naming line and column when it is not UTF-8, when
/// an object has the same key twice, or when it is nested more than 100 deep.
JsonView parse_data_json(std::string_view bytes, const std::string& name, std::optional<long long> line = {});

}  // namespace wordsway
