#include "wordsway/ask/collected_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway {

void CollectedParts::begin(const PartsStyle& style) {
  has_begun_ = true;
  style_ = style;
}

std::vector<Record> CollectedParts::rows() const {
  std::vector<Record> all;
  for (const auto& [number, part] : parts_)
    for (Record& row : part.rows()) all.push_back(std::move(row));
  return all;
}

std::string CollectedParts::json() const {
  if (!style_.as_objects) return json_with_summaries(rows(), end_);
  std::vector<std::string> objects;
  for (const auto& [number, part] : parts_) objects.push_back(part.object());
  return objects.size() == 1 ? objects.front() : fmt::format("[{}]", fmt::join(objects, ", "));
}

std::string CollectedParts::table(const std::function<std::vector<Record>(std::vector<Record>)>& columns) const {
  std::string document;
  std::vector<Record> together;
  for (const auto& [number, part] : parts_) {
    if (part.table) {
      document += part.table();
      continue;
    }
    std::vector<Record> rows = columns(part.people ? part.people() : part.rows());
    if (style_.one_table) {
      together.insert(together.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    } else if (!rows.empty()) {
      document += (document.empty() ? "" : "\n") + to_table(rows);
    }
  }
  return (style_.one_table ? to_table(together) : document) + end_.lines;
}

std::string json_with_summaries(const std::vector<Record>& rows, const PartsEnd& end) {
  std::string json = format_rows(rows, "json");
  if (end.summaries.empty()) return json;
  while (json.ends_with('\n')) json.pop_back();
  json = "{\n\"rows\": " + json;
  for (const auto& [name, record] : end.summaries) json += fmt::format(",\n\"{}\": {}", name, to_json(record));
  return json + "\n}\n";
}

}  // namespace wordsway
