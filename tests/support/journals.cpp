#include "support/journals.h"

#include <algorithm>
#include <sstream>

#include "wordsway/io/journal.h"
#include "wordsway/io/json.h"

namespace wordsway::test {
namespace {

std::string timeless(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name != "seconds") result.set(name, value);
  return to_json(result);
}

}  // namespace

std::vector<std::string> timeless_rows(const std::string& json_lines) {
  std::vector<std::string> rows;
  std::istringstream lines(json_lines);
  for (std::string line; std::getline(lines, line);) rows.push_back(timeless(record_from_json(line)));
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::string> timeless_rows_of(const std::filesystem::path& journal) {
  std::vector<std::string> rows;
  for (const JournalRow& row : read_journal(journal).rows) rows.push_back(timeless(row.record));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace wordsway::test
