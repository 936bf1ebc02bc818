// Rows of journals and of --format jsonl, comparable: without `seconds` and in one order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wordsway::test {

/// Each row as JSON without `seconds`, sorted.
std::vector<std::string> timeless_rows(const std::string& json_lines);
std::vector<std::string> timeless_rows_of(const std::filesystem::path& journal);

}  // namespace wordsway::test
