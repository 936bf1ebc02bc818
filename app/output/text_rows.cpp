#include "output/text_rows.h"

#include "system/streams.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

Record numbered(size_t text, const Record& row) {
  Record result{{"text", static_cast<std::int64_t>(text)}};
  for (const auto& [name, value] : row.fields()) result.set(name, value);
  return result;
}

}  // namespace

TextRows::TextRows(std::string format, size_t texts) : format_(std::move(format)), texts_(texts) {
  if (texts_ == 0 && format_ == "json") print_out("[]\n");
}

void TextRows::add(std::vector<Record> rows) {
  const size_t text = done_++;
  if (texts_ > 1)
    for (Record& row : rows) row = numbered(text, row);
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
    if (done_ == texts_) print_out(format_rows(all_, format_));
  }
}

}  // namespace wordsway::app
