#include "wordsway/audit/split_words.h"

#include <string_view>

namespace wordsway {
namespace {

constexpr std::string_view kBetweenWords = " \n\t\r";

// Whether a word ends at the beginning of a token; [begin, end) are the bytes of the word so far.
bool ends_before_token(const std::string& text, Index begin, Index end, Index token) {
  if (token < end || token >= static_cast<Index>(text.size())) return false;
  const bool space = kBetweenWords.find(text[static_cast<size_t>(token)]) != std::string_view::npos;
  const auto word = std::string_view(text).substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  if (word.find_first_not_of(kBetweenWords) != std::string_view::npos) return space;
  return !space && end > begin && text[static_cast<size_t>(end - 1)] != ' ';  // a space belongs to what follows it
}

}  // namespace

void split_words_at_spaces(const std::string& text, Encoding& encoding) {
  std::optional<int> current;
  int splits = 0;
  Index begin = 0, end = 0;  // of the word, in bytes
  for (size_t k = 0; k < encoding.ids.size(); ++k) {
    if (!encoding.words[k]) continue;
    const auto& [token_begin, token_end] = encoding.byte_offsets[k];
    const bool same = encoding.words[k] == current;
    const bool split = same && ends_before_token(text, begin, end, token_begin);
    if (!same || split) begin = token_begin;
    if (split) ++splits;
    current = encoding.words[k];
    end = token_end;
    encoding.words[k] = *current + splits;
  }
}

}  // namespace wordsway
