#include "wordsway/text/corpus_formats.h"

namespace wordsway {

void read_plain_text(TextLines& lines, const VisitText& visit) {
  std::string line;
  while (lines.next(line)) {
    const std::string_view text = without_carriage_return(line);
    if (!visit({std::string(text), std::nullopt, std::to_string(lines.number())})) return;
  }
}

}  // namespace wordsway
