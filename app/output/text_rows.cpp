#include "output/text_rows.h"

#include "system/streams.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

// With the number of its text in front where there are several, else without one.
Record numbered(size_t text, bool several, const Record& row) {
  Record result;
  if (several) result.set("text", static_cast<std::int64_t>(text));
  for (const auto& [name, value] : row.fields())
    if (name != "text") result.set(name, value);
  return result;
}

}  // namespace

TextRows::TextRows(std::string format, size_t texts) : format_(std::move(format)), texts_(texts) {
  if (texts_ == 0 && format_ == "json") print_out("[]\n");
}

void TextRows::add(size_t text, std::vector<Record> rows) {
  waiting_.emplace(text, std::move(rows));
  while (!waiting_.empty() && waiting_.begin()->first == done_) {
    std::vector<Record> next = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    print(done_++, std::move(next));
  }
}

void TextRows::print(size_t text, std::vector<Record> rows) {
  for (Record& row : rows) row = numbered(text, texts_ > 1, row);
  if (format_ == "table") {
    if (rows.empty()) return;
    print_out((has_header_ ? "\n" : "") + to_table(rows));
    has_header_ = true;
  } else if (format_ == "jsonl") {
    print_out(to_json_lines(rows));
  } else if (format_ == "csv") {
    const std::string lines = to_csv(rows);
    print_out(has_header_ ? lines.substr(lines.find('\n') + 1) : lines);
    has_header_ = has_header_ || !lines.empty();
  } else {
    all_.insert(all_.end(), rows.begin(), rows.end());
    if (text + 1 == texts_) print_out(format_rows(all_, format_));
  }
}

}  // namespace wordsway::app
