#include <limits>

#include "wordsway/text/corpus_formats.h"
#include "wordsway/text/json_view.h"

namespace wordsway {
namespace {

std::optional<int> read_label(const JsonView& y) {
  if (!y.exists()) return std::nullopt;
  const std::int64_t label = y.integer();
  if (label < std::numeric_limits<int>::min() || label > std::numeric_limits<int>::max()) {
    y.fail("expected a 32-bit integer");
  }
  return static_cast<int>(label);
}

std::string read_id(const JsonView& id, long long line) {
  if (!id.exists()) return std::to_string(line);
  return id.is_string() ? id.string() : std::to_string(id.integer());
}

}  // namespace

void read_json_lines(TextLines& lines, const VisitText& visit) {
  std::string line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const JsonView json = JsonView::parse(line, lines.where());
    if (!visit({json["text"].string(), read_label(json["y"]), read_id(json["id"], lines.number())})) return;
  }
}

}  // namespace wordsway
