// The tables of words and sentences that come with wordsway. They are plain files, data/*.txt and data/*.tsv beside the
// code that uses them; cmake/embed_tables.cmake puts their text into the library.
//
// A .txt file holds rules (text/grammar/grammar.h), in the order in which they are written:
//   # comment
//   name = option | option | option
//       | option, continued on indented lines
// A rule ends at the next name, blank line or comment. A .tsv file holds comments, a header and rows of fields that are
// separated by tabs.
//
// A table that is malformed is a fault of this library and not of its user; readers throw InternalError, which names
// the table, the line and what is wrong there.
#pragma once

#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/grammar/grammar.h"

namespace wordsway::tables {

struct TableFile {
  std::string_view name;  // "pairs/fillers.txt" for text/pairs/data/fillers.txt
  std::string_view text;
};

/// All embedded files, by name. Written by the build.
std::span<const TableFile> table_files();

/// The rules of a file, with their options joined by '|' and without blanks around them. Owns its texts.
class RuleTable {
 public:
  /// Reads an embedded file.
  explicit RuleTable(std::string_view name);
  /// Reads a text; `name` is for messages.
  RuleTable(std::string_view name, std::string_view text);
  RuleTable(const RuleTable&) = delete;
  RuleTable& operator=(const RuleTable&) = delete;

  std::span<const grammar::Rule> rules() const { return rules_; }
  /// The options of a rule, as written. Throws InternalError when there is no such rule.
  std::vector<std::string_view> options(std::string_view rule) const;

 private:
  std::string name_;
  std::deque<std::string> texts_;
  std::vector<grammar::Rule> rules_;
};

using Row = std::vector<std::string_view>;

/// The rows of an embedded file, whose header must name these columns. The views are valid as long as the program.
std::vector<Row> rows_of(std::string_view name, std::initializer_list<std::string_view> columns);
/// The rows of a text, which must outlive them; `name` is for messages.
std::vector<Row> rows_of(std::string_view name, std::string_view text, std::initializer_list<std::string_view> columns);

/// Throws InternalError: a table, where in it, and what is wrong.
[[noreturn]] void refuse_table(std::string_view name, std::string_view where, std::string_view what);

}  // namespace wordsway::tables
