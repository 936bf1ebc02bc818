#include "shell/parts_printer.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include "system/streams.h"
#include "wordsway/ask/collected_parts.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

// The larger the share the deeper the colour, on black letters.
std::string painted(const ColouredText& text) {
  const std::u32string characters = unicode::decode(text.text);
  const auto part = [&](Index begin, Index end) {
    std::string result;
    for (Index k = begin; k < end; ++k) unicode::append_utf8(result, characters[static_cast<size_t>(k)]);
    return result;
  };
  std::string result;
  Index done = 0;
  for (const auto& [begin, end, share] : text.spans) {
    const auto level = [share = share](double from, double to) {
      return static_cast<std::uint8_t>(from + share * (to - from));
    };
    result += part(done, begin);
    result +=
        fmt::format(fmt::bg(fmt::rgb(level(255, 253), level(255, 141), level(255, 60))) | fmt::fg(fmt::color::black),
                    "{}", part(begin, end));
    done = end;
  }
  return result + part(done, static_cast<Index>(characters.size())) + "\n\n";
}

}  // namespace

void PartsPrinter::begin(const PartsStyle& style) {
  style_ = style;
}

void PartsPrinter::add(size_t number, Part part) {
  waiting_.emplace(number, std::move(part));
  while (!waiting_.empty() && waiting_.begin()->first == done_) {
    const Part next = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    ++done_;
    print(next);
  }
}

void PartsPrinter::print(const Part& part) {
  if (format_ == "table") return print_table(part);
  if (format_ == "csv") return print_csv(part.csv ? part.csv() : to_csv(part.rows()));
  if (style_.as_objects) return print_object(part.object());
  if (format_ == "jsonl") return print_out(to_json_lines(part.rows()));
  for (Record& row : part.rows()) rows_.push_back(std::move(row));
}

void PartsPrinter::print_table(const Part& part) {
  if (part.table) return print_out(part.table());
  std::vector<Record> rows = for_people_(part.people ? part.people() : part.rows());
  if (style_.one_table) {
    rows_.insert(rows_.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    return;
  }
  if (rows.empty()) return;
  if (coloured_ && part.coloured)
    if (const auto text = part.coloured()) print_out(painted(*text));
  print_out((has_output_ ? "\n" : "") + to_table(rows));
  has_output_ = true;
}

// One text is its object; several are a list (json) or a line each (jsonl). Where several are expected, it is a list
// even if only the first one comes.
void PartsPrinter::print_object(const std::string& object) {
  if (format_ == "jsonl") return print_out(object + "\n");
  if (!has_output_ && !first_) {
    if (style_.count.value_or(1) > 1) {
      print_out("[\n" + object);
      has_output_ = true;
    } else {
      first_ = object;
    }
    return;
  }
  print_out((first_ ? "[\n" + *first_ : "") + ",\n" + object);
  first_.reset();
  has_output_ = true;
}

void PartsPrinter::print_csv(const std::string& lines) {
  print_out(has_output_ ? lines.substr(lines.find('\n') + 1) : lines);
  has_output_ = has_output_ || !lines.empty();
}

void PartsPrinter::finish(const PartsEnd& end) {
  if (format_ == "table") return print_out((style_.one_table ? to_table(rows_) : "") + end.lines);
  if (format_ != "json") return;
  if (!style_.as_objects) return print_out(json_with_summaries(rows_, end));
  print_out(first_ ? *first_ + "\n" : has_output_ ? "\n]\n" : "[]\n");
}

}  // namespace wordsway::app
