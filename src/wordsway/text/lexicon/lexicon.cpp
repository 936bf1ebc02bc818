#include "wordsway/text/lexicon/lexicon.h"

#include "wordsway/text/words/whole_words.h"

namespace wordsway {

std::optional<ByteRange> Lexicon::find(std::string_view text, std::string_view word) const {
  const std::string folded = without_case(word);
  for (const ByteRange& place : words(text)) {
    const auto begin = static_cast<size_t>(place[0]), end = static_cast<size_t>(place[1]);
    if (without_case(text.substr(begin, end - begin)) == folded) return place;
  }
  return std::nullopt;
}

}  // namespace wordsway
