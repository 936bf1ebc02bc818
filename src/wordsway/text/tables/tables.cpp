#include "wordsway/text/tables/tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"

namespace wordsway::tables {
namespace {

std::string_view text_of(std::string_view name) {
  const auto files = table_files();
  const auto found = std::ranges::find(files, name, &TableFile::name);
  if (found == files.end()) refuse_table(name, "", "there is no such file");
  return found->text;
}

[[noreturn]] void refuse_line(std::string_view name, std::size_t line, std::string_view what) {
  refuse_table(name, fmt::format("line {}", line), what);
}

// Calls visit(line, number) for each line of a text, without its end.
template <class Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool is_rule_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-+:.") == std::string_view::npos;
}

// A rule while its lines are read.
struct Draft {
  std::string name, text;
  std::size_t line = 0;
};

bool brackets_match(std::string_view text) {
  std::string open;
  for (const char c : text) {
    if (c == '{' || c == '[') {
      open += c;
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != (c == '}' ? '{' : '[')) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

// "a | b c |" becomes "a|b c|".
std::string joined_options(std::string_view table, const Draft& draft) {
  if (!brackets_match(draft.text))
    refuse_line(table, draft.line, fmt::format("brackets of the rule '{}' do not match", draft.name));
  const std::vector<std::string> options = grammar::split_options(draft.text);
  if (std::ranges::all_of(options, &std::string::empty))
    refuse_line(table, draft.line, fmt::format("the rule '{}' has no options", draft.name));
  return fmt::format("{}", fmt::join(options, "|"));
}

std::vector<Draft> read_drafts(std::string_view table, std::string_view text) {
  std::vector<Draft> drafts;
  bool inside = false;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_of("\t\r") != std::string_view::npos) refuse_line(table, number, "a tab or carriage return");
    const bool ends = line.find_first_not_of(' ') == std::string_view::npos || line.front() == '#';
    if (ends) {
      inside = false;
    } else if (line.front() == ' ') {
      if (!inside) refuse_line(table, number, "an indented line that belongs to no rule");
      drafts.back().text.append(" ").append(line);
    } else {
      const std::size_t sign = line.find(" =");
      if (sign == std::string_view::npos || !is_rule_name(line.substr(0, sign)))
        refuse_line(table, number, "expected 'name = option | option'");
      drafts.push_back({std::string(line.substr(0, sign)), std::string(line.substr(sign + 2)), number});
      inside = true;
    }
  });
  return drafts;
}

}  // namespace

void refuse_table(std::string_view name, std::string_view where, std::string_view what) {
  throw InternalError(fmt::format("built-in table {}{}{}: {}", name, where.empty() ? "" : ", ", where, what));
}

RuleTable::RuleTable(std::string_view name) : RuleTable(name, text_of(name)) {}

RuleTable::RuleTable(std::string_view name, std::string_view text) : name_(name) {
  for (const Draft& draft : read_drafts(name, text)) {
    if (std::ranges::find(rules_, draft.name, &grammar::Rule::name) != rules_.end())
      refuse_line(name, draft.line, fmt::format("the rule '{}' is given twice", draft.name));
    const std::string& rule = texts_.emplace_back(draft.name);
    rules_.push_back({rule, texts_.emplace_back(joined_options(name, draft))});
  }
  if (rules_.empty()) refuse_table(name, "", "there is no rule");
}

std::vector<std::string_view> RuleTable::options(std::string_view rule) const {
  const auto found = std::ranges::find(rules_, rule, &grammar::Rule::name);
  if (found == rules_.end()) refuse_table(name_, "", fmt::format("there is no rule '{}'", rule));
  return split(found->options, '|');
}

std::vector<Row> rows_of(std::string_view name, std::initializer_list<std::string_view> columns) {
  return rows_of(name, text_of(name), columns);
}

std::vector<Row> rows_of(std::string_view name, std::string_view text,
                         std::initializer_list<std::string_view> columns) {
  std::vector<Row> rows;
  bool has_header = false;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty() || line.front() == '#') return;
    Row row = split(line, '\t');
    if (!has_header) {
      if (!std::ranges::equal(row, columns))
        refuse_line(name, number, fmt::format("expected the columns {}", fmt::join(columns, ", ")));
      has_header = true;
      return;
    }
    if (row.size() != columns.size() || std::ranges::any_of(row, &std::string_view::empty))
      refuse_line(name, number, fmt::format("expected {} fields, none of them empty", columns.size()));
    rows.push_back(std::move(row));
  });
  if (rows.empty()) refuse_table(name, "", "there are no rows");
  return rows;
}

}  // namespace wordsway::tables
